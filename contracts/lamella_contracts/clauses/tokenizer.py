"""Clauses on counting tokens."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from lamella.ports.tokenizer import Tokenizer
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.clauses.storage.hostile_text import HOSTILE
from lamella_contracts.fixtures.strategies import any_text, bounded

ODD = (" ", "\n", "\t", "\x00", "\u200b", "\ufeff", "\u0301", "\ud800", "\udfff", "\U000e0041", "\u2028")


def each_text(check: Callable[[str], None]) -> None:
    """Run `check` on odd single characters, hostile texts and texts drawn by Hypothesis."""
    for text in (*ODD, *HOSTILE):
        check(text)
    bounded(100)(given(st.one_of(any_text(), st.characters()).filter(bool))(check))()


class TokenizerClauses:
    """A count is a whole number, and equal texts have equal counts."""

    def test_the_empty_text_counts_nothing(self, tokenizer: Tokenizer) -> None:
        """Fails if the model's start and end tokens are counted, or if every text counts at least 1."""
        assert tokenizer.count("") == 0

    def test_any_other_text_counts_something(self, tokenizer: Tokenizer) -> None:
        """Fails if a short, blank or invisible text is rounded down to 0."""

        def counts_something(text: str) -> None:
            assert tokenizer.count(text) >= 1

        each_text(counts_something)

    def test_no_text_raises(self, tokenizer: Tokenizer) -> None:
        """Fails if counting raises for some text: lone surrogates, a special token, or a very long text."""
        special = ("<|endoftext|>", "<s>", "[CLS]", "a" * 200_000, "\ud800" * 1_000, "\U0001f468\u200d" * 5_000)
        assert [tokenizer.count(text) > 0 for text in (*ODD, *HOSTILE, *special)] == [True] * (
            len(ODD) + len(HOSTILE) + len(special)
        )

    def test_a_count_is_a_whole_number(self, tokenizer: Tokenizer) -> None:
        """Fails if an estimate is returned as a float."""

        def is_whole(text: str) -> None:
            assert type(tokenizer.count(text)) is int

        each_text(is_whole)

    def test_threads_count_the_same(self, tokenizer: Tokenizer) -> None:
        """Fails if concurrent calls get wrong counts, because they share state of the tokenizer without a lock."""
        texts = [f"{text} {number}" for number in range(20) for text in HOSTILE]
        alone = [tokenizer.count(text) for text in texts]
        assert at_once([lambda: [tokenizer.count(text) for text in texts]] * THREADS) == [alone] * THREADS

    def test_much_more_text_counts_more(self, tokenizer: Tokenizer) -> None:
        """Fails if a long text is truncated before it is counted, as models' own tokenizers do by default."""
        counts = [tokenizer.count("Some words of a text. " * times) for times in (1, 100, 10_000)]
        assert counts == sorted(set(counts))
