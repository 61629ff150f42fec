"""Clauses on the rarity of words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_contracts.fixtures.project import ProjectFixture
from lamella_contracts.fixtures.strategies import Story, any_text, bounded, phrases, stories


def rarity(holders: int, rows: int) -> float:
    """Return the rarity of a word that `holders` of `rows` observations contain."""
    return math.log(1 + (rows - holders + 0.5) / (holders + 0.5))


class RarityClauses:
    """Rarity is computed from the live observations of the project."""

    def test_rarities_are_those_of_the_words(self, project: ProjectFixture) -> None:
        """The formula is that of the ranking, or another's; or occurrences are counted instead of observations."""
        for content in ("zebra zebra zebra", "zebra horse", "horses", "cow", "dog"):
            project.save(content)
        asked = project.search.rarities(["cow", "zebra", "Horse", "cow"])
        assert asked == pytest.approx([rarity(1, 5), rarity(2, 5), rarity(2, 5), rarity(1, 5)])

    def test_a_word_that_all_have_is_not_negative(self, project: ProjectFixture) -> None:
        """The formula goes below 0, or to 0, for words that more than half have."""
        for number in range(3):
            project.save(f"zebra {number}")
        assert project.search.rarities(["zebra"]) == pytest.approx([rarity(3, 3)])

    def test_every_column_counts_for_rarity(self, project: ProjectFixture) -> None:
        """Words are counted in the content alone: not in titles, parts of identifiers, context or heading."""
        project.save("getUserById", title="zebra", session="s")
        project.refer("cow")
        project.save("dog")
        asked = project.search.rarities(["zebra", "user", "note"])
        assert asked == pytest.approx([rarity(2, 3), rarity(1, 3), rarity(3, 3)])

    def test_a_split_word_is_as_rare_as_its_rarest_part(self, project: ProjectFixture) -> None:
        """A word that the index splits is looked for as a phrase, or is as common as its commonest part."""
        for content in ("zebra horse", "zebra cow", "dog"):
            project.save(content)
        asked = project.search.rarities(["zebra-horse", "zebra/unicorn", "horse zebra"])
        assert asked == pytest.approx([rarity(1, 3), rarity(2, 3), rarity(1, 3)])

    def test_what_is_nowhere_has_no_rarity(self, project: ProjectFixture) -> None:
        """An unknown word is the rarest of all, or text without a word is an error."""
        assert project.search.rarities(["zebra", ""]) == (0.0, 0.0)
        project.save("zebra")
        assert project.search.rarities(["unicorn", "", "...", '"', "\ud800"]) == (0.0,) * 5
        assert project.search.rarities([]) == ()

    def test_rarities_are_of_live_ones(self, project: ProjectFixture) -> None:
        """Purged observations, or those of other projects, are counted in how rare a word is."""
        for content in ("zebra", "cow"):
            project.save(content)
        project.purge(project.save("zebra crossing"))
        project.other("there").save("zebra there")
        assert project.search.rarities(["zebra", "crossing"]) == pytest.approx([rarity(1, 2), 0.0])

    def test_rarities_agree_with_the_model(self, project: ProjectFixture) -> None:
        """Words are split otherwise than the index splits them, or some text raises."""

        @bounded(20)
        @given(stories(8), st.lists(st.one_of(phrases(2), any_text()), max_size=6))
        def agrees(story: Story, words: list[str]) -> None:
            tested = project.fresh()
            model = tested.in_memory()
            story.replay(tested)
            story.replay(model)
            assert tested.search.rarities(words) == pytest.approx(model.search.rarities(words), rel=1e-9)

        agrees()
