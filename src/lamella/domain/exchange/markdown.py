"""Records of an export as Markdown files: front matter, then the unchanged text.

The changes of a memory follow its text as fenced diffs, after a marker line that occurs neither in the text nor in
the changes. Before each message of a conversation is a line with the message's length.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from lamella.domain.exchange import front_matter, records
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.fields import InvalidRecordError
from lamella.domain.exchange.file_names import conversation_file_name, memory_file_name
from lamella.domain.exchange.json_lines import UnreadableExportError, require_version
from lamella.domain.memories.titles import generated_title
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import trimmed, visible

PROJECT_FILE = "project.md"
"""Name of a project's file, in the folder named by the project's id."""

TRAIL_FILE = "trail.jsonl"
"""Name of the file with a project's audit trail, as JSON Lines. It is beside the project's file."""

_CONVERSATIONS = "conversations"
"""Folder beside the project's file, with a file for each conversation."""

_VERSION, _KEYWORDS = "lamella", "keywords"
_BODY = frozenset({"content", "changes"})
_FIELDS = {
    "project": records.names_of_fields("project"),
    "memory": records.names_of_fields("memory") - _BODY,
    "conversation": records.names_of_fields("session"),
}
"""Keys of our front matter, by type of record. Other keys belong to other programs."""

_FILES, _MARKER = "files", "marker"
_FENCE_LINE = re.compile(r"^(?P<fence>~{3,}+)diff (?P<fields>\{.*\})\n", re.MULTILINE)
_TILDES = re.compile(r"^~{3,}", re.MULTILINE)
_CONFLICT = tuple(re.compile(sign, re.MULTILINE) for sign in ("^<{7} ", "^={7}$", "^>{7} "))
"""Git's conflict markers. Texts about conflicts rarely have all of them."""

CONFLICT = "it has git's conflict markers (<<<<<<<). Resolve the conflict"
"""Reason in the error for a file with conflict markers."""


def front(fields: Mapping[str, Any]) -> str:
    """Return front matter with the version of the format."""
    return front_matter.printed({_VERSION: str(records.VERSION), **fields}).replace(
        f'"{records.VERSION}"', str(records.VERSION), 1
    )


def read_front(text: str, place: str = "") -> tuple[dict[str, front_matter.Value], str] | None:
    """Return the values of lamella's front matter, and the text after it. None for another program's file.

    Raises:
        UnreadableExportError: The export has another version.
        InvalidRecordError: A line is invalid, or a line `---` around the front matter is missing.
    """
    found = front_matter.of_ours(text, _VERSION)
    if found is not None:
        version = str(found[0].pop(_VERSION))
        require_version(place, int(version) if version.isdecimal() else version)
        keywords = found[0].get(_KEYWORDS, "")
        # Editors write keywords as a list.
        if not isinstance(keywords, str):
            found[0][_KEYWORDS] = ", ".join(keywords)
    return found


def project_file(project: Project) -> str:
    """Return the text of the Markdown file that describes a project in an export."""
    return front(records.record_fields(project)) + f"\n# {visible(project.name)}\n"


def memory_file(arrival: Arrival) -> str:
    """Return the text of a memory's Markdown file."""
    fields = records.record_fields(arrival)
    content, changes = fields.pop("content"), fields.pop("changes", [])
    head: dict[str, Any] = {"type": fields.pop("type"), "title": fields.pop("title"), **fields}
    if head["title"] == generated_title(trimmed(content)):
        del head["title"]  # so that the title of an edited text is generated anew
    if not changes:
        return f"{front(head)}\n{content}\n"
    marker = _marker(content, [each.get("hunks", "") for each in changes])
    head[_FILES] = [each["path"] for each in changes]
    if marker != _marker("", ()):
        head[_MARKER] = marker
    return f"{front(head)}\n{content}\n\n{marker}\n" + "".join(map(_fenced, changes))


def conversation_head(project: str, session: str, name: str | None) -> str:
    """Return the beginning of a conversation's Markdown file, before the first `message_part`."""
    fields = {"type": "conversation", "project": project, "id": session}
    return front(fields if name is None else {**fields, "name": name})


def message_part(said: records.Said) -> str:
    """Return the text to append to a conversation's Markdown file for a message."""
    fields = records.record_fields(said)
    text = fields["text"]
    names = ("role", "at", "client", "key")
    head = {name: fields[name] for name in names if name in fields} | {"characters": len(text)}
    return f"\n<!-- {json.dumps(head)} -->\n{text}\n"


def read(content: bytes, place: str) -> Iterator[tuple[str, records.Record | UnreadableExportError]]:
    """Yield each record of a Markdown file with the file's name. Yield an error in place of an unusable part."""
    try:
        for record in records_in(content.decode(), place):
            yield place, record
    except UnicodeDecodeError:
        yield place, UnreadableExportError(place=place, reason="it is not UTF-8")
    except UnreadableExportError as error:
        yield place, error


