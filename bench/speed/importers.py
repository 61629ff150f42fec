"""Speed of importing many records of other programs, with the real commands.

Run: `python -m bench.speed.importers [--records 100000] [NAME ...]`. The programs' stores are made like the stores
in the tests of the readers. Prints a table. Without NAME, all programs are measured, and the table is written into
`bench/results`. The only assertion is that all records are imported.
"""

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.speed.exchange import run
from bench.support.workload import Language
from bench.tables import Table, command, publish
from tests.unit.adapters.peers import databases
from tests.unit.adapters.peers.making import database, written
from tests.unit.adapters.transcripts import samples

_BAR = "≤ 60 s, ≤ 300 MB"
_WORDS = 60
_SESSIONS = 20

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def _store(folder: Path, tables: Rows, texts: Sequence[str], *columns: str) -> Path:
    """Create a SQLite store that repeats the first row of a table, each time with a different id and text.

    Args:
        folder: Folder for the store.
        tables: Rows by table. The row of the last table is repeated.
        texts: A text for each repetition.
        columns: Names of the columns with the id and the text.
    """
    id, text = columns
    name, (first, *_) = list(tables.items())[-1]
    # Make the ids of the same type, number or text, as in the program's row.
    kind = type(first[id])
    rows = [{**first, id: kind(number), text: each} for number, each in enumerate(texts, 1)]
    return database(folder / "store.db", {**tables, name: rows})


def _last(tables: Rows, name: str) -> Rows:
    return {**{each: rows for each, rows in tables.items() if each != name}, name: tables[name]}


def _claude_mem(folder: Path, texts: Sequence[str]) -> Path:
    return _store(folder, _last(databases.rows_of("claude-mem"), "observations"), texts, "id", "narrative")


def _engram(folder: Path, texts: Sequence[str]) -> Path:
    return _store(folder, _last(databases.rows_of("engram"), "observations"), texts, "id", "content")


def _mcp_memory_service(folder: Path, texts: Sequence[str]) -> Path:
    return _store(folder, {"memories": databases.mcp_memory_rows()}, texts, "content_hash", "content")


def _laminark(folder: Path, texts: Sequence[str]) -> Path:
    row = {
        "id": "a1",
        "project_hash": "f" * 16,
        "content": "",
        "source": "mcp:save_memory",
        "session_id": "c-1",
        "created_at": "2026-05-28 20:26:40",
        "deleted_at": None,
        "title": "Pears",
        "kind": "decision",
    }
    project = {"project_hash": "f" * 16, "project_path": "/srv/lovelace/orchard", "display_name": "Orchard"}
    rows: Rows = {"project_metadata": [project], "observations": [row]}
    return _store(folder, rows, texts, "id", "content")


def _mem0(folder: Path, texts: Sequence[str]) -> Path:
    row = {
        "memory_id": "",
        "old_memory": None,
        "new_memory": "",
        "event": "ADD",
        "created_at": "2026-05-28T20:26:40+00:00",
        "updated_at": None,
        "is_deleted": 0,
    }
    return _store(folder, {"history": [row]}, texts, "memory_id", "new_memory")


def _server_memory(folder: Path, texts: Sequence[str]) -> Path:
    lines = (
        json.dumps({"type": "entity", "name": f"pear {number}", "entityType": "fruit", "observations": [text]})
        for number, text in enumerate(texts)
    )
    return written(folder / "memory.jsonl", "\n".join(lines))


def _basic_memory(folder: Path, texts: Sequence[str]) -> Path:
    for number, text in enumerate(texts):
        written(folder / f"notes/{number // 1000}/{number}.md", f"---\ntitle: Pear {number}\n---\n\n{text}\n")
    return folder / "notes"


def _talk(record: Callable[[Path, str, Sequence[str]], None]) -> Callable[[Path, Sequence[str]], Path]:
    def made(folder: Path, texts: Sequence[str]) -> Path:
        size = -(-len(texts) // _SESSIONS)
        for number in range(_SESSIONS):
            record(folder, f"session-{number}", texts[number * size : (number + 1) * size])
        return folder

    return made


_PEERS: Mapping[str, Callable[[Path, Sequence[str]], Path]] = {
    "claude-mem": _claude_mem,
    "server-memory": _server_memory,
    "mcp-memory-service": _mcp_memory_service,
    "basic-memory": _basic_memory,
    "laminark": _laminark,
    "engram": _engram,
    "mem0": _mem0,
}
_CLIENTS: Mapping[str, Callable[[Path, Sequence[str]], Path]] = {
    "claude-code": _talk(samples.claude_code),
    "codex": _talk(samples.codex),
    "gemini": _talk(samples.gemini),
    "copilot": _talk(samples.copilot),
    "cursor": _talk(samples.cursor),
    "chatgpt": _talk(samples.chatgpt),
    "claude-ai": _talk(samples.claude_ai),
}


def measured(name: str, records: int) -> str:
    """Import records of a program, and return the cost.

    Raises:
        SystemExit: Some records weren't imported.
    """
    language = Language(5)
    with tempfile.TemporaryDirectory() as place:
        folder, said = Path(place), Path(place) / "said"
        texts = [language.text(_WORDS) for _ in range(records)]
        store = {**_PEERS, **_CLIENTS}[name](folder / "theirs", texts)
        placed = ("--project", str(folder)) if name in _PEERS else ()
        cost = run(folder / "data", "import", name, str(store), *placed, said=said)
        counts = re.findall(r"^Imported ([\d,]+) ", said.read_text("utf-8"))
    if [int(each.replace(",", "")) for each in counts] < [records]:
        raise SystemExit(f"of {records} records of {name} came {counts}")
    return str(cost)


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    rows: list[tuple[str, str, str]] = []
    for name in options.names or [*_PEERS, *_CLIENTS]:
        rows.append((name, measured(name, options.records), _BAR))
        # Print each result immediately, because the whole run takes minutes.
        print(" | ".join(rows[-1]), flush=True)
    table = Table(
        title=f"Import of {options.records:,} records of other programs, cpu / wall",
        head=("program", "measured", "bar"),
        rows=rows,
    )
    if options.names:
        table.printed()
    else:
        publish(options.results / "importers.md", [table])


if __name__ == "__main__":
    main()
