"""Memory files in a team's shared folder: the Markdown of an export, without machine-specific values.

A file names no project, session or request, and no time except the time of the save, so its bytes are the same on
every machine. A file has the paths of the memory's code files, but no code: the repository has the code.
"""

from collections.abc import Mapping
from datetime import UTC
from typing import Any
from uuid import UUID, uuid5

from attrs import evolve, frozen

from lamella.domain.errors import LamellaError
from lamella.domain.exchange import file_names, front_matter, markdown, records
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.fields import InvalidRecordError
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import trimmed

_VERSION, _PATHS = "lamella", "paths"
_READ = frozenset({
    "title", "keywords", "metadata", "id", "kind", "source", "actor", "author", "branch", "head", "client",
    "created_at",
})  # fmt: skip
_FRONT_CHARACTERS = 64 * 1024
"""Maximum length of front matter."""

_ELSEWHERE = ("project", "purged_at", "replaced_by")
"""Fields that only exports have. A file with such a field isn't from a shared folder."""

_SHORT_ID, LONG_ID = 8, 32

_UNKNOWN = "an edit made it unreadable"


@frozen
class UnfitFileError(LamellaError):
    """A file can't be imported. `reason` is printed after its name."""

    reason: str

    def __str__(self) -> str:
        return self.reason


def printed(observation: Observation) -> str:
    """Return the text of a memory's file."""
    fields = records.record_fields(Arrival(observation=observation))
    said = {"type": fields["type"], "title": fields["title"]}
    said |= {name: value for name, value in fields.items() if name in _READ}
    if said["title"] == generated_title(trimmed(observation.content)):
        # Write no generated title: after an edit of the text, the old title would stay, and another machine
        # couldn't tell that it was generated.
        del said["title"]
    if paths := [each.path for each in observation.changes]:
        said[_PATHS] = paths
    return f"{markdown.front(said)}\n{fields['content']}\n"


def name_of(observation: Observation, *, digits: int = _SHORT_ID) -> str:
    """Return a name for a memory's file. The name contains the first `digits` digits of the memory's id."""
    own = evolve(observation, occurred_at=observation.created_at.astimezone(UTC))
    return file_names.memory_file_name(Arrival(observation=own), digits=digits)


def parsed(text: str, project: str) -> Observation | None:
    """Return the memory of a file, None for another program's file.

    Args:
        text: Content of the file.
        project: Id of the memory's project here.

    Raises:
        UnfitFileError: The file is a memory file, but unusable.
    """
    text = front_matter.as_written(text)
    require_resolved(text)
    # Parse only front matter with our key: other programs' front matter may be any YAML.
    if f"\n{_VERSION}:" not in f"\n{text}":
        return None
    if text.find(f"\n{front_matter.FENCE}") > _FRONT_CHARACTERS:
        raise UnfitFileError(_UNKNOWN)
    try:
        found = markdown.read_front(text)
        return None if found is None else _observation(*found, project)
    except UnreadableExportError as error:
        raise UnfitFileError(error.reason) from error
    except InvalidRecordError as error:
        raise UnfitFileError(str(error)) from error
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise UnfitFileError(_UNKNOWN) from error


def require_resolved(text: str) -> None:
    """Check that a text has no conflict.

    Raises:
        UnfitFileError: The text has git's conflict markers.
    """
    if markdown.has_conflict(text):
        raise UnfitFileError(markdown.CONFLICT)


def _observation(values: Mapping[str, Any], body: str, project: str) -> Observation:
    if "id" not in values:
        raise InvalidRecordError("it has no `id`; to save its text as a new memory: lamella save - < FILE")
    if values.get("type") != "memory":
        raise InvalidRecordError("it is not a memory")
    for name in _ELSEWHERE:
        if name in values:
            raise InvalidRecordError(f"it has `{name}`, so it is from an export. Import it with: lamella import")
    if not body.strip():
        raise InvalidRecordError("it has no text below its front matter")
    paths = values.get(_PATHS) or []
    fields = {name: value for name, value in values.items() if name in _READ and value != []}
    record = records.record_of({
        "title": "",
        **fields,
        "type": "memory",
        "project": project,
        "content": body.removeprefix("\n").removesuffix("\n"),
        "changes": [{"path": path} for path in ([paths] if isinstance(paths, str) else paths)],
    })  # fmt: skip
    assert isinstance(record, Arrival)  # noqa: S101 - records of type `memory` are arrivals
    return record.observation


def says_the_same(one: Observation, other: Observation) -> bool:
    """Return True if two memories have the same title, text and keywords."""
    first, second = ((each.title.strip(), trimmed(each.content), each.keywords) for each in (one, other))
    return first == second


def is_unedited(text: str, said: Observation) -> bool:
    """Return True if a file has the same id, title, text and keywords as `said`, a memory without secrets."""
    try:
        found = parsed(text, said.project)
    except UnfitFileError:
        return False
    if found is None or found.id != said.id:
        return False
    return says_the_same(evolve(found, title=found.title.strip() or generated_title(trimmed(found.content))), said)


def edited_id(id: UUID, said: Observation) -> UUID:
    """Return the id of the edited version of a memory: a hash of the new text, equal on every machine."""
    keywords = f"\0{said.keywords}" if said.keywords else ""
    return uuid5(id, f"{said.title}\n{said.content}{keywords}")
