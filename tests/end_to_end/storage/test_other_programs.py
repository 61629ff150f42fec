"""Files that other programs are writing to."""

import subprocess
import sys
from pathlib import Path

import pytest

from lamella.domain.errors import PeerUnreadableError
from lamella_adapters.peers import sqlite_store
from lamella_adapters.peers.mcp_memory_service import McpMemoryService
from tests.unit.adapters.peers import databases
from tests.unit.adapters.peers.conftest import home
from tests.unit.adapters.peers.programs import read

__all__ = ["home"]

_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("BEGIN EXCLUSIVE")
print(flush=True)
sys.stdin.read()
"""


def test_a_file_that_another_program_locks_is_left_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "_BUSY_MILLISECONDS", 1)
    path = databases.mcp_memory_service(home)
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(PeerUnreadableError, match="another program is writing to it"):
            read(McpMemoryService(path))
        holder.stdin.close()
