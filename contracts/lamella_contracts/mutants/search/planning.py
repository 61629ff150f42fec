"""Faults in the words that are looked for."""

from collections.abc import Sequence

from lamella_adapters.fts5 import near_words, plan
from lamella_contracts.mutants.broken_storage import Mutant, finding_with

_NEAR_TERMS = near_words.near_terms


def _near_others(token: str, candidates: Sequence[str]) -> tuple[str, ...]:
    return _NEAR_TERMS(token, [each for each in candidates if each != token])


MUTANTS = (
    Mutant(
        fault="near words are looked for beside known ones",
        search=finding_with(plan, _held=lambda *_: False, near_terms=_near_others),
        trips={
            "a_known_word_is_not_replaced",
            "a_word_of_the_same_meaning_stands_in_for_an_unknown_one",
            "long_words_are_told_apart",
            "the_words_that_tell_most_are_looked_for",
        },
    ),
    Mutant(
        fault="words of the same meaning are not known",
        search=finding_with(plan, synonyms=lambda *_: ()),
        trips={"a_word_of_the_same_meaning_stands_in_for_an_unknown_one"},
    ),
    Mutant(
        fault="dates have near words",
        search=finding_with(plan, is_date_word=lambda _: False),
        trips={"nothing_stands_in_for_dates_and_short_words"},
    ),
    Mutant(
        fault="compounds are no near words",
        search=finding_with(plan, compounds=lambda *_: ()),
        trips={"a_compound_stands_in_for_its_first_part"},
    ),
)
