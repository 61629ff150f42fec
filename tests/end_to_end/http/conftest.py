"""Servers over HTTP."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.http_server import HttpServer, serving
from tests.words_only import WORDS_ONLY

Serving = Callable[..., AbstractContextManager[HttpServer]]


@pytest.fixture
def home(tmp_path: Path) -> CommandLine:
    """Return a command line in an empty folder, with data of its own."""
    (tmp_path / "work").mkdir()
    return CommandLine(tmp_path / "data", tmp_path / "work", {**WORDS_ONLY, "TZ": "UTC"})


@pytest.fixture
def serve(home: CommandLine, tmp_path: Path) -> Serving:
    """Return what serves the data of `home` with some options."""

    def started(
        *options: str, limits: Mapping[str, float] | None = None, **settings: str
    ) -> AbstractContextManager[HttpServer]:
        return serving(tmp_path / "work", {**home.environment, **settings}, *options, limits=limits)

    return started


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """Serve without tokens. Tests of a module share it, each in a project of its own."""
    folder = tmp_path_factory.mktemp("open")
    (folder / "work").mkdir()
    environment = CommandLine(folder / "data", folder / "work", {**WORDS_ONLY, "TZ": "UTC"}).environment
    with serving(folder / "work", environment) as server:
        yield server
