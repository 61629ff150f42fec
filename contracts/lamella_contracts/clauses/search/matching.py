"""Clauses on the reason, the strength and the position of matches."""

from datetime import UTC, datetime

import pytest

from lamella.domain.memories.query import Hit, Match
from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.fixtures.project import ProjectFixture


def marked(hit: Hit) -> list[tuple[str, int]]:
    """Return the marked parts of the content, each with the number of its query word."""
    return [(hit.observation.content[span.start : span.end], span.word) for span in hit.spans]


class MatchingClauses:
    """Hits have a reason, a strength and the spans of the words.

    The strength is the share of the question's information in a hit, from 0 to 1. Rare words carry more of it.
    """

    def test_strength_says_how_much_a_hit_holds(self, project: ProjectFixture) -> None:
        """Words count alike, or stop words or signs do, or a title or heading doesn't; or the words are lost."""
        filled(project)
        for content in ("crossing here", "zebra here", "zebra there"):
            project.save(content)
        project.save("crossing too", title="zebra", actor="gardener")
        hits = {hit.observation.content: hit for hit in project.find("the zebra crossing _ gardener")}
        assert {hit.match for hit in hits.values()} == {Match.WORDS}
        strengths = {content: hit.strength or 0.0 for content, hit in hits.items()}
        assert strengths["crossing too"] == pytest.approx(1.0)
        assert 1 > strengths["crossing here"] > strengths["zebra here"] == strengths["zebra there"] > 0
        assert {content: sorted(hit.held) for content, hit in hits.items()} == {
            "crossing too": ["crossing", "gardener", "zebra"],
            "crossing here": ["crossing"],
            "zebra here": ["zebra"],
            "zebra there": ["zebra"],
        }

    def test_an_unknown_word_tells_as_much_as_a_rare_one(self, project: ProjectFixture) -> None:
        """A word absent from all memories weighs nothing, or more than a word of a single memory."""
        strengths = []
        for other in ("cow", "unicorn"):
            one = project.fresh()
            one.save("zebra")
            one.save(other)
            strengths.append(one.strengths("zebra unicorn")["zebra"])
        assert strengths[0] == pytest.approx(strengths[1])

    def test_strength_means_the_same_in_every_project(self, project: ProjectFixture) -> None:
        """One word of three is a weak match in a small project, or a strong one in a large project."""
        strengths: list[float | None] = []
        for filler in (0, 3, 300):
            one = project.fresh()
            for number in range(filler):
                one.save(f"horse{number}")
            one.save("zebra")
            strengths += one.strengths("zebra unicorn centaur").values()
        assert [0.3 < (each or 0.0) < 0.6 for each in strengths] == [True] * 3

    def test_dates_beside_words_have_no_strength(self, project: ProjectFixture) -> None:
        """A memory of the requested month counts as an answer despite another subject."""
        filled(project)
        project.save("zebra", now=datetime(2023, 3, 7, tzinfo=UTC))
        project.save("cow in spring", now=datetime(2023, 3, 8, tzinfo=UTC))
        assert project.strengths("zebra March 2023") == {"zebra": 1.0, "cow in spring": 0.0}
        assert list(project.strengths("March 2023").values()) == pytest.approx([1.0, 1.0])

    def test_spans_point_at_the_words_in_the_content(self, project: ProjectFixture) -> None:
        """Spans are offsets in bytes, in the indexed text with its heading, or of the title; or word by word."""
        project.save("\u00e4\u6570\U0001f680 zebra, na\u00efve Crossing zebras", title="zebra")
        project.save("content", title="zebra")
        found = {hit.observation.content: marked(hit) for hit in project.find("zebra crossing")}
        assert sorted(found.values()) == [[], [("zebra", 0), ("Crossing", 1), ("zebras", 0)]]

    def test_parts_of_longer_words_are_marked(self, project: ProjectFixture) -> None:
        """A word found by the `sub` column has no span, because it is only part of a word in the content."""
        project.save("call getUserById now")
        project.save("\u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6")
        found = [marked(hit) for query in ("user", "\u8fde\u63a5") for hit in project.find(query)]
        assert found == [[("User", 0)], [("\u8fde\u63a5", 0)]]
