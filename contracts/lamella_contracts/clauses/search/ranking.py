"""Clauses on matching by words and on ranking."""

import pytest

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.storage import Capability
from lamella_adapters.fts5 import bm25
from lamella_contracts.fixtures.project import ProjectFixture

MANY = 900
"""Number of rows with the same word. It is below `bm25.LARGE_PROJECT`, so that the word isn't a stop word."""

FILLER = ("horse", "cow", "dog", "cat", "goat", "sheep", "hen", "duck")


def filled(project: ProjectFixture) -> ProjectFixture:
    """Add unrelated memories, so that the words of a test are rare. Return the project."""
    for word in FILLER:
        project.save(f"{word} filler", title=word)
    return project


class RankingClauses:
    """Observations are ranked by BM25 over four columns."""

    def test_a_title_weighs_more_than_content(self, project: ProjectFixture) -> None:
        """Fails if all columns have the same weight, because `COLUMN_WEIGHTS` is not applied."""
        filled(project)
        project.save("horse in title", title="zebra")
        project.save("zebra in content", title="horse")
        assert project.contents("zebra") == ["horse in title", "zebra in content"]

    def test_a_rarer_word_wins(self, project: ProjectFixture) -> None:
        """Fails if words are not weighted by their rarity in the project."""
        filled(project)
        project.save("unicorn 0")
        for number in range(1, 4):
            project.save(f"zebra {number}")
        assert project.contents("zebra unicorn", limit=1) == ["unicorn 0"]

    def test_a_shorter_text_wins(self, project: ProjectFixture) -> None:
        """Fails if scores are not normalised by length."""
        filled(project)
        project.save("zebra")
        project.save("zebra " + " ".join(f"word{number}" for number in range(40)))
        assert project.contents("zebra", limit=1) == ["zebra"]

    def test_a_saved_one_comes_before_captured_ones(self, project: ProjectFixture) -> None:
        """Fails if captured edits weigh as much as notes, or always rank after notes."""
        filled(project)
        project.save("zebra crossing saved")
        for kind in (Kind.CHANGE, Kind.SUMMARY):
            project.save(f"zebra crossing {kind}", kind=kind)
        project.save("zebra crossing unicorn", kind=Kind.CHANGE)
        assert project.contents("zebra crossing")[0] == "zebra crossing saved"
        assert project.contents("zebra crossing unicorn")[0] == "zebra crossing unicorn"

    def test_scores_are_positive_and_fall(self, project: ProjectFixture) -> None:
        """Fails if scores are negative, as in some indexes, or if hits aren't sorted by score."""
        filled(project)
        for number in range(1, 4):
            project.save("zebra " * number + "filler " * 5, title=f"title {number}")
        scores = [hit.score or 0 for hit in project.find("zebra filler", limit=50)]
        assert len(scores) == 11
        assert min(scores) > 0
        assert scores == sorted(scores, reverse=True)

    def test_equal_scores_put_the_later_saved_first(self, project: ProjectFixture) -> None:
        """Fails if hits with equal scores are ordered by id or age.

        Also fails if a word that occurs in all rows finds nothing.
        """
        for number in range(6):
            project.save(f"zebra {number}")
        assert project.contents("zebra") == [f"zebra {number}" for number in (5, 4, 3, 2, 1, 0)]

    def test_a_large_project_has_stop_words_of_its_own(self, project: ProjectFixture) -> None:
        """Fails if a word in half of 1,000 rows still counts in a query with rarer words.

        Also fails if a query of this word alone finds nothing.
        """
        project.fill([Draft(content=f"zebra {number}") for number in range(bm25.LARGE_PROJECT)])
        project.save("unicorn")
        assert project.contents("zebra unicorn") == ["unicorn"]
        assert len(project.find("zebra")) == 10

    def test_the_oldest_of_many_are_ranked(self, project: ProjectFixture) -> None:
        """Fails if only the newest rows, or the first rows of the index, are ranked instead of all rows."""
        project.save("zebra zebra")
        project.fill([Draft(content=f"zebra {number} and more words") for number in range(MANY)])
        assert project.contents("zebra", limit=1) == ["zebra zebra"]
        assert len(project.find("zebra", limit=MANY)) == MANY

    def test_statistics_are_those_of_live_ones(self, project: ProjectFixture) -> None:
        """Fails if purged rows, erased rows, or rows of other projects are found, or count in the statistics."""
        other = project.other("without-purged")
        for each in (project, other):
            filled(each)
            each.save("zebra crossing")
        gone = [project.save(f"zebra zebra purged {number} " + "long " * 50) for number in range(4)]
        there = project.other("there")
        for number in range(20):
            there.save(f"zebra zebra {number}")
        project.purge(*gone[:2])
        if Capability.ERASE in project.storage.capabilities:
            project.erase(*gone[1:])
        else:
            project.purge(*gone[2:])
        assert project.scores("zebra horse") == pytest.approx(other.scores("zebra horse"))