def records_in(text: str, place: str) -> Iterator[records.Record]:
    """Yield the records of a Markdown file; nothing for other programs' files.

    Args:
        text: Content of the file.
        place: Name of the file, for errors.

    Raises:
        UnreadableExportError: The file belongs to an export, but is invalid.
    """
    text = front_matter.as_written(text)
    try:
        found = read_front(text, place)
        if found is None:
            return
        values, body = found
        kind, fields = _known(values)
        if kind == "conversation":
            yield from _conversation(fields, body)
        else:
            yield records.record_of(fields | (_memory_body(values, body) if kind == "memory" else {}))
    except (InvalidRecordError, ValueError, RecursionError, KeyError, TypeError) as error:
        reason = str(error) if isinstance(error, InvalidRecordError) else "an edit made it unreadable"
        reason = CONFLICT if has_conflict(text) else reason
        raise UnreadableExportError(place=place, reason=reason) from error


def has_conflict(text: str) -> bool:
    """Return True for a text with git's conflict markers."""
    return all(each.search(text) for each in _CONFLICT)


@define
class MarkdownFiles:
    """Names and texts of the Markdown files that contain the records of an export.

    Attributes:
        exists: Function that returns True if a file of the given name exists.
    """

    exists: Callable[[str], bool]
    _names: dict[tuple[str, str], str] = field(factory=dict)
    _conversations: dict[tuple[str, str], str] = field(factory=dict)

    def placed(self, record: records.Record) -> tuple[str, str] | None:
        """Return the name of a record's file, and the text to append to it; None for a record without a file.

        A conversation's file begins with the name of the session, so pass the `SessionName` before the messages.
        """
        if isinstance(record, Project):
            return f"{record.id}/{PROJECT_FILE}", project_file(record)
        if isinstance(record, Arrival):
            folder = record.observation.project
            name = f"{folder}/{memory_file_name(record)}"
            if self.exists(name):
                name = f"{folder}/{memory_file_name(record, digits=32)}"
            return name, memory_file(record)
        if isinstance(record, records.SessionName):
            self._names[record.project, record.session] = record.name
        return self._message(record) if isinstance(record, records.Said) else None

    def _message(self, said: records.Said) -> tuple[str, str]:
        key = said.project, said.draft.session
        part, name = message_part(said), self._names.get(key)
        if key in self._conversations:
            return self._conversations[key], part
        file = conversation_file_name(said, name)
        self._conversations[key] = f"{said.project}/{_CONVERSATIONS}/{file}"
        return self._conversations[key], conversation_head(*key, name) + part


def _known(values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a file's type, and the values of its front matter, without fields that exports don't have."""
    kind = str(values.get("type", "memory"))
    if kind not in _FIELDS:
        raise InvalidRecordError(f"the type {kind[:60]!r} is not known")
    known = {name: value for name, value in values.items() if name in _FIELDS[kind] and value != []}
    return kind, {**known, "type": kind}


def _marker(content: str, hunks: Sequence[str]) -> str:
    """Return a line to separate a text from its changes. The line occurs in neither of them."""
    marker, number = "<!-- changes -->", 1
    while any(marker in text for text in (content, *hunks)):
        number += 1
        marker = f"<!-- changes {number} -->"
    return marker


def _fenced(change: Mapping[str, Any]) -> str:
    hunks = change.get("hunks", "")
    fence = "~" * (1 + max([2, *(len(each) for each in _TILDES.findall(hunks))]))
    fields = {name: value for name, value in change.items() if name != "hunks"}
    return f"\n{fence}diff {json.dumps(fields)}\n{hunks}{chr(10) if hunks else ''}{fence}\n"


def _memory_body(values: Mapping[str, Any], body: str) -> dict[str, Any]:
    if "project" not in values:
        raise InvalidRecordError("it is from a shared folder; sync it with: lamella share FOLDER")
    content, changes = body.removeprefix("\n"), []
    if _FILES in values:
        content, marker, rest = content.partition(f"\n\n{values.get(_MARKER, _marker('', ()))}\n")
        if not marker:
            raise InvalidRecordError("the marker line before the code changes is missing")
        changes = list(_changes(rest))
    else:
        content = content.removesuffix("\n")
    return {
        "title": values.get("title", generated_title(trimmed(content))),
        "content": content,
        "changes": changes,
    }


def _changes(rest: str) -> Iterator[dict[str, Any]]:
    place = 0
    while found := _FENCE_LINE.search(rest, place):
        start, fence = found.end(), found["fence"]
        end = rest.find(f"\n{fence}\n", start - 1)
        if end < 0:
            raise InvalidRecordError("a change of code has no closing line")
        # For an empty change, the closing fence directly follows the opening one.
        hunks = rest[start:end] if end >= start else ""
        yield {**json.loads(found["fields"]), "hunks": hunks}
        place = end + len(fence) + 2


def _conversation(fields: Mapping[str, Any], body: str) -> Iterator[records.Record]:
    project, session = fields["project"], fields["id"]
    if "name" in fields:
        yield records.record_of({"type": "session", **{name: fields[name] for name in ("project", "id", "name")}})
    place = 0
    while place < len(body):
        start = body.index("-->\n", place) + len("-->\n")
        head = json.loads(body[place:start].strip().removeprefix("<!--").removesuffix("-->"))
        characters = head.pop("characters")
        text = body[start : start + characters]
        place = start + characters + 1
        if body[place - 1 : place] != "\n":
            raise InvalidRecordError("the text of a message is longer or shorter than stated")
        yield records.record_of({"type": "message", "project": project, "session": session, "text": text, **head})
