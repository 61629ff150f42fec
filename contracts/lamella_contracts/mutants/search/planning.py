"""Faults in the choice of search words."""

from collections.abc import Sequence

from lamella_adapters.fts5 import near_words, plan
from lamella_contracts.mutants.broken_storage import finding_with, storage_mutants

MUTANTS = storage_mutants()

_NEAR_TERMS = near_words.near_terms


def _near_others(token: str, candidates: Sequence[str]) -> tuple[str, ...]:
    return _NEAR_TERMS(token, [each for each in candidates if each != token])


MUTANTS.add(
    "known words are expanded with near ones",
    "a_known_word_is_not_replaced",
    "long_words_are_told_apart",
    "the_words_that_tell_most_are_looked_for",
)(finding_with(plan, _held=lambda *_: False, near_terms=_near_others))
MUTANTS.add("synonyms are ignored", "a_word_of_the_same_meaning_stands_in_for_an_unknown_one")(
    finding_with(plan, synonyms=lambda *_: ())
)
MUTANTS.add("dates are expanded with near words", "nothing_stands_in_for_dates_and_short_words")(
    finding_with(plan, is_date_word=lambda _: False)
)
MUTANTS.add("compounds are not expanded", "a_compound_stands_in_for_its_first_part")(
    finding_with(plan, compounds=lambda *_: ())
)
