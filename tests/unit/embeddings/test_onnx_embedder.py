"""Sentence transformers, and folders that can't be used as one."""

import json  # noqa: F401 - for the table
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from lamella.domain.embeddings.errors import EmbedderUnavailableError, InvalidVectorError
from lamella.domain.embeddings.vector import Vector
from lamella_adapters.embedders import open_onnx
from tests.contract.tiny_model import (
    TABLE,
    TURN,
    UNKNOWN,
    VOCABULARY,
    WIDTH,
    tiny_tokenizer,
    write_graph,
    write_model,
)
from tests.unit.adapters.sqlite.damage import cut, with_text, without  # noqa: F401 - for the table
from tests.unit.support.tables import cases

OTHER_MODEL = "Fetch it again, or choose another sentence transformer that was exported to ONNX."
NO_FOLDER = (
    "LAMELLA_EMBEDDER names a folder that does not exist. "
    "Set it to onnx:FOLDER, a folder with model.onnx and tokenizer.json, or to onnx:ORGANISATION/NAME."
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that works."""
    return write_model(tmp_path / "model")


def average(*words: str) -> Vector:
    """The vector of words by hand: the mean of their rows and those of the marks, turned."""
    rows = [TABLE[VOCABULARY[word]] for word in ("[CLS]", *words, "[SEP]")]
    return Vector.of((np.mean(rows, axis=0) @ TURN).tolist())


def test_an_onnx_vector_is_the_mean_of_its_tokens(model: Path) -> None:
    embedder = open_onnx(f"onnx:{model}")
    assert embedder.embed(["The kitchen, yellow"]) == (average("the", "kitchen", "[UNK]", "yellow"),)
    assert embedder.embed_query("kitchen") == average("kitchen")


def test_a_graph_may_be_in_a_folder_of_its_own(model: Path) -> None:
    (model / "onnx").mkdir()
    (model / "model.onnx").rename(model / "onnx" / "model.onnx")
    assert open_onnx(f"onnx:{model}").embed(["kitchen"]) == (average("kitchen"),)


def test_a_long_text_is_cut_where_the_tokenizer_says(model: Path) -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.enable_truncation(3)
    tokenizer.enable_padding(length=10)
    tokenizer.save(str(model / "tokenizer.json"))
    assert open_onnx(f"onnx:{model}").embed(["kitchen walls yellow"]) == (average("kitchen"),)


def test_the_name_of_an_onnx_model_is_that_of_its_files(model: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(model, tmp_path / "elsewhere")
    names = [open_onnx(f"onnx:{folder}").model.name for folder in (model, moved)]
    (moved / "sentence_bert_config.json").write_text('{"max_seq_length": 4}')
    names.append(open_onnx(f"onnx:{moved}").model.name)
    write_graph(moved / "model.onnx", table=-TABLE)
    names.append(open_onnx(f"onnx:{moved}").model.name)
    (moved / "model.onnx_data").write_bytes(b"weights")
    names.append(open_onnx(f"onnx:{moved}").model.name)
    assert names[0] == names[1]
    assert len(set(names)) == 4
    assert all(name.startswith(f"onnx-{WIDTH}-") for name in names)


def test_a_relative_folder_is_found(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(model.parent)
    assert open_onnx("onnx:model").model == open_onnx(f"onnx:{model}").model


def test_a_folder_in_the_users_home_is_found(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(model.parent))
    assert open_onnx("onnx:~/model").model == open_onnx(f"onnx:{model}").model


@cases
def test_a_missing_folder_is_refused_without_asking_the_hub(setting: str) -> None:
    with pytest.raises(EmbedderUnavailableError) as refused:
        open_onnx(setting)
    assert str(refused.value) == NO_FOLDER


def file_of(name: str) -> Callable[[Path], Path]:
    def find(folder: Path) -> Path:
        (folder / name).parent.mkdir(exist_ok=True)
        return folder / name

    return find


def with_graph(**options: object) -> Callable[[Path], None]:
    return lambda folder: write_graph(folder / "model.onnx", **options)  # type: ignore[arg-type]


def with_large_vocabulary(folder: Path) -> None:
    Tokenizer(models.WordLevel({UNKNOWN: 1_000_000}, unk_token=UNKNOWN)).save(str(folder / "tokenizer.json"))


POOLING = "1_Pooling/config.json"


@cases
def test_a_text_has_the_vector_that_its_model_makes(
    change: Callable[[Path], object], text: str, vector: Vector | None, model: Path
) -> None:
    change(model)
    assert open_onnx(f"onnx:{model}").embed([text]) == (vector,)


@cases
def test_an_incomplete_onnx_model_is_refused(damage: Callable[[Path], None], what: str, model: Path) -> None:
    damage(model)
    with pytest.raises(EmbedderUnavailableError) as refused:
        open_onnx(f"onnx:{model}")
    assert str(refused.value) == f"The model of LAMELLA_EMBEDDER {what}. {OTHER_MODEL}"


def test_a_tokenizer_of_another_model_is_refused(model: Path) -> None:
    with_large_vocabulary(model)
    embedder = open_onnx(f"onnx:{model}")
    with pytest.raises(EmbedderUnavailableError) as refused:
        embedder.embed(["kitchen"])
    assert str(refused.value) == f"The model of LAMELLA_EMBEDDER fails on a text. {OTHER_MODEL}"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 0.0])
def test_a_model_that_makes_no_direction_is_noticed(number: float, model: Path) -> None:
    write_graph(model / "model.onnx", table=np.full_like(TABLE, number))
    embedder = open_onnx(f"onnx:{model}")
    with pytest.raises(InvalidVectorError) as refused:
        embedder.embed(["kitchen"])
    assert refused.value.dimension == WIDTH
