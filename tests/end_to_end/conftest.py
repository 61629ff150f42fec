"""What tests of a real server process start from."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.hooks_place import Place, made_in, without_settings
from tests.end_to_end.node_clients import NodeClients, installed
from tests.end_to_end.wire import RawClient

ECHO_SERVER = [sys.executable, str(Path(__file__).with_name("echo_server.py"))]


@pytest.fixture(scope="session")
def echo_command() -> list[str]:
    """The command that starts the echo server."""
    return ECHO_SERVER


@pytest.fixture
def client() -> Iterator[RawClient]:
    """A raw client of a running echo server."""
    with RawClient(ECHO_SERVER) as raw:
        raw.text("ready", "echo", text="ready")
        yield raw


@pytest.fixture(scope="session")
def node_clients() -> NodeClients:
    """Claude Code, the MCP inspector and the conformance suite."""
    return installed()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A project with memories, in which hooks answer."""
    without_settings(monkeypatch)
    return made_in(tmp_path)


@pytest.fixture
def said(place: Place) -> Place:
    """A place where all three hooks that answer have something to say."""
    assert all(place.answers())
    return place
