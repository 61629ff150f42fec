"""Faults in counting tokens."""

from collections.abc import Iterator
from itertools import count

from attrs import field, frozen

from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer
from lamella_contracts.mutants.mutant import Mutants

MUTANTS = Mutants(lambda tokenizer: {"make_tokenizer": lambda _: tokenizer()})


@MUTANTS.add("special tokens are counted")
class CountsMarks(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text) + 2


@MUTANTS.add("lone surrogates fail")
class CountsBytes(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text.encode().decode())


@MUTANTS.add("counts depend on earlier calls")
@frozen
class CountsCalls(Chars4Tokenizer):
    calls: Iterator[int] = field(factory=count)

    def count(self, text: str) -> int:
        return super().count(text) + (next(self.calls) if text else 0)


@MUTANTS.add("long texts are truncated")
class CutsLongTexts(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text[:2_048])
