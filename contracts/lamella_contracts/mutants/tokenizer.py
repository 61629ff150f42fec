"""Faults in counting tokens."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count

from attrs import field, frozen

from lamella.ports.tokenizer import Tokenizer
from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer
from lamella_contracts.mutants.fault import Fault


class CountsMarks(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text) + 2


class CountsBytes(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text.encode().decode())


@frozen
class CountsCalls(Chars4Tokenizer):
    calls: Iterator[int] = field(factory=count)

    def count(self, text: str) -> int:
        return super().count(text) + (next(self.calls) if text else 0)


class CutsLongTexts(Chars4Tokenizer):
    def count(self, text: str) -> int:
        return super().count(text[:2_048])


@frozen(kw_only=True)
class TokenizerMutant(Fault):
    """A fault in a tokenizer."""

    tokenizer: Callable[[], Tokenizer]

    def opening(self) -> Mapping[str, Callable[..., object]]:
        return {"make_tokenizer": lambda _: self.tokenizer()}


MUTANTS = (
    TokenizerMutant(fault="counts marks", tokenizer=CountsMarks, trips={"the_empty_text_counts_nothing"}),
    TokenizerMutant(
        fault="counts bytes",
        tokenizer=CountsBytes,
        trips={"no_text_raises", "any_other_text_counts_something", "a_count_is_a_whole_number"},
    ),
    TokenizerMutant(fault="counts calls", tokenizer=CountsCalls, trips={"threads_count_the_same"}),
    TokenizerMutant(fault="cuts long texts", tokenizer=CutsLongTexts, trips={"much_more_text_counts_more"}),
)
