"""Files that other programs are writing to."""

import subprocess
import sys
from pathlib import Path

import pytest

from lamella.domain.conversations.message import Batch
from lamella.domain.errors import PeerUnreadableError
from lamella_adapters.peers import sqlite_store
from lamella_adapters.peers.mcp_memory_service import McpMemoryService
from tests.unit.adapters.peers import databases
from tests.unit.adapters.peers.conftest import home
from tests.unit.adapters.peers.programs import read
from tests.unit.adapters.transcripts.claude_code.samples import batches, only, record, transcript

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


def test_a_transcript_that_is_read_while_it_is_written_is_read_once_and_whole(tmp_path: Path) -> None:
    """The writer lets a reader see every beginning of a record."""
    whole = transcript(tmp_path, *(record(content=f"Message {n}.", uuid=str(n)) for n in range(50))).read_bytes()
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"")
    writer = (
        "import os, sys\n"
        "file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)\n"
        "for byte in sys.stdin.buffer.read(): os.write(file, bytes([byte]))"
    )
    transcripts, source = only(file)
    found: list[Batch] = []
    with subprocess.Popen([sys.executable, "-c", writer, str(file)], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(whole)
        process.stdin.close()
        running = True
        while running:
            running = process.poll() is None
            found += batches(transcripts, source, found[-1].position if found else "")
    assert [draft.text for batch in found for draft in batch.drafts] == [f"Message {n}." for n in range(50)]
    assert not found[-1].waiting
