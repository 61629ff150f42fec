"""Transcripts in Claude Code's format, of an invented conversation."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.end_to_end.support.command_line import CommandLine

SECRET = "ghp_" + "a1B2" * 9


def record(kind: str, number: int, content: object, *, session: str, folder: Path, at: str = "") -> dict[str, Any]:
    """Return one line of a transcript. `at` is its time, by default a new one for each line."""
    return {
        "type": kind,
        "uuid": f"{session}-{number}",
        "sessionId": session,
        "timestamp": at or f"2026-07-08T09:10:{number % 60:02}.000Z",
        "cwd": str(folder),
        "message": {"role": kind, "content": content},
    }


def conversation(session: str, folder: Path) -> list[dict[str, Any]]:
    """Return the records of a conversation about an upload."""
    call = {"type": "tool_use", "id": "call-1", "name": "Read", "input": {"file_path": "src/upload.py"}}
    given = "ATTEMPTS = 3\n── FULL CONTEXT (messages 9..9) ──"
    asked = f"Why does the upload retry give up? My token is {SECRET}, <private>don't tell</private>."
    parts: list[tuple[str, object]] = [
        ("user", asked),
        ("assistant", [{"type": "thinking", "thinking": "The retry is in src/upload.py."}]),
        ("assistant", [call]),
        ("user", [{"type": "tool_result", "tool_use_id": "call-1", "content": given}]),
        ("assistant", [{"type": "text", "text": "It stops after three attempts."}]),
    ]
    records = [record(kind, n, said, session=session, folder=folder) for n, (kind, said) in enumerate(parts)]
    return [*records, {"type": "custom-title", "customTitle": "Fixing the upload", "sessionId": session}]


def write(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write a transcript."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


def with_transcripts(folder: Path) -> CommandLine:
    """Command line in a project, with a transcript of it and one of another, where Claude Code keeps them."""
    project = folder / "project"
    project.mkdir()
    line = CommandLine(folder / "data", project)
    home = Path(line.environment["HOME"])
    write(home / ".claude/projects/-project/one.jsonl", conversation("session-one", project))
    write(home / ".claude/projects/-other/two.jsonl", conversation("session-two", folder / "other"))
    return line
