"""Servers that tests may stop and kill, and a place whose memories are on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgres
from tests.end_to_end.hooks.place import without_settings
from tests.end_to_end.postgresql.server import Server
from tests.end_to_end.support.command_line import CommandLine


@pytest.fixture(scope="session")
def server_of_worker() -> Iterator[Server]:
    """Return a server of all tests of this worker: to make one takes a second."""
    made = Server()
    yield made
    made.delete()


@pytest.fixture
def server(server_of_worker: Server) -> Server:
    """Return a server that runs and is empty."""
    server_of_worker.run("DROP SCHEMA IF EXISTS lamella CASCADE")
    return server_of_worker


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the URL of an empty storage on the server of all tests, which is the chosen one."""
    postgres.empty()
    without_settings(monkeypatch)
    monkeypatch.setenv("LAMELLA_STORAGE", postgres.location())
    return postgres.location()


@pytest.fixture
def lamella(tmp_path: Path, url: str) -> CommandLine:
    """Return the command line over that storage."""
    (tmp_path / "shop").mkdir()
    return CommandLine(tmp_path / "data", tmp_path / "shop", {"LAMELLA_STORAGE": url})
