"""What tests of a real server process start from."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .node_clients import NodeClients, installed
from .wire import RawClient

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
