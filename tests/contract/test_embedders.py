"""The embedders keep the contract."""

from pathlib import Path

import pytest

from lamella.ports.embedder import Embedder
from lamella_adapters.embedders import open_onnx
from lamella_contracts import EmbedderContract
from tests.contract.tiny_model import write_model


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
