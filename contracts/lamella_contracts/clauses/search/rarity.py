"""Clauses on the rarity of words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_contracts.fixtures.project import Notebook
from lamella_contracts.fixtures.strategies import (
    Story,
    any_text,
    bounded,
    phrases,
    stories,
)


def rarity(holders: int, rows: int) -> float:
    """Return the rarity of a word that `holders` of `rows` observations contain."""
    return math.log(1 + (rows - holders + 0.5) / (holders + 0.5))


class RarityClauses:
    """Rarity is computed from the live observations of the project."""

    def test_rarities_are_those_of_the_words(self, notebook: Notebook) -> None:
        """The formula is that of the ranking, or another's; or occurrences are counted instead of observations."""
        for content in ("zebra zebra zebra", "zebra horse", "horses", "cow", "dog"):
            notebook.save(content)
        asked = notebook.search.rarities(["cow", "zebra", "Horse", "cow"])
        assert asked == pytest.approx([rarity(1, 5), rarity(2, 5), rarity(2, 5), rarity(1, 5)])

    def test_a_word_that_all_have_is_not_negative(self, notebook: Notebook) -> None:
        """The formula goes below 0, or to 0, for words that more than half have."""
        for number in range(3):
            notebook.save(f"zebra {number}")
        assert notebook.search.rarities(["zebra"]) == pytest.approx([rarity(3, 3)])

    def test_every_column_counts_for_rarity(self, notebook: Notebook) -> None:
        """Words are counted in the content alone: not in titles, parts of identifiers, context or heading."""
        notebook.save("getUserById", title="zebra", session="s")
        notebook.save("cow", session="s")
        notebook.save("dog")
        asked = notebook.search.rarities(["zebra", "user", "note"])
        assert asked == pytest.approx([rarity(2, 3), rarity(1, 3), rarity(3, 3)])

    def test_a_split_word_is_as_rare_as_its_rarest_part(self, notebook: Notebook) -> None:
        """A word that the index splits is looked for as a phrase, or is as common as its commonest part."""
        for content in ("zebra horse", "zebra cow", "dog"):
            notebook.save(content)
        asked = notebook.search.rarities(["zebra-horse", "zebra/unicorn", "horse zebra"])
        assert asked == pytest.approx([rarity(1, 3), rarity(2, 3), rarity(1, 3)])

    def test_what_is_nowhere_has_no_rarity(self, notebook: Notebook) -> None:
        """An unknown word is the rarest of all, or text without a word is an error."""
        assert notebook.search.rarities(["zebra", ""]) == (0.0, 0.0)
        notebook.save("zebra")
        assert notebook.search.rarities(["unicorn", "", "...", '"', "\ud800"]) == (0.0,) * 5
        assert notebook.search.rarities([]) == ()

    def test_rarities_are_of_live_ones(self, notebook: Notebook) -> None:
        """Purged observations, or those of other projects, are counted in how rare a word is."""
        for content in ("zebra", "cow"):
            notebook.save(content)
        notebook.purge(notebook.save("zebra crossing"))
        notebook.elsewhere("there").save("zebra there")
        assert notebook.search.rarities(["zebra", "crossing"]) == pytest.approx([rarity(1, 2), 0.0])

    def test_rarities_agree_with_the_model(self, notebook: Notebook) -> None:
        """Words are split otherwise than the index splits them, or some text raises."""

        @bounded(30)
        @given(stories(8), st.lists(st.one_of(phrases(2), any_text()), max_size=6))
        def agrees(story: Story, words: list[str]) -> None:
            tested = notebook.blank()
            model = tested.model()
            story.tell(tested)
            story.tell(model)
            assert tested.search.rarities(words) == pytest.approx(model.search.rarities(words), rel=1e-9)

        agrees()
