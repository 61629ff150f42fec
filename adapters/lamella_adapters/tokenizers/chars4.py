"""Tokenizer by the rule of thumb of four characters per token."""

from attrs import frozen

from lamella.ports.tokenizer import Tokenizer

CHARACTERS_PER_TOKEN = 4
"""Characters per token in English prose, by model vendors; `bench/tokens/measure.py` shows where it fails."""


@frozen
class Chars4Tokenizer(Tokenizer):
    """Tokenizer counting `ceil(characters / 4)`, with Unicode code points as characters.

    This rule is fair only for English prose. Compared to real tokenizers, it under-counts code by a fifth, logs
    and minified JSON by a third, and base64, hex, Chinese, Thai, Arabic and emoji by two thirds or more. Choose
    this tokenizer to compare lamella with other tools that use the rule.
    """

    def count(self, text: str) -> int:
        """Return a quarter of the characters of `text`, rounded up."""
        return -(-len(text) // CHARACTERS_PER_TOKEN)
