"""The embedders keep the contract."""

from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest

from lamella.ports.embedder import Embedder
from lamella_adapters.embedders import open_onnx
from lamella_contracts import EmbedderContract
from tests.contract.tiny_model import write_model
from tests.minilm import minilm


@cache
def two() -> Iterator[Embedder]:
    """Take turns with two embedders that know MiniLM: to open one for each clause takes as long as to use it."""
    return cycle([open_onnx(f"onnx:{minilm()}"), open_onnx(f"onnx:{minilm()}")])


class TestMiniLM(EmbedderContract):
    def make_embedder(self) -> Embedder:
        return next(two())


class TestOnnxEmbedder(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _model(self, tmp_path: Path) -> None:
        self.folder = write_model(tmp_path / "model")

    def make_embedder(self) -> Embedder:
        return open_onnx(f"onnx:{self.folder}")


class TestOnnxEmbedderOf8Bits(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _model(self, tmp_path: Path) -> None:
        self.folder = write_model(tmp_path / "model", eight_bits=True)

    def make_embedder(self) -> Embedder:
        return open_onnx(f"onnx:{self.folder}")
