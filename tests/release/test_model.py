"""The model that has a package of its own keeps the contract; elsewhere small ones stand for it."""

from collections.abc import Iterator
from functools import cache
from itertools import cycle

from lamella.ports.embedder import Embedder
from lamella_adapters.embedders import open_onnx
from lamella_contracts import EmbedderContract
from tests.minilm import minilm


@cache
def two() -> Iterator[Embedder]:
    """Take turns with two embedders that know MiniLM: to open one for each clause takes as long as to use it."""
    return cycle([open_onnx(f"onnx:{minilm()}"), open_onnx(f"onnx:{minilm()}")])


class TestMiniLM(EmbedderContract):
    def make_embedder(self) -> Embedder:
        return next(two())
