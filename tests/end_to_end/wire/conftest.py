"""The server whose transport is mistreated."""

import sys
from pathlib import Path

import pytest

ECHO_SERVER = [sys.executable, str(Path(__file__).with_name("echo_server.py"))]


@pytest.fixture(scope="session")
def echo_command() -> list[str]:
    """Return the command that starts the echo server."""
    return ECHO_SERVER
