"""Transcripts, real and made up, and helpers that read them."""

from pathlib import Path
from typing import Any

from lamella.domain.conversations.message import MessageDraft, Role
from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.claude_code.reader import ClaudeCodeTranscripts
from tests.unit.adapters.transcripts import samples

PROJECTS = Path(__file__).parents[4] / "fixtures" / "transcripts" / "projects"
"""Real transcripts, as they are in `~/.claude/projects`."""


def drafts(place: Path) -> list[MessageDraft]:
    """Return all messages of a file or folder."""
    return samples.drafts(ClaudeCodeTranscripts(place))


def said(place: Path) -> list[tuple[Role, str]]:
    """Return the roles and texts of a file or folder."""
    return samples.said(ClaudeCodeTranscripts(place))


def only(place: Path) -> tuple[ClaudeCodeTranscripts, Source]:
    """The only transcript of a place, and its reader."""
    transcripts = ClaudeCodeTranscripts(place)
    (source,) = transcripts.sources()
    return transcripts, source


def record(kind: str = "user", content: Any = "Hello.", **more: Any) -> dict[str, Any]:
    """A record that gives a message, unless `more` says otherwise."""
    return {
        "type": kind,
        "uuid": "one",
        "sessionId": "session",
        "timestamp": "2026-01-05T09:00:00.000Z",
        "cwd": "/home/dev/project",
        "message": {"role": kind, "content": content},
        **more,
    }


def transcript(folder: Path, *records: Any, name: str = "a.jsonl") -> Path:
    """A file that holds `records`."""
    return samples.write(folder / name, *records)
