"""What tests of a real server process start from."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.hooks_place import Place, made_in, without_settings
from tests.end_to_end.node_clients import NodeClients, installed
from tests.patience import be_patient

ECHO_SERVER = [sys.executable, str(Path(__file__).with_name("echo_server.py"))]


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """A test that has storage open itself waits for other processes until they are done."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield


@pytest.fixture(scope="session")
def echo_command() -> list[str]:
    """The command that starts the echo server."""
    return ECHO_SERVER


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
