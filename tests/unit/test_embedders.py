"""What the embedders read, and what becomes of settings and models that can't be used."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from lamella.domain.errors import EmbedderUnavailableError, InvalidVectorError
from lamella.domain.vectors import Vector
from lamella_adapters.embedders import open_onnx, open_static
from lamella_adapters.embedders.static import StaticEmbedder
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

OTHER_MODEL = "Fetch it again, or choose another sentence transformer that was exported to ONNX."
INSTALL_VECTORS = (
    "The word vectors that LAMELLA_EMBEDDER=static needs can't be read. "
    "Install them again with: pip install --force-reinstall --no-deps wordllama"
)
NO_FOLDER = (
    "LAMELLA_EMBEDDER names no folder that exists. "
    "Set it to onnx:FOLDER, a folder with model.onnx and tokenizer.json, or to onnx:ORGANISATION/NAME."
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


def average(*words: str) -> Vector:
    """The vector of words by hand: the mean of their rows and those of the marks, turned."""
    rows = [TABLE[VOCABULARY[word]] for word in ("[CLS]", *words, "[SEP]")]
    return Vector.of((np.mean(rows, axis=0) @ TURN).tolist())


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


def without(find: Callable[[Path], Path]) -> Callable[[Path], None]:
    return lambda folder: find(folder).unlink()


def with_text(find: Callable[[Path], Path], text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        find(folder).write_text(text, encoding="utf-8")

    return write


def cut(find: Callable[[Path], Path], size: int) -> Callable[[Path], None]:
    def truncate(folder: Path) -> None:
        with find(folder).open("r+b") as file:
            file.truncate(size)

    return truncate


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
    for module in ("files", "static", "onnx"):
        monkeypatch.delitem(sys.modules, f"lamella_adapters.embedders.{module}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbedderUnavailableError) as refused:
        open_it(f"onnx:{model}")
    assert str(refused.value) == (
        f"The embedder of LAMELLA_EMBEDDER needs {package}, which can't be imported. "
        f'Install it with: pip install "lamella[{extra}]"'
    )


def test_only_what_is_chosen_is_imported(model: Path) -> None:
    heavy = "{'numpy', 'tokenizers', 'onnxruntime', 'huggingface_hub', 'wordllama'}"
    start = "import sys; from lamella_adapters.embedders import open_static, open_onnx"
    print_them = f"print(*sorted({heavy} & sys.modules.keys()))"
    assert run_python(f"{start}; {print_them}").split() == []
    assert run_python(f"{start}; open_static('static'); {print_them}").split() == ["numpy", "tokenizers"]
    of_onnx = run_python(f"{start}; open_onnx({f'onnx:{model}'!r}); {print_them}").split()
    assert of_onnx == ["numpy", "onnxruntime", "tokenizers"]


def test_an_onnx_vector_is_the_mean_of_its_tokens(model: Path) -> None:
    embedder = open_onnx(f"onnx:{model}")
    assert embedder.embed(["The kitchen, yellow"]) == (average("the", "kitchen", "[UNK]", "yellow"),)
    assert embedder.embed_query("kitchen", lambda words: [0.0] * len(words)) == average("kitchen")


def test_an_onnx_vector_may_be_that_of_the_first_token(model: Path) -> None:
    (model / "1_Pooling").mkdir()
    pooling = {
        "word_embedding_dimension": WIDTH,
        "pooling_mode_cls_token": True,
        "pooling_mode_mean_tokens": False,
    }
    (model / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    first = Vector.of((TABLE[VOCABULARY["[CLS]"]] @ TURN).tolist())
    assert open_onnx(f"onnx:{model}").embed(["kitchen"]) == (first,)


def test_an_output_that_is_pooled_already_is_taken(model: Path) -> None:
    write_graph(model / "model.onnx", outputs=("last_hidden_state", "sentence_embedding"))
    assert open_onnx(f"onnx:{model}").embed(["kitchen"]) == (average("kitchen"),)


def test_a_model_gets_the_inputs_that_it_wants(model: Path) -> None:
    for inputs in (
        ("input_ids",),
        ("input_ids", "token_type_ids"),
        ("attention_mask", "token_type_ids", "input_ids"),
    ):
        write_graph(model / "model.onnx", inputs=inputs)
        assert open_onnx(f"onnx:{model}").embed(["kitchen"]) == (average("kitchen"),)


def test_a_graph_may_be_in_a_folder_of_its_own(model: Path) -> None:
    (model / "onnx").mkdir()
    (model / "model.onnx").rename(model / "onnx" / "model.onnx")
    assert open_onnx(f"onnx:{model}").embed(["kitchen"]) == (average("kitchen"),)


def test_a_text_of_nothing_that_the_tokenizer_keeps_has_no_vector(model: Path) -> None:
    assert open_onnx(f"onnx:{model}").embed(["\x00\x01"]) == (None,)


def test_a_long_text_is_cut_where_the_model_says(model: Path) -> None:
    (model / "sentence_bert_config.json").write_text('{"max_seq_length": 4, "do_lower_case": false}')
    assert open_onnx(f"onnx:{model}").embed(["kitchen walls yellow"]) == (average("kitchen", "walls"),)


def test_a_long_text_is_cut_where_the_tokenizer_says(model: Path) -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.enable_truncation(3)
    tokenizer.enable_padding(length=10)
    tokenizer.save(str(model / "tokenizer.json"))
    assert open_onnx(f"onnx:{model}").embed(["kitchen walls yellow"]) == (average("kitchen"),)


def test_a_long_text_is_cut_at_512_tokens_otherwise(model: Path) -> None:
    embedder = open_onnx(f"onnx:{model}")
    assert embedder.embed(["kitchen " * 600]) == (average(*["kitchen"] * 510),)


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


@pytest.mark.parametrize(
    "setting",
    ["onnx", "onnx:", "onnx: ", "onnx:nowhere", "onnx:./no/where", "onnx:/no/where", "onnx:~nobody-here/x"],
)
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


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (without(file_of("model.onnx")), "has no file model.onnx or onnx/model.onnx"),
        (without(file_of("tokenizer.json")), "has no file tokenizer.json"),
        (cut(file_of("model.onnx"), 5_000), "has a file model.onnx that can't be loaded"),
        (cut(file_of("model.onnx"), 0), "has a file model.onnx that can't be loaded"),
        (
            with_text(file_of("model.onnx"), "version https://git-lfs"),
            "has a file model.onnx that can't be loaded",
        ),
        (cut(file_of("tokenizer.json"), 100), "has a file tokenizer.json that can't be read"),
        (with_text(file_of("tokenizer.json"), "[]"), "has a file tokenizer.json that can't be read"),
        (
            with_text(file_of("sentence_bert_config.json"), "[1]"),
            "has a file sentence_bert_config.json that can't be read",
        ),
        (
            with_text(file_of("sentence_bert_config.json"), '{"max_seq_length": "long"}'),
            "has a file sentence_bert_config.json that can't be read",
        ),
        (
            with_text(file_of("sentence_bert_config.json"), '{"max_seq_length": 1}'),
            "has a file sentence_bert_config.json that can't be read",
        ),
        (with_text(file_of(POOLING), "{"), f"has a file {POOLING} that can't be read"),
        (
            with_text(file_of(POOLING), '{"pooling_mode_max_tokens": true}'),
            "pools its tokens in a way that isn't supported (max_tokens)",
        ),
        (
            with_text(file_of("modules.json"), '[{"type": "sentence_transformers.models.Dense"}]'),
            "has a part of a kind that isn't supported (Dense)",
        ),
        (with_text(file_of("modules.json"), "[7]"), "has a part of a kind that isn't supported (7)"),
        (with_graph(inputs=("input_ids", "pixels")), "wants other inputs than the tokens of a text"),
        (with_graph(outputs=("sizes",)), "makes something else than vectors of a text or of its tokens"),
        (with_graph(table=TABLE[:, :0]), "has a file model.onnx that can't be loaded"),
    ],
)
def test_an_onnx_model_that_is_not_whole_is_refused(
    damage: Callable[[Path], None], what: str, model: Path
) -> None:
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
