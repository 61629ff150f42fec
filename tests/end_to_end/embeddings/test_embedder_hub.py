"""Models of the hub, from a hub that this test plays; each program is a process, which reads where the hub is."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from attrs import define, field, frozen

from lamella_adapters.embedders import open_onnx
from tests.contract.tiny_model import write_model
from tests.unit.support.serving import serving
from tests.waiting import HANG_SECONDS

NAME = "someone/tiny-model"
COMMIT = "c0ffee" * 6 + "c0ff"

PROGRAM = """
import sys
from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella_adapters.embedders import open_onnx
for setting in sys.argv[1:]:
    try:
        embedder = open_onnx(setting)
    except EmbedderUnavailableError as error:
        print(error)
    else:
        print(embedder.model.name)
"""


@define
class Hub:
    """A hub with one model, which counts how often it is asked."""

    folder: Path
    asked: list[str] = field(factory=list)
    address: str = ""

    def answer(self, path: str) -> bytes | None:
        """The body of the answer, None where there is nothing."""
        self.asked.append(path)
        files = {str(file.relative_to(self.folder)): file for file in self.folder.rglob("*") if file.is_file()}
        if path == f"/api/models/{NAME}/revision/main":
            listed = [{"rfilename": name} for name in files]
            return json.dumps({"id": NAME, "sha": COMMIT, "siblings": listed}).encode()
        if path == f"/api/models/{NAME}/tree/{COMMIT}":
            tree = [
                {"type": "file", "path": name, "size": file.stat().st_size, "oid": f"{number:040}"}
                for number, (name, file) in enumerate(files.items())
            ]
            return json.dumps(tree).encode()
        name = path.removeprefix(f"/{NAME}/resolve/{COMMIT}/")
        return files[name].read_bytes() if name in files else None


@contextmanager
def listening(place: Path) -> Iterator[Hub]:
    """A hub that listens; what it publishes is at `place`."""
    folder = write_model(place)
    (folder / "pytorch_model.bin").write_bytes(b"not wanted")
    playing = Hub(folder)

    def answer(request: BaseHTTPRequestHandler) -> None:
        path = urlsplit(request.path).path
        body = playing.answer(path)
        request.send_response(404 if body is None else 200)
        request.send_header("Content-Length", str(len(body or b"")))
        request.send_header("Content-Type", "application/json" if path.startswith("/api/") else "application/x")
        request.send_header("ETag", f'"{abs(hash(path)):040x}"')
        request.send_header("X-Repo-Commit", COMMIT)
        request.end_headers()
        if request.command == "GET":
            request.wfile.write(body or b"")

    with serving(answer) as playing.address:
        yield playing


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """A hub that listens."""
    with listening(tmp_path / "published") as playing:
        yield playing


def opened(home: Path, address: str, *settings: str, before: str = "") -> list[str]:
    """Return the output of a process that opens these embedders: the model's name, or what is wrong."""
    environment = {
        "HOME": str(home),
        "HF_HOME": str(home / "hub"),
        "HF_ENDPOINT": address,
        "HF_HUB_ETAG_TIMEOUT": f"{HANG_SECONDS:.0f}",
        "HF_HUB_DOWNLOAD_TIMEOUT": f"{HANG_SECONDS:.0f}",
        "NO_PROXY": "*",
    }
    command = [sys.executable, "-c", before + PROGRAM, *settings]
    done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@frozen
class Fetched:
    """A home with the model in the cache of the hub's client."""

    home: Path
    model: str


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Fetched:
    home = tmp_path_factory.mktemp("first")
    with listening(tmp_path_factory.mktemp("published")) as hub:
        (model,) = opened(home, hub.address, f"onnx:{NAME}")
        fetched = {path.rpartition("/")[2] for path in hub.asked if "/resolve/" in path}
        assert fetched == {"model.onnx", "tokenizer.json"}
        assert model == open_onnx(f"onnx:{hub.folder}").model.name
    return Fetched(home, model)


@pytest.fixture
def fetched(first: Fetched, tmp_path: Path) -> Fetched:
    """A copy of it to damage."""
    shutil.copytree(first.home / "hub", tmp_path / "hub", symlinks=True)
    return Fetched(tmp_path, first.model)


@pytest.fixture
def nowhere() -> Iterator[str]:
    """An address at which nobody answers, nor can begin to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


def refusal(name: str) -> str:
    return (
        f"There is no folder {name}, and the hub has no model of that name. "
        "Check the name in LAMELLA_EMBEDDER and the network, or set it to onnx:FOLDER."
    )


def snapshot(fetched: Fetched) -> Path:
    """Return the folder of the fetched model."""
    return fetched.home / "hub" / "hub" / f"models--{NAME.replace('/', '--')}" / "snapshots" / COMMIT


def test_a_model_is_fetched_once_and_only_what_is_needed_of_it(fetched: Fetched, hub: Hub) -> None:
    assert opened(fetched.home, hub.address, f"onnx:{NAME}") == [fetched.model]
    assert hub.asked == []


@pytest.mark.parametrize("wanted_less", [False, True])
def test_what_is_missing_of_a_model_whose_fetching_was_broken_off_is_fetched(
    fetched: Fetched, hub: Hub, wanted_less: bool
) -> None:
    (snapshot(fetched) / "model.onnx").unlink()
    if wanted_less:
        shutil.rmtree(snapshot(fetched).parents[1] / "trees")
    assert opened(fetched.home, hub.address, f"onnx:{NAME}") == [fetched.model]


def test_without_the_hub_a_model_is_missing_and_an_incomplete_one_is_not_used(
    fetched: Fetched, nowhere: str
) -> None:
    (snapshot(fetched) / "tokenizer.json").unlink()
    broken_off = (
        f"Fetching {NAME} was interrupted, and can't be continued. "
        "Check the network, or set LAMELLA_EMBEDDER to onnx:FOLDER."
    )
    said = opened(fetched.home, nowhere, f"onnx:{NAME}", "onnx:someone/else")
    assert said == [broken_off, refusal("someone/else")]


def test_the_hub_is_asked_only_for_what_can_be_no_path(hub: Hub, tmp_path: Path) -> None:
    write_model(tmp_path / "mine/model")
    paths = [f"./{NAME}", f"~/{NAME}", f"/{NAME}", f"{NAME}/onnx", f"{NAME}/", "a.b", "mine/other"]
    asked = [f"onnx:{each}" for each in (*paths, "mine/model", "someone/else")]
    *refused, mine, missing = opened(tmp_path, hub.address, *asked)
    assert [each.partition(".")[0] for each in refused] == [
        "LAMELLA_EMBEDDER names a folder that does not exist"
    ] * len(paths)
    assert (mine.partition("-")[0], missing) == ("onnx", refusal("someone/else"))
    names = (NAME, "mine/", "a.b", "someone/else")
    assert {name for name in names for each in hub.asked if name in each} == {"someone/else"}


def test_without_the_client_of_the_hub_a_name_may_be_that_of_a_folder(hub: Hub, tmp_path: Path) -> None:
    write_model(tmp_path / "mine" / "model")
    without = "import sys; sys.modules['huggingface_hub'] = None\n"
    mine, asked = opened(tmp_path, hub.address, "onnx:mine/model", f"onnx:{NAME}", before=without)
    assert mine.startswith("onnx-")
    assert asked == (
        f"There is no folder {NAME}, and fetching a model of that name from the hub needs huggingface-hub, which "
        "can't be imported. Set LAMELLA_EMBEDDER to onnx:FOLDER, or install lamella again with the extra "
        "`semantic`."
    )
    assert hub.asked == []
