"""Clauses on the reason and the position of matches."""

from lamella.domain.memories.query import Hit, Match, Span
from lamella_contracts.fixtures.project import ProjectFixture


def marked(hit: Hit) -> list[tuple[str, int]]:
    """Return the parts of the content that the spans of a hit mark, each with the number of its word."""
    return [(hit.observation.content[span.start : span.end], span.word) for span in hit.spans]


class MatchingClauses:
    """Hits have the reason of the match and its spans."""

    def test_all_words_are_told_from_some(self, project: ProjectFixture) -> None:
        """The reason does not count the words of the query, stop words apart, in all of the memory's own text."""
        project.save("crossing", title="zebra")
        project.save("zebra here")
        found = {hit.observation.content: hit.match for hit in project.find("the zebra crossing")}
        assert found == {"crossing": Match.ALL_WORDS, "zebra here": Match.SOME_WORDS}

    def test_an_identifier_is_told(self, project: ProjectFixture) -> None:
        """A path or name that matched among other words is not told from any word."""
        project.save("get_user broke")
        found = project.find("getUser unicorn")
        assert [hit.match for hit in found] == [Match.IDENTIFIER]

    def test_what_only_the_context_holds_is_some_words(self, project: ProjectFixture) -> None:
        """The context counts as the memory's own text: it says "all words" and shows none of them."""
        project.save("zebra", session="s")
        project.save("follower", session="s")
        found = [(hit.observation.content, hit.match, tuple(hit.spans)) for hit in project.find("zebra")]
        assert found == [
            ("zebra", Match.ALL_WORDS, (Span(0, 5, 0),)),
            ("follower", Match.SOME_WORDS, ()),
        ]

    def test_spans_point_at_the_words_in_the_content(self, project: ProjectFixture) -> None:
        """Spans are offsets in bytes, in the indexed text with its heading, or of the title."""
        project.save("\u00e4\u6570\U0001f680 zebra, na\u00efve Crossing zebras", title="zebra")
        (hit,) = project.find("zebra crossing")
        assert marked(hit) == [("zebra", 0), ("Crossing", 1), ("zebras", 0)]

    def test_spans_are_in_order(self, project: ProjectFixture) -> None:
        """Spans come word by word instead of in the order of the text."""
        project.save("delta alpha beta alpha")
        (hit,) = project.find("alpha beta delta")
        assert list(hit.spans) == [Span(0, 5, 2), Span(6, 11, 0), Span(12, 16, 1), Span(17, 22, 0)]

    def test_a_title_match_has_no_spans(self, project: ProjectFixture) -> None:
        """Spans of a word in the title point into the content."""
        project.save("content", title="zebra")
        (hit,) = project.find("zebra")
        assert (hit.match, tuple(hit.spans)) == (Match.ALL_WORDS, ())

    def test_parts_of_longer_words_are_marked(self, project: ProjectFixture) -> None:
        """A word that was found by the `sub` column has no span, because it is no word of the content."""
        project.save("call getUserById now")
        project.save("\u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6")
        found = [marked(hit) for query in ("user", "\u8fde\u63a5") for hit in project.find(query)]
        assert found == [[("User", 0)], [("\u8fde\u63a5", 0)]]
