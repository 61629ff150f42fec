"""Stores of programs that keep memories in SQLite, and what they export."""

import gzip
import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.unit.adapters.peers.making import AT, ORCHARD, database, written


def claude_mem_rows() -> dict[str, list[dict[str, Any]]]:
    observation = {
        "id": 1,
        "memory_session_id": "m-1",
        "project": "orchard",
        "text": None,
        "type": "decision",
        "title": "Pears are picked by hand",
        "subtitle": "Machines bruise them",
        "facts": '["Ladders stand in the shed", ""]',
        "narrative": "We tried the shaker in May.",
        "files_modified": '["src/pears.py"]',
        "created_at": "2026-05-28T20:26:40.000Z",
        "created_at_epoch": AT * 1000,
        "merged_into_project": None,
    }
    summary = {
        "id": 1,
        "memory_session_id": "m-1",
        "project": "orchard",
        "request": "How are pears picked?",
        "investigated": None,
        "learned": "By hand",
        "completed": "",
        "next_steps": "Buy ladders",
        "notes": None,
        "files_edited": "[]",
        "created_at": "",
        "created_at_epoch": AT * 1000,
        "merged_into_project": "",
    }
    bare = {"title": None, "subtitle": None, "facts": "no list", "narrative": None, "files_modified": None}
    worktree = {"project": "orchard/rows", "merged_into_project": "orchard", "memory_session_id": "manual-orchard"}
    return {
        "observations": [
            observation,
            {**observation, **bare, **worktree, "id": 2, "text": "An old row", "created_at_epoch": None},
            {**observation, **bare, "id": 3, "text": " "},
            {**observation, **bare, "id": 4, "title": "苹果在九月收获", "project": "orchard/rows"},
        ],
        "session_summaries": [summary],
        "sdk_sessions": [{"memory_session_id": "m-1", "content_session_id": "c-1", "project": "orchard"}],
        "user_prompts": [
            {
                "id": 1,
                "content_session_id": "c-1",
                "prompt_text": "How are pears picked?",
                "created_at_epoch": AT * 1000,
            },
            {"id": 2, "content_session_id": "c-1", "prompt_text": "", "created_at_epoch": AT * 1000},
        ],
    }


def claude_mem(home: Path) -> Path:
    return database(home / ".claude-mem/claude-mem.db", claude_mem_rows(), journal="WAL")


def claude_mem_export(home: Path) -> Path:
    rows = claude_mem_rows()
    export = {
        "exportedAt": "2026-06-01",
        "observations": rows["observations"],
        "sessions": rows["sdk_sessions"],
        "summaries": rows["session_summaries"],
        "prompts": rows["user_prompts"],
    }
    return written(home / "export.json", json.dumps(export, ensure_ascii=False))


def laminark(home: Path) -> Path:
    digest = hashlib.sha256(ORCHARD.encode()).hexdigest()[:16]
    observation = {
        "id": "a1",
        "project_hash": digest,
        "content": "Pears are picked by hand.",
        "source": "mcp:save_memory",
        "session_id": "c-1",
        "created_at": "2026-05-28 20:26:40",
        "deleted_at": None,
        "title": "Pears",
        "kind": "decision",
    }
    return database(
        home / ".claude/plugins/cache/laminark/data/data.db",
        {
            "observations": [
                observation,
                {**observation, "id": "a2", "source": "hook:Edit", "title": None},
                {
                    **observation,
                    "id": "a3",
                    "source": "slash:remember",
                    "project_hash": "f" * 16,
                    "kind": "finding",
                },
                {**observation, "id": "a4", "deleted_at": "2026-05-29 08:00:00"},
            ],
            "project_metadata": [{"project_hash": digest, "project_path": ORCHARD, "display_name": "Orchard"}],
        },
        journal="WAL",
    )


def engram_rows() -> dict[str, list[dict[str, Any]]]:
    observation = {
        "id": 1,
        "session_id": "s-1",
        "type": "decision",
        "title": "Pears",
        "content": "Picked by hand.",
        "project": "orchard",
        "scope": "project",
        "created_at": "2026-05-28 20:26:40",
        "deleted_at": None,
    }
    return {
        "sessions": [{"id": "s-1", "project": "orchard", "directory": ORCHARD}],
        "observations": [
            observation,
            {**observation, "id": 2, "scope": "personal", "content": "早上喝茶"},
            {**observation, "id": 3, "type": "session_summary", "project": "mill"},
            {**observation, "id": 4, "deleted_at": "2026-05-29 08:00:00"},
        ],
        "user_prompts": [{"id": 1, "session_id": "s-1", "content": "Why?", "created_at": "2026-05-28 20:26:40"}],
    }


