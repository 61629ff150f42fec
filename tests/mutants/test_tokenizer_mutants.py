"""Each broken tokenizer is noticed by the clauses that name its fault, and by no others that are asked."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from attrs import field, frozen

from lamella.ports.tokenizer import Tokenizer
from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer
from lamella_contracts import TokenizerContract
from tests.mutants.faults import noticing


class CountsMarks(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text) + 2


class RoundsDown(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return len(text) // 4


class CountsBytes(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text.encode().decode())


class RefusesSpecialTokens(Chars4Tokenizer):
    def count(self, text: str) -> int:
        if "<|endoftext|>" in text:
            raise ValueError("special token")
        return super().count(text)


class Estimates(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text) * 1.0  # type: ignore[return-value]


@frozen
class CountsCalls(Chars4Tokenizer):
    calls: Iterator[int] = field(factory=count)

    def count(self, text: str) -> int:
        return super().count(text) + (next(self.calls) if text else 0)


class CutsLongTexts(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text[:2_048])


MUTANTS = (
    (CountsMarks, {"the_empty_text_counts_nothing"}),
    (RoundsDown, {"any_other_text_counts_something", "no_text_raises"}),
    (CountsBytes, {"no_text_raises", "any_other_text_counts_something", "a_count_is_a_whole_number"}),
    (RefusesSpecialTokens, {"no_text_raises"}),
    (Estimates, {"a_count_is_a_whole_number"}),
    (CountsCalls, {"equal_texts_count_the_same", "threads_count_the_same"}),
    (CutsLongTexts, {"much_more_text_counts_more"}),
)


@pytest.mark.parametrize(("mutant", "trips"), MUTANTS, ids=[mutant.__name__ for mutant, _ in MUTANTS])
def test_a_fault_is_noticed_by_the_clauses_that_name_it(
    mutant: type[Tokenizer], trips: set[str], tmp_path: Path
) -> None:
    contract = type("Tested", (TokenizerContract,), {"make_tokenizer": lambda _: mutant()})()
    assert noticing(mutant.__name__, trips, [contract], tmp_path) == trips


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert set(TokenizerContract.clauses()) == {id for _, trips in MUTANTS for id in trips}
