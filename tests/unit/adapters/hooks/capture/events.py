"""Events that Claude Code tells hooks of, and records that hooks write of them."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from lamella_adapters.hooks.run import CLAUDE_CODE, answer

SESSION = "0c0ffee0-0000-4000-8000-000000000000"
TOKEN = "ghp_" + "a1B2" * 9
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KINDS = {
    "SessionStart": "session start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before edit",
    "PostToolUse": "edit",
    "PreCompact": "compaction",
    "Stop": "reply",
    "SessionEnd": "session end",
}
CONTEXT = "lamella_adapters.hooks.context.answer"


def event(name: str, **more: Any) -> dict[str, Any]:
    return {
        "session_id": SESSION,
        "transcript_path": "/home/dev/t.jsonl",
        "cwd": "/home/dev/project",
        "hook_event_name": name,
        **more,
    }


def edit(path: str = "/home/dev/project/main.py", *lines: str) -> dict[str, Any]:
    patch = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": list(lines or ("-a", "+b"))}
    return event(
        "PostToolUse",
        tool_name="Edit",
        tool_input={"file_path": path, "old_string": "a", "new_string": "b"},
        tool_response={"originalFile": "the whole file", "structuredPatch": [patch]},
    )


def shell(command: str, name: str = "PostToolUse") -> dict[str, Any]:
    return event(name, tool_name="Bash", tool_input={"command": command}, tool_response={"stdout": "output"})


def prompt(text: str) -> dict[str, Any]:
    return event("UserPromptSubmit", prompt=text)


def told(*events: dict[str, Any], client: str = CLAUDE_CODE) -> bytes:
    """Return the output of the hook for the last event."""
    said = b""
    for each in events:
        said = answer(json.dumps(each).encode() + b"\n", client)
    return said


def spooled(data: Path) -> list[dict[str, Any]]:
    """Return the records in the spool, without times and without searches for manual changes."""
    folder = data / "spool"
    records = [json.loads(each.read_text()) for each in sorted(folder.iterdir())] if folder.exists() else []
    assert all(0 <= record.pop("asked", 0) <= record.pop("at") for record in records)
    return [each for each in records if each.get("command") != ""]


def about(name: str = "PostToolUse", **more: Any) -> dict[str, Any]:
    """Return the fields of every record, except the time."""
    return {
        "version": 2,
        "client": "claude_code",
        "event": "command" if more.get("tool") == "Bash" else KINDS.get(name, "other"),
        "directory": "/home/dev/project",
        "session": SESSION,
        "transcript": "/home/dev/t.jsonl",
        **more,
    }


def every_byte(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
