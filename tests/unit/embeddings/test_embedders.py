"""Files that embedders read, and settings and models that can't be used."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from lamella.domain.embeddings.vector import Vector
from lamella.domain.errors import EmbedderUnavailableError
from lamella_adapters.embedders import STATIC_PACKAGES, installed_embedder, open_onnx, open_static
from lamella_adapters.embedders.static import StaticEmbedder
from tests.contract.tiny_model import write_model
from tests.unit.adapters.sqlite.damage import cut, with_text, without

INSTALL_VECTORS = (
    "The word vectors that LAMELLA_EMBEDDER=static needs can't be read. "
    "Install them again with: pip install --force-reinstall --no-deps wordllama"
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that works."""
    return write_model(tmp_path / "model")


@pytest.fixture(scope="module")
def vectors() -> Path:
    """The folder of the installed word vectors."""
    spec = find_spec("wordllama")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@pytest.fixture
def copy(vectors: Path, tmp_path: Path) -> Path:
    """A folder with the two files of the word vectors."""
    for name in ("weights", "tokenizers"):
        shutil.copytree(vectors / name, tmp_path / name)
    return tmp_path


def weights_of(folder: Path) -> Path:
    return folder / "weights" / "l2_supercat_256.safetensors"


def tokenizer_of(folder: Path) -> Path:
    return folder / "tokenizers" / "l2_supercat_tokenizer_config.json"


def run_python(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_a_static_vector_is_the_sum_of_its_words_vectors(vectors: Path) -> None:
    header = 96
    table = np.fromfile(weights_of(vectors), "<f2", offset=header).reshape(32_000, 256).astype(float)
    tokenizer = Tokenizer.from_file(str(tokenizer_of(vectors)))
    (hello,), (world,) = (tokenizer.encode(word, add_special_tokens=False).ids for word in ("hello", "world"))
    embedder = open_static("static")
    assert embedder.embed(["hello world world"]) == (Vector.of((table[hello] + 2 * table[world]).tolist()),)
    assert embedder.embed_query("hello world", lambda _: [0.5, 3.0]) == Vector.of(
        (0.5 * table[hello] + 3 * table[world]).tolist()
    )
    assert embedder.embed_query("hello world", lambda _: [0, 0]) == embedder.embed(["hello world"])[0]


def test_the_one_that_needs_no_set_up_is_static_where_its_packages_are_installed() -> None:
    assert installed_embedder() == "static"


@pytest.mark.parametrize("package", STATIC_PACKAGES)
def test_without_one_of_its_packages_there_is_none(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert installed_embedder() is None


@pytest.mark.parametrize("package", STATIC_PACKAGES)
def test_a_folder_that_is_called_like_a_package_is_none(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / package).mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    for each in STATIC_PACKAGES:
        monkeypatch.delitem(sys.modules, each, raising=False)
    assert installed_embedder() is None


def test_its_packages_are_of_the_extra_and_finding_them_imports_none() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    extra = {re.split("[^a-z-]", each)[0] for each in project["optional-dependencies"]["semantic"]}
    assert set(STATIC_PACKAGES) <= extra
    found = "import sys; from lamella_adapters.embedders import installed_embedder; print(installed_embedder())"
    assert run_python(f"{found}; print({set(STATIC_PACKAGES)!r} & set(sys.modules))") == "static\nset()\n"


def test_the_words_of_a_question_are_what_white_space_separates() -> None:
    asked: list[str] = []

    def rarities(words: Sequence[str]) -> list[float]:
        asked.extend(words)
        return [1.0] * len(words)

    open_static("static").embed_query(" Why\tsrc/auth.py,\n why? ", rarities)
    assert asked == ["Why", "src/auth.py,", "why?"]


def test_other_static_vectors_are_another_model(copy: Path, vectors: Path) -> None:
    assert StaticEmbedder(copy).model == StaticEmbedder(vectors).model
    with weights_of(copy).open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"\x00")
    changed = StaticEmbedder(copy).model
    assert changed != StaticEmbedder(vectors).model
    assert changed.dimension == 256
    assert changed.name.startswith("wordllama-l2-supercat-256-")


def with_header(**tensor: object) -> Callable[[Path], None]:
    """Describes the tensor otherwise, in as many bytes as before."""

    def write(folder: Path) -> None:
        said = {"dtype": "F16", "shape": [32_000, 256], "data_offsets": [0, 16_384_000]} | tensor
        header = json.dumps({"embedding.weight": said}, separators=(",", ":")).encode().ljust(88)
        with weights_of(folder).open("r+b") as file:
            file.seek(8)
            file.write(header)

    return write


@pytest.mark.parametrize(
    "damage",
    [
        without(weights_of),
        without(tokenizer_of),
        cut(weights_of, 10_000_000),
        cut(weights_of, 50),
        cut(weights_of, 0),
        with_text(weights_of, "version https://git-lfs.github.com/spec/v1"),
        cut(tokenizer_of, 1_000),
        with_text(tokenizer_of, "{}"),
        with_header(dtype="F32"),
        with_header(shape=[32_000, 128]),
        with_header(shape=[16_000, 512]),
        with_header(shape=7),
        with_header(shape=[8_192_000]),
    ],
)
def test_static_vectors_that_are_not_whole_are_refused(damage: Callable[[Path], None], copy: Path) -> None:
    damage(copy)
    with pytest.raises(EmbedderUnavailableError) as refused:
        StaticEmbedder(copy)
    assert str(refused.value) == INSTALL_VECTORS


@pytest.mark.parametrize(
    ("open_it", "package", "extra"),
    [
        (open_static, "numpy", "semantic"),
        (open_static, "tokenizers", "semantic"),
        (open_static, "wordllama", "semantic"),
        (open_onnx, "numpy", "onnx"),
        (open_onnx, "tokenizers", "onnx"),
        (open_onnx, "onnxruntime", "onnx"),
    ],
)
def test_a_missing_package_names_the_command_that_brings_it(
    open_it: Callable[[str], object], package: str, extra: str, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("model_files", "static", "onnx"):
        monkeypatch.delitem(sys.modules, f"lamella_adapters.embedders.{module}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbedderUnavailableError) as refused:
        open_it(f"onnx:{model}")
    assert str(refused.value) == (
        f"The embedder of LAMELLA_EMBEDDER needs {package}, which can't be imported. "
        f"Install lamella again with its extra {extra}, as its README shows."
    )


def test_only_what_is_chosen_is_imported(model: Path) -> None:
    heavy = "{'numpy', 'tokenizers', 'onnxruntime', 'huggingface_hub', 'wordllama'}"
    start = "import sys; from lamella_adapters.embedders import open_static, open_onnx"
    print_them = f"print(*sorted({heavy} & sys.modules.keys()))"
    steps = (start, print_them, "open_static('static')", print_them, f"open_onnx({f'onnx:{model}'!r})", print_them)
    assert run_python("; ".join(steps)) == "\nnumpy tokenizers\nnumpy onnxruntime tokenizers\n"
