"""Clauses on matching by words and on ranking."""

import pytest

from lamella.domain.memories.kind import EDITED, Kind
from lamella.ports.storage.storage import Capability
from lamella_adapters.fts5 import bm25
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import ProjectFixture

MANY = 900
"""Rows with a word; in fewer than `bm25.LARGE_PROJECT` it is no stop word."""

FILLER = ("horse", "cow", "dog", "cat", "goat", "sheep", "hen", "duck")


def filled(project: ProjectFixture) -> ProjectFixture:
    """Return the project with unrelated memories added, so that the words of a clause are rare."""
    for word in FILLER:
        project.save(f"{word} filler", title=word)
    return project


class RankingClauses:
    """Observations are ranked by BM25 over four columns."""

    def test_any_word_is_enough(self, project: ProjectFixture) -> None:
        """The words of a query are joined by "and": a question in a sentence finds nothing."""
        filled(project)
        project.save("the zebra crossing")
        assert project.contents("zebra unicorn centaur") == ["the zebra crossing"]

    def test_more_of_the_words_rank_higher(self, project: ProjectFixture) -> None:
        """Scores of the words are not added up."""
        filled(project)
        for content in ("zebra alone here", "zebra crossing here", "crossing alone here"):
            project.save(content)
        assert project.contents("zebra crossing")[0] == "zebra crossing here"

    def test_a_title_weighs_more_than_content(self, project: ProjectFixture) -> None:
        """All columns weigh the same: `COLUMN_WEIGHTS` is not applied."""
        filled(project)
        project.save("horse in title", title="zebra")
        project.save("zebra in content", title="horse")
        assert project.contents("zebra") == ["horse in title", "zebra in content"]

    def test_a_rarer_word_wins(self, project: ProjectFixture) -> None:
        """Words are not weighted by how rare they are in the project."""
        filled(project)
        project.save("unicorn 0")
        for number in range(1, 4):
            project.save(f"zebra {number}")
        assert project.contents("zebra unicorn", limit=1) == ["unicorn 0"]

    def test_a_shorter_text_wins(self, project: ProjectFixture) -> None:
        """Scores are not normalised by length."""
        filled(project)
        project.save("zebra")
        project.save("zebra " + " ".join(f"word{number}" for number in range(40)))
        assert project.contents("zebra", limit=1) == ["zebra"]

    def test_a_saved_one_comes_before_captured_ones(self, project: ProjectFixture) -> None:
        """Captured edits and summaries weigh as much as notes: `kind_weight` is not applied."""
        filled(project)
        project.save("zebra crossing saved")
        for kind in (Kind.CHANGE, Kind.SUMMARY):
            project.save(f"zebra crossing {kind}", kind=kind)
        assert project.contents("zebra crossing")[0] == "zebra crossing saved"

    def test_a_captured_one_that_matches_better_comes_first(self, project: ProjectFixture) -> None:
        """Captured edits follow all notes, whatever they hold."""
        filled(project)
        project.save("zebra saved")
        project.save("zebra crossing unicorn", kind=Kind.CHANGE)
        assert project.contents("zebra crossing unicorn") == ["zebra crossing unicorn", "zebra saved"]

    def test_an_edit_is_found_by_its_lines_before_its_prompt(self, project: ProjectFixture) -> None:
        """The prompt that a captured edit was made for weighs as much as its path and lines."""
        filled(project)
        edits = [
            f"{prompt}\n\nChanged a.py: 1 line added, 0 removed.\nAdded to a.py:\n{line}"
            for prompt, line in (("unicorn prompt", "zebra"), ("zebra prompt", "unicorn"))
        ]
        for edit in edits:
            project.save(edit, kind=Kind.CHANGE, source=EDITED)
        assert project.contents("zebra") == edits
        assert project.contents("unicorn") == edits[::-1]

    def test_scores_are_positive_and_fall(self, project: ProjectFixture) -> None:
        """Scores have the sign that the index gives them, or are not those that the order is made of."""
        filled(project)
        for number in range(1, 4):
            project.save("zebra " * number + "filler " * 5, title=f"title {number}")
        scores = [hit.score or 0 for hit in project.find("zebra filler", limit=50)]
        assert len(scores) == 11
        assert min(scores) > 0
        assert scores == sorted(scores, reverse=True)

    def test_equal_scores_put_the_later_saved_first(self, project: ProjectFixture) -> None:
        """Ties fall as the index has them: by id, or the oldest first."""
        for number in range(6):
            project.save(f"zebra {number}")
        assert project.contents("zebra") == [f"zebra {number}" for number in (5, 4, 3, 2, 1, 0)]

    def test_a_word_that_most_contain_still_finds(self, project: ProjectFixture) -> None:
        """A word in more than half of the rows gets no or a negative weight and is dropped."""
        for number in range(5):
            project.save(f"zebra {number}")
        assert len(project.find("zebra")) == 5

    def test_a_large_project_has_stop_words_of_its_own(self, project: ProjectFixture) -> None:
        """In a project of 1,000, a word that half of them have ranks beside others, or finds nothing alone."""
        for number in range(bm25.LARGE_PROJECT):
            project.save(f"zebra {number}")
        project.save("unicorn")
        assert project.contents("zebra unicorn") == ["unicorn"]
        assert len(project.find("zebra")) == 10

    def test_the_oldest_of_many_are_ranked(self, project: ProjectFixture) -> None:
        """Only so many of the newest rows, or of the first ones that the index gives, are ranked."""
        project.save("zebra zebra")
        for number in range(MANY):
            project.save(f"zebra {number} and more words")
        assert project.contents("zebra", limit=1) == ["zebra zebra"]
        assert len(project.find("zebra", limit=MANY)) == MANY

    def test_statistics_are_those_of_live_ones(self, project: ProjectFixture) -> None:
        """Purged observations are still counted in how many rows there are, hold a word, or how long they are."""
        other = project.other("without-purged")
        for each in (project, other):
            filled(each)
            each.save("zebra crossing")
        for number in range(4):
            project.purge(project.save(f"zebra zebra purged {number} " + "long " * 50))
        assert project.scores("zebra horse") == pytest.approx(other.scores("zebra horse"))

    @needs(Capability.ERASE)
    def test_statistics_forget_what_is_erased(self, project: ProjectFixture) -> None:
        """Counters of rows, words or lengths do not fall with an erase, of a live or a purged one."""
        other = project.other("without-erased")
        for each in (project, other):
            filled(each)
            each.save("zebra crossing")
        erased = [project.save(f"zebra zebra erased {number} " + "long " * 50) for number in range(4)]
        project.purge(*erased[:2])
        project.erase(*erased)
        assert project.scores("zebra horse") == pytest.approx(other.scores("zebra horse"))

    def test_statistics_are_those_of_one_project(self, project: ProjectFixture) -> None:
        """One index holds all projects, and what others save changes the scores here."""
        filled(project)
        project.save("zebra crossing")
        before = project.scores("zebra horse")
        there = project.other("there")
        for number in range(20):
            there.save(f"zebra zebra {number}")
        assert project.scores("zebra horse") == pytest.approx(before)

    def test_search_stays_in_its_project(self, project: ProjectFixture) -> None:
        """The project is left out of the search by text, title or time."""
        project.other("there").save("zebra theirs", title="zebra")
        project.save("zebra ours", title="zebra")
        assert project.contents("zebra", include_purged=True) == ["zebra ours"]
