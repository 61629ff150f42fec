"""Removed code returning with an edit: from storage, and from the spool, as after a quick prompt.

Hooks import this module, so it must load fast.
"""

# ruff: noqa: PLC0415 - most edits need none of these imports
# ruff: noqa: PTH118, PTH208 - importing pathlib costs a hook more than the rest

import os

from lamella_adapters.hooks.clients import Edit, Event
from lamella_adapters.hooks.paths import joined
from lamella_adapters.hooks.payload import Json, parsed, text_in
from lamella_adapters.hooks.session_records import content_of

_SUFFIX = ".json"
"""Suffix of pending removals' keys: the names of their records."""

_MOST_FILES = 20
_MOST_BYTES = 512 * 1024
_SECOND = 10**6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lamella.domain.ledger.reintroduction import Likeness
    from lamella.domain.ledger.removed_code import RemovedCode
    from lamella.ports.hook_reads import ProjectReads


class Pending:
    """Removals from a file by captured, not yet stored edits."""

    def __init__(self, directory: str, file: str, path: str) -> None:
        """Search the spool of a data directory for edits of a file. `path` is relative to the root."""
        self.directory, self.path = directory, path
        self.removals: list[RemovedCode] = []
        folder = os.path.join(directory, "spool")
        try:
            names = sorted(each for each in os.listdir(folder) if each.endswith(_SUFFIX))[-_MOST_FILES:]
        except OSError:
            return
        for name in names:
            record = parsed(content_of(os.path.join(folder, name), _MOST_BYTES).encode()) or {}
            edited = joined(text_in(record, "directory"), text_in(record, "path"))
            if text_in(record, "hunks") and edited == file:
                self.removals.append(_removal(name, record, path))


def brought_back(
    event: Event, edit: Edit, project: "ProjectReads | None", pending: Pending
) -> "tuple[RemovedCode, Likeness, str] | None":
    """Return the removed code that an edit brings back, its likeness, and its memory's id (empty if pending)."""
    known = project is not None and project.knows_file(pending.path)
    if not (known or pending.removals):
        return None
    from lamella.domain.ledger.reintroduction import reintroduced, returning
    from lamella_adapters.hooks.context.edit_warning import current_turn, edited

    def removals(asked: frozenset[int]) -> "list[RemovedCode]":
        stored = project.removals(pending.path, asked) if project is not None and known else []
        found = [each._replace(fingerprints=each.fingerprints & asked) for each in pending.removals]
        return [*(each for each in found if each.fingerprints), *stored]

    texts = edited(edit)
    found = texts and reintroduced(*texts, removals, current_turn(pending.directory, event.session))
    if not found:
        return None
    removal, likeness = found
    id = "" if project is None or removal.key.endswith(_SUFFIX) else project.short_id(removal.key)
    # Don't record a warning before the removal is stored, because the record must be erased with its memory.
    event.returning = returning(pending.path, *texts, removal.fingerprints) if texts and id else ""
    return removal, likeness, id


def _removal(name: str, record: Json, path: str) -> "RemovedCode":
    from lamella.domain.ledger.hunk_fingerprints import fingerprints_of
    from lamella.domain.ledger.removed_code import RemovedCode
    from lamella.domain.memories.kind import ACCOUNT, EDITED, Kind

    at, title = int(float(str(record.get("at"))) * _SECOND), text_in(record, "reason") or f"{ACCOUNT}{path}"
    (lines,) = fingerprints_of([text_in(record, "hunks")])
    return RemovedCode(name, at, Kind.CHANGE, EDITED, text_in(record, "session"), title, path, lines.removed)
