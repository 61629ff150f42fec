"""Stores of programs that keep memories in SQLite, and what they export."""

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.unit.adapters.peers.making import database, written

_FOLDER = Path(__file__).parent
_ROWS = json.loads((_FOLDER / "rows.json").read_text("utf-8"))


def rows_of(program: str) -> dict[str, list[dict[str, Any]]]:
    """Return rows by their table. In the file a row names only what differs from the first one."""
    return {table: [rows[0] | row for row in rows] for table, rows in _ROWS[program].items()}


def claude_mem(home: Path) -> Path:
    return database(home / ".claude-mem/claude-mem.db", rows_of("claude-mem"), journal="WAL")


def claude_mem_export(home: Path) -> Path:
    kinds = ("observations", "sessions", "summaries", "prompts")
    export = dict(zip(kinds, rows_of("claude-mem").values(), strict=True))
    return written(home / "export.json", json.dumps({"exportedAt": "2026-06-01", **export}, ensure_ascii=False))


def laminark(home: Path) -> Path:
    return database(home / ".claude/plugins/cache/laminark/data/data.db", rows_of("laminark"), journal="WAL")


def engram(home: Path) -> Path:
    rows = rows_of("engram")
    path = database(home / ".engram/engram.db", rows, journal="WAL")
    cut = "梨子手工采摘".encode()[:-1] + b"... [truncated]"
    with sqlite3.connect(path) as connection:
        row = rows["observations"][0] | {"id": 5, "content": cut}
        places = ", ".join(f":{each}" for each in row).replace(":content", "CAST(:content AS TEXT)")
        connection.execute(f"INSERT INTO observations VALUES ({places})", row)  # noqa: S608 - the names above
    connection.close()
    return path


def engram_export(home: Path) -> Path:
    rows = rows_of("engram")
    return written(home / "engram.json", json.dumps({"version": "0.1.0", **rows, "prompts": rows["user_prompts"]}))


def engram_chunks(home: Path) -> Path:
    rows, chunks = rows_of("engram"), json.loads((_FOLDER / "chunks.json").read_text("utf-8"))
    chunks["aaaa1111"] = {**rows, "observations": rows["observations"] + chunks["aaaa1111"]["observations"]}
    folder = home / "orchard/.engram"
    for id, chunk in chunks.items():
        written(folder / f"chunks/{id}.jsonl.gz", gzip.compress(json.dumps(chunk).encode()))
    listed = [{"id": id, "created_at": f"2026-06-0{n}T00:00:00Z"} for n, id in enumerate(chunks, 1)]
    written(
        folder / "manifest.json", json.dumps({"version": 1, "chunks": [*reversed(listed), {"id": "../escape"}]})
    )
    return home / "orchard"


def mcp_memory_rows() -> list[dict[str, Any]]:
    return rows_of("mcp-memory-service")["memories"]


def mcp_memory_service(home: Path) -> Path:
    path = database(home / ".local/share/mcp-memory/sqlite_vec.db", {"memories": mcp_memory_rows()})
    with sqlite3.connect(path) as connection:
        # A virtual table whose module is not loaded.
        connection.execute("PRAGMA writable_schema = ON")
        statement = "CREATE VIRTUAL TABLE memory_embeddings USING vec0(content_embedding FLOAT[384])"
        connection.execute(
            "INSERT INTO sqlite_master VALUES ('table', 'memory_embeddings', ?, 0, ?)",
            ["memory_embeddings", statement],
        )
    connection.close()
    return path


def mcp_memory_export(home: Path) -> Path:
    rows = [row | {"tags": [each.strip() for each in row["tags"].split(",")]} for row in mcp_memory_rows()]
    return written(home / "memories.json", json.dumps({"export_metadata": {"total": 4}, "memories": rows}))


def mem0(home: Path) -> Path:
    return database(home / ".mem0/history.db", rows_of("mem0"))


def mem0_export(home: Path) -> Path:
    return written(home / "mem0.json", (_FOLDER / "mem0.json").read_bytes())
