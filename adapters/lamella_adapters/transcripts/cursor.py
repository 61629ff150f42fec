"""Reader of transcripts of Cursor's agents, one file for each. Not tried with Cursor itself.

A conversation is `~/.cursor/projects/{slug}/agent-transcripts/{id}/{id}.jsonl`: one message per line, `{role,
message}` with parts as in `claude_code`. Messages have no times, so they get the file's modification time. The
slug is the working directory with all but letters and digits replaced by `-`. A matching directory is looked for
on disk. The directory stays unknown if no directory matches, or several. Cursor's database `state.vscdb` is
undocumented and not read.
"""

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, cast

from attrs import define, field, frozen

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.recorded import SessionTranscripts
from lamella_adapters.transcripts.records import Part, Record, RecordContent, SessionParser, Skipped
from lamella_adapters.transcripts.texts import part_of

_TRANSCRIPTS = "agent-transcripts"
_NO_NAME = re.compile(r"[^A-Za-z0-9]+")

_MAX_LISTED = 20_000
"""Maximum number of folder entries to read when looking for a working directory."""


@define
class CursorParser(SessionParser):
    """Parser of a conversation of Cursor.

    Attributes:
        number: Number of records so far, to identify messages.
    """

    number: int = 0

    def found(self, record: Record) -> RecordContent:
        """Return the content of the next record."""
        self.number += 1
        role = {"user": Role.HUMAN, "assistant": Role.ASSISTANT}.get(record.text("role"))
        if role is None:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        message = record.object("message") or record
        content = message.get("content")
        blocks = [Record(type="text", text=content)] if isinstance(content, str) else message.objects("content")
        parts = enumerate(_part(role, each) for each in blocks)
        return self.messages(f"{self.session}:{self.number}", self.session, parts)


@frozen
class CursorTranscripts(SessionTranscripts):
    """The transcripts of Cursor in a file, or in a folder and all folders below it."""

    own = ("Cursor", None, ".cursor", "projects")
    parser: ClassVar[type[SessionParser]] = CursorParser
    _directories: dict[str, str] = field(factory=dict, init=False, eq=False, repr=False)

    def is_transcript(self, path: Path) -> bool:
        """Return True if a file is a conversation of an agent."""
        return path.suffix == ".jsonl" and _TRANSCRIPTS in path.parts

    def resumed_parser(self, path: Path, state: Mapping[str, Any] | None) -> SessionParser:
        """Return the parser of a file. Messages get the file's modification time. `path` names the session."""
        parser = cast("SessionParser", super().resumed_parser(path, state))
        parser.at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        parser.session, parser.directory = path.stem, self._directory(path)
        return parser

    def _directory(self, path: Path) -> str:
        place = next((each for each in path.parents if each.name == _TRANSCRIPTS), None)
        if place is None:
            return ""
        slug = place.parent.name
        if slug not in self._directories:
            found = list(_directories_of(slug))
            self._directories[slug] = found[0] if len(found) == 1 else ""
        return self._directories[slug]


def _part(role: Role, block: Record) -> Part:
    part = part_of(role, block)
    asked = part.text.partition("<user_query>")[2].partition("</user_query>")[0].strip()
    return Part(role, asked) if part.role is Role.HUMAN and asked else part


def _directories_of(slug: str) -> Iterator[str]:
    """Yield the directories on disk with a path matching `slug`. Links are not followed."""
    folders, listed = [("/", slug.strip("-") + "-")], 0
    while folders and listed < _MAX_LISTED:
        folder, rest = folders.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    listed += 1
                    name = _NO_NAME.sub("-", entry.name).strip("-") + "-"
                    if name == "-" or not rest.startswith(name) or not entry.is_dir(follow_symlinks=False):
                        continue
                    if name == rest:
                        yield entry.path
                    else:
                        folders.append((entry.path, rest.removeprefix(name)))
        except OSError:
            continue
