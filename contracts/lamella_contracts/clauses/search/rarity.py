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
        """The formula is that of the ranking, or occurrences or the commonest part of a word count."""
        assert project.search.rarities(["zebra", ""]) == (0.0, 0.0)
        for content in ("zebra zebra zebra", "zebra horse", "horses", "cow", "dog"):
            project.save(f"row {content}")
        words = {"cow": 1, "zebra": 2, "Horse": 2, "row": 5, "zebra-dog": 1, "zebra/unicorn": 2, "horse cow": 1}
        expected = [rarity(holders, 5) for holders in words.values()]
        assert project.search.rarities([*words, "cow"]) == pytest.approx([*expected, rarity(1, 5)])
        assert project.search.rarities(["unicorn", "", "...", '"', "\ud800"]) == (0.0,) * 5
        assert project.search.rarities([]) == ()

    def test_every_column_counts_for_rarity(self, project: ProjectFixture) -> None:
        """Words are counted in the content alone: not in titles, parts of identifiers, context or heading."""
        project.save("getUserById", title="zebra", session="s")
        project.refer("cow")
        project.save("dog")
        asked = project.search.rarities(["zebra", "user", "note"])
        assert asked == pytest.approx([rarity(2, 3), rarity(1, 3), rarity(3, 3)])

    def test_rarities_agree_with_the_model(self, project: ProjectFixture) -> None:
        """Words are split otherwise than the index splits them, or some text raises."""

        @bounded(10)
        @given(stories(8), st.lists(st.one_of(phrases(2), any_text()), max_size=6))
        def agrees(story: Story, words: list[str]) -> None:
            tested = project.fresh()
            model = tested.in_memory()
            story.replay(tested)
            story.replay(model)
            assert tested.search.rarities(words) == pytest.approx(model.search.rarities(words), rel=1e-9)

        agrees()
