"""Settings and models that can't be used, and the model that is installed."""

import sys
from pathlib import Path

import pytest

from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella_adapters.embedders import PACKAGES, installed_embedder, open_onnx
from lamella_adapters.embedders.minilm import PACKAGE, own_folder
from tests.contract.tiny_model import write_model


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that works."""
    return write_model(tmp_path / "model")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with a model."""
    write_model(own_folder(tmp_path / "data"))
    return tmp_path / "data"


def test_the_default_embedder_is_the_fetched_model_or_the_one_of_the_package(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert installed_embedder(data) == f"onnx:{own_folder(data)}"
    assert installed_embedder(tmp_path) is None
    package = tmp_path / PACKAGE
    package.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert installed_embedder(tmp_path) is None, "a folder that is called like the package is none"
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert installed_embedder(tmp_path) == f"onnx:{package}"
    assert installed_embedder(data) == f"onnx:{own_folder(data)}"


@pytest.mark.parametrize("package", PACKAGES)
def test_without_one_of_its_packages_there_is_none(
    package: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert installed_embedder(data) is None


@pytest.mark.parametrize("package", PACKAGES)
def test_a_folder_that_is_called_like_a_package_is_none(
    package: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / package).mkdir()
    monkeypatch.setattr(sys, "path", [str(data)])
    for each in PACKAGES:
        monkeypatch.delitem(sys.modules, each, raising=False)
    assert installed_embedder(data) is None


@pytest.mark.parametrize("package", PACKAGES)
def test_a_missing_package_names_the_command_that_brings_it(
    package: str, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("model_files", "onnx"):
        monkeypatch.delitem(sys.modules, f"lamella_adapters.embedders.{module}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbedderUnavailableError) as refused:
        open_onnx(f"onnx:{model}")
    assert str(refused.value) == (
        f"The embedder of LAMELLA_EMBEDDER needs {package}, which can't be imported. "
        "Install lamella again with the extra `semantic`, as docs/meaning.md shows."
    )


def test_other_weights_beside_a_graph_are_another_model(model: Path) -> None:
    before = open_onnx(f"onnx:{model}").model
    (model / "model.safetensors").write_bytes(b"weights")
    assert open_onnx(f"onnx:{model}").model != before
