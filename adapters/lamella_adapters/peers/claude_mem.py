"""Memories of claude-mem: its SQLite file, or its JSON export, which has the columns of the file as keys.

Times are in milliseconds. A project is the name of a folder, or `folder/worktree`.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from lamella.domain.memories.kind import Kind
from lamella.ports.peers import ForeignMemory, ForeignPrompt, Skipped, Store
from lamella.ports.peers import Record as PeerRecord
from lamella_adapters.peers.files import LocatedPeer, in_environment
from lamella_adapters.peers.sqlite_store import reading, stores_of, tables_of
from lamella_adapters.peers.values import Record, made, memory, moment, no_texts, number, prompt, text, texts

PROGRAM = "claude-mem"

_MILLISECONDS = 1000
_PARTS = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_TABLES = tables_of(PROGRAM)
_MANUAL = "manual-"
"""Prefix of the session ids that claude-mem makes up for memories saved by hand."""


class ClaudeMem(LocatedPeer):
    """The memories of claude-mem."""

    def stores(self) -> tuple[Store, ...]:
        """Return claude-mem's file: the given file, or the database at its default path."""
        folder = in_environment("CLAUDE_MEM_DATA_DIR") or Path.home() / ".claude-mem"
        counted = [_TABLES[name] for name in ("observations", "session_summaries", "user_prompts")]
        return stores_of(PROGRAM, self.path, folder / "claude-mem.db", *counted)

    def read(self, store: Store) -> Iterator[PeerRecord]:
        """Yield observations, then summaries of sessions, then prompts, in order of saving."""
        with reading(store.place) as read:
            sessions: dict[str, str] = {}
            projects: dict[str, str] = {}
            for each in read(_TABLES["sdk_sessions"]):
                if not isinstance(each, Skipped):
                    sessions[text(each.get("memory_session_id"))] = text(each.get("content_session_id"))
                    projects[text(each.get("content_session_id"))] = text(each.get("project"))
            yield from made(read(_TABLES["observations"]), lambda row: _observation(row, sessions))
            yield from made(read(_TABLES["session_summaries"]), lambda row: _summary(row, sessions))
            yield from made(read(_TABLES["user_prompts"]), lambda row: _prompt(row, projects))


def _prompt(row: Record, projects: Mapping[str, str]) -> ForeignPrompt | Skipped:
    session = text(row.get("content_session_id"))
    return prompt(
        key=f"prompt/{number(row.get('id'))}",
        text=text(row.get("prompt_text")),
        session=session,
        at=_at(row),
        project=projects.get(session, ""),
    )


def _observation(row: Record, sessions: Mapping[str, str]) -> ForeignMemory | Skipped:
    paragraphs = [text(row.get(name)) for name in ("subtitle", "narrative")]
    facts = "\n".join(f"- {fact}" for fact in texts(row.get("facts")))
    content = "\n\n".join(filter(None, (*paragraphs, facts, text(row.get("text")))))
    title = text(row.get("title"))
    return memory(
        key=f"observation/{number(row.get('id'))}",
        title=title,
        # Some observations have all of their text in the title.
        content=content or title,
        source=text(row.get("type")),
        paths=tuple(texts(row.get("files_modified"))),
        no_texts=no_texts(row.get("facts"), row.get("files_modified")),
        **_placed(row, sessions),
    )


def _summary(row: Record, sessions: Mapping[str, str]) -> ForeignMemory | Skipped:
    said = {name: text(row.get(name)) for name in _PARTS}
    return memory(
        key=f"summary/{number(row.get('id'))}",
        title=said["request"],
        content="\n\n".join(
            f"{name.replace('_', ' ').capitalize()}: {each}" for name, each in said.items() if each
        ),
        source="summary",
        kind=Kind.SUMMARY,
        paths=tuple(texts(row.get("files_edited"))),
        no_texts=no_texts(row.get("files_edited")),
        **_placed(row, sessions),
    )


def _placed(row: Record, sessions: Mapping[str, str]) -> dict[str, Any]:
    """Return the time and project of a record. If the project was merged, return the target of the merge."""
    there = text(row.get("memory_session_id"))
    return {
        "project": text(row.get("merged_into_project")) or text(row.get("project")),
        "created_at": _at(row),
        "session": "" if there.startswith(_MANUAL) else sessions.get(there, ""),
    }


def _at(row: Record) -> datetime | None:
    return moment(row.get("created_at_epoch"), per_second=_MILLISECONDS) or moment(row.get("created_at"))
