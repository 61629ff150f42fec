"""Stores of programs that keep memories in text files."""

from pathlib import Path

from tests.unit.adapters.peers.making import written
from tests.unit.support.tables import text

_STORES = Path(__file__).with_suffix(".txt").read_text("utf-8").rstrip("\n").split("\n\n")
"""The name of each store, and rows with the path and the content of its files; `HOME` is the home directory."""
_FILES = {name: rows for name, *rows in (each.split("\n") for each in _STORES)}


def _made(home: Path, name: str, store: str) -> Path:
    for path, _, content in (row.partition("\t") for row in _FILES[name]):
        written(home / path, text(content).replace("HOME", str(home)))
    return home / store


def server_memory(home: Path) -> Path:
    package = "node_modules/@modelcontextprotocol/server-memory/dist"
    return _made(home, "server_memory", f".npm/_npx/1a2b/{package}/memory.jsonl")


def basic_memory(home: Path) -> Path:
    folder = _made(home, "basic_memory", "notes")
    (folder / "link.md").symlink_to(home / "elsewhere.md")
    return folder


def claude_code_memory(home: Path) -> Path:
    return _made(home, "claude_code_memory", ".claude/projects/-srv-lovelace-orchard/memory")


def codex_memory(home: Path) -> Path:
    return _made(home, "codex_memory", ".codex/memories/MEMORY.md")


def rules(home: Path) -> Path:
    _made(home, "rules", "")
    (home / "GEMINI.md").symlink_to(home / "AGENTS.md")
    return home
