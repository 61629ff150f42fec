"""The tokenizers keep the contract."""

from lamella.ports.tokenizer import Tokenizer
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer
from lamella_contracts import TokenizerContract


class TestClassTokenizer(TokenizerContract):
    def make_tokenizer(self) -> Tokenizer:
        return ClassTokenizer()


class TestChars4Tokenizer(TokenizerContract):
    def make_tokenizer(self) -> Tokenizer:
        return Chars4Tokenizer()
