"""A team's server that answers with anything: its client raises an error for people, and ends."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from lamella.domain.errors import StorageError
from lamella_adapters.process.connection import Connection
from lamella_adapters.remote import server as remote
from lamella_adapters.remote.storage import open_storage

Answers = Callable[[], Iterator[bytes]]


@contextmanager
def answering(answers: Answers) -> Iterator[str]:
    """Run a server that answers each request with some pieces. Yield its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                self.wfile.writelines(answers())

        def log_message(self, format: str, *_: object) -> None:
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()
        thread.join()


def said(text: str) -> bytes:
    return json.dumps({"result": {"content": [{"text": text}]}}).encode()


def endless() -> Iterator[bytes]:
    while True:
        yield b" " * 10_000


@pytest.mark.parametrize(
    "answer",
    [
        *(b"", b"[1]", b"[" * 100_000, b'{"result": {}}', b'{"result": null}', None),
        *map(said, ["x", '{"result": 5}', '{"invalid": "ValueError"}', '{"result":' + "[" * 100_000]),
    ],
)
def test_an_answer_that_makes_no_sense_is_an_error_of_the_storage(
    answer: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "_MOST_BYTES", 1_000_000)
    with answering(endless if answer is None else lambda: iter([answer])) as url:
        Connection(url, "token").write(tmp_path)
        storage = open_storage(url, tmp_path)
        # Captures are set aside after other errors.
        with pytest.raises(StorageError):
            storage.feed.states(("shop",))
        storage.close()