def engram(home: Path) -> Path:
    rows = engram_rows()
    path = database(home / ".engram/engram.db", rows, journal="WAL")
    cut = "梨子手工采摘".encode()[:-1] + b"... [truncated]"
    with sqlite3.connect(path) as connection:
        row = rows["observations"][0] | {"id": 5, "content": cut}
        places = ", ".join(f":{each}" for each in row).replace(":content", "CAST(:content AS TEXT)")
        connection.execute(f"INSERT INTO observations VALUES ({places})", row)  # noqa: S608 - the names above
    connection.close()
    return path


def engram_export(home: Path) -> Path:
    rows = engram_rows()
    return written(home / "engram.json", json.dumps({"version": "0.1.0", **rows, "prompts": rows["user_prompts"]}))


def engram_chunks(home: Path) -> Path:
    rows = engram_rows()
    later = {
        "sync_id": "obs-9",
        "session_id": "s-1",
        "title": "Plums",
        "content": "First thought.",
        "type": "discovery",
    }
    payload = json.dumps(later | {"content": "Second thought.", "project": "orchard", "scope": "project"})
    chunks: dict[str, Any] = {
        "aaaa1111": {**rows, "observations": [*rows["observations"], later, later | {"sync_id": "obs-8"}]},
        "bbbb2222": {
            "sessions": [],
            "observations": None,
            "mutations": [
                {"entity": "session", "entity_key": "s-2", "op": "upsert", "payload": "{}"},
                {"entity": "observation", "entity_key": "obs-9", "op": "upsert", "payload": payload},
                {"entity": "observation", "entity_key": "obs-8", "op": "delete", "payload": "no JSON"},
            ],
        },
    }
    folder = home / "orchard/.engram"
    for id, chunk in chunks.items():
        written(folder / f"chunks/{id}.jsonl.gz", gzip.compress(json.dumps(chunk).encode()))
    listed = [{"id": id, "created_at": f"2026-06-0{n}T00:00:00Z"} for n, id in enumerate(chunks, 1)]
    written(
        folder / "manifest.json", json.dumps({"version": 1, "chunks": [*reversed(listed), {"id": "../escape"}]})
    )
    return home / "orchard"


def mcp_memory_rows() -> list[dict[str, Any]]:
    memory = {
        "content_hash": "h1",
        "content": "Pears are picked by hand.",
        "tags": "fruit, harvest,",
        "memory_type": "decision",
        "created_at": AT + 0.25,
        "deleted_at": None,
        "superseded_by": None,
    }
    return [
        memory,
        {**memory, "content_hash": "h2", "content": "苹果", "tags": "untagged", "memory_type": None},
        {**memory, "content_hash": "h3", "deleted_at": AT + 60.0},
        {**memory, "content_hash": "h4", "superseded_by": "h1"},
    ]


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
    def change(id: str, event: str, old: str | None, new: str | None, minute: int) -> dict[str, Any]:
        return {
            "memory_id": id,
            "old_memory": old,
            "new_memory": new,
            "event": event,
            "created_at": "2026-05-28T20:26:40+00:00",
            "updated_at": f"2026-05-28T13:{26 + minute}:40-07:00",
            "is_deleted": int(event == "DELETE"),
        }

    return database(
        home / ".mem0/history.db",
        {
            "history": [
                change("m2", "ADD", None, "Plums are sweet.", 0),
                change("m1", "UPDATE", "Pears are picked.", "Pears are picked by hand.", 1),
                change("m1", "ADD", None, "Pears are picked.", 0),
                change("m2", "DELETE", "Plums are sweet.", None, 2),
                change("m3", "ADD", None, None, 3),
            ]
        },
    )


def mem0_export(home: Path) -> Path:
    listed = {
        "id": "m1",
        "memory": "Pears are picked by hand.",
        "metadata": {"project": "orchard", "category": "harvest"},
        "created_at": "2026-05-28T13:26:40-07:00",
        "run_id": "c-1",
    }
    return written(
        home / "mem0.json", json.dumps({"results": [listed, {"id": "m2", "memory": "苹果", "metadata": None}]})
    )
