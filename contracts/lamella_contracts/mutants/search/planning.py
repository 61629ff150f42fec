"""Faults in the words that are looked for."""

from collections.abc import Sequence

from lamella_adapters.fts5 import near_words, plan
from lamella_contracts.mutants.broken_storage import Mutant, finding_with
from lamella_contracts.mutants.search.matching import spanning

LONG = "the_words_that_tell_most_are_looked_for"
NEAR = "a_near_word_stands_in_for_an_unknown_one"
SAME = "a_word_of_the_same_meaning_stands_in_for_an_unknown_one"

_NEAR_TERMS = near_words.near_terms


def _near_others(token: str, candidates: Sequence[str]) -> tuple[str, ...]:
    return _NEAR_TERMS(token, [each for each in candidates if each != token])


MUTANTS = (
    Mutant(
        fault="unknown words are not replaced",
        search=finding_with(plan, near_terms=lambda *_: ()),
        trips={NEAR, "a_near_word_is_marked", "a_near_word_has_less_strength"},
    ),
    Mutant(
        fault="words of the same meaning are not known",
        search=finding_with(plan, synonyms=lambda *_: ()),
        trips={SAME},
    ),
    Mutant(
        fault="only the beginning of a word is near",
        search=finding_with(plan, parts=lambda _: ()),
        trips={NEAR},
    ),
    Mutant(
        fault="words with the same two letters at their beginning are near",
        search=finding_with(plan, neighbourhood=lambda token: [(token[:2], token[:2] + "\U0010ffff")]),
        trips={NEAR},
    ),
    Mutant(
        fault="near words are looked for beside known ones",
        search=finding_with(plan, _held=lambda *_: False, near_terms=_near_others),
        trips={"a_known_word_is_not_replaced", LONG},
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
    Mutant(
        fault="near words have no spans",
        search=spanning(lambda spans, content: () if content == "a zebra crossing" else spans),
        trips={"a_near_word_is_marked"},
    ),
    Mutant(
        fault="all words of a long question are looked for",
        search=finding_with(plan, MOST_WORDS=1_000),
        trips={LONG},
    ),
    Mutant(
        fault="words that nothing has are looked for",
        search=finding_with(plan, _worth=lambda _, told, __: told),
        trips={LONG},
    ),
    Mutant(
        fault="the first words of a long question are looked for",
        search=finding_with(plan, _worth=lambda *_: 0.0),
        trips={LONG},
    ),
)
