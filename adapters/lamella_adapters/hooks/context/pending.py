"""Removed code that an edit brings back. The removal is in storage, in the spool, or not recorded yet.

A captured removal stays in the spool until it is stored, for example if the next prompt comes quickly. A removal
by hand isn't recorded until the next prompt is stored, so it is found by a comparison with the last commit.

Hooks import this module, so it must load fast.
"""

# ruff: noqa: PLC0415 - most edits need none of these imports
# ruff: noqa: PTH116, PTH118, PTH208 - importing pathlib would take longer than the rest of a hook

import os

from lamella_adapters.hooks import prompt_reason
from lamella_adapters.hooks.clients import Edit, Event
from lamella_adapters.hooks.paths import joined
from lamella_adapters.hooks.payload import Json, parsed, text_in
from lamella_adapters.hooks.session_records import content_of
from lamella_adapters.process.start import spool_folder, storage_url

_SUFFIX = ".json"
"""Suffix of the spool files. The name of a file is the key of its removal."""

_MOST_FILES = 20
_MOST_BYTES = 512 * 1024
_SECOND = 10**6

_LONGEST_BREAK = 24 * 60 * 60
"""Longest break in seconds between a change that the user makes to a file by hand, and the next prompt."""

_GIT_SECONDS = 0.1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lamella.domain.ledger.reintroduction import Likeness
    from lamella.domain.ledger.removed_code import RemovedCode
    from lamella.ports.hook_reads import ProjectReads


class Pending:
    """Removals from a file that aren't stored yet."""

    def __init__(self, event: Event, directory: str, file: str, root: str, path: str) -> None:
        """Search the spool of a data directory for edits of a file. `path` is relative to the root."""
        self.directory, self.root, self.path = directory, root, path
        self.removals: list[RemovedCode] = []
        self.hunks: dict[str, str] = {}
        self.touched = _touched_by_hand(file, prompt_reason.asked(directory, event.session))
        folder = spool_folder(storage_url(os.environ.get("LAMELLA_STORAGE", ""), directory), directory)
        try:
            names = sorted(each for each in os.listdir(folder) if each.endswith(_SUFFIX))[-_MOST_FILES:]
        except OSError:
            return
        for name in names:
            record = parsed(content_of(os.path.join(folder, name), _MOST_BYTES).encode()) or {}
            edited = joined(text_in(record, "directory"), text_in(record, "path"))
            if text_in(record, "hunks") and edited == file:
                self.removals.append(_removal(name, record, path))
                self.hunks[name] = text_in(record, "hunks")

    @property
    def possible(self) -> bool:
        """True if there may be removals from the file that aren't stored yet."""
        return bool(self.removals or self.touched)

    def by_hand(self, before: str, asked: frozenset[int]) -> "list[RemovedCode]":
        """Return the lines of the last commit that are missing from `before` and have a fingerprint in `asked`."""
        from lamella.domain.privacy.private_files import is_private
        from lamella_adapters.git.repository.asking import asking
        from lamella_adapters.git.repository.locate import directories

        if not self.touched or is_private(self.path) or directories(self.root) is None:
            return []
        # Unlike a comparison by git, this runs none of the repository's filters.
        committed = asking(self.root, _GIT_SECONDS, _MOST_BYTES)("cat-file", "blob", f"HEAD:{self.path}")
        there = {line.strip() for line in before.split("\n")}
        lines = (committed or b"").decode(errors="replace").splitlines()
        hunks = "\n".join(f"-{line}" for line in lines if line.strip() not in there)
        record: Json = {"at": self.touched, "hunks": hunks}
        removal = _removal(f"{self.touched}{_SUFFIX}", record, self.path)
        return [removal._replace(fingerprints=removal.fingerprints & asked)]


def brought_back(
    event: Event, edit: Edit, project: "ProjectReads | None", pending: Pending
) -> "tuple[RemovedCode, Likeness, RemovedCode, str] | None":
    """Return the removed code that an edit brings back, its likeness, its reason, and the reason's short id.

    If the removal's session saved a decision about the file, the reason is the removal with the key and title of
    this decision. Otherwise, the reason is the unchanged removal. The short id of a pending removal is empty.
    """
    known = project is not None and project.knows_file(pending.path)
    if not (known or pending.possible):
        return None
    from lamella.domain.ledger.reintroduction import reintroduced, returning
    from lamella.domain.memories.kind import Kind
    from lamella_adapters.hooks.context.edit_warning import current_turn, edited

    def removals(asked: frozenset[int]) -> "list[RemovedCode]":
        stored = project.removals(pending.path, asked) if project is not None and known else []
        found = [each._replace(fingerprints=each.fingerprints & asked) for each in pending.removals]
        removed = [*(each for each in found if each.fingerprints), *stored]
        unexplained = asked.difference(*(each.fingerprints for each in removed))
        return [*removed, *(pending.by_hand(texts[0], unexplained) if texts else ())]

    def hunks(removal: "RemovedCode") -> str:
        waiting = pending.hunks.get(removal.key)
        return (
            project.hunks(removal.key, removal.path) if waiting is None and project is not None else waiting or ""
        )

    texts = edited(edit)
    found = texts and reintroduced(*texts, removals, current_turn(pending.directory, event.session), hunks)
    if not texts or not found:
        return None
    removal, likeness = found
    event.returning = ""
    if project is None or removal.key.endswith(_SUFFIX):
        return removal, likeness, removal, ""
    # Record a warning only if the removal is stored as a memory. Erasing this memory also erases the record. The
    # record of a pending removal would stay.
    event.returning = returning(pending.path, *texts, removal.fingerprints)
    # A decision has no lines, so a search for removals doesn't find it. Look it up separately.
    decision = removal.kind is Kind.CHANGE and project.decision(removal.session or "", removal.path)
    why = removal._replace(key=decision[0], title=decision[1]) if decision else removal
    return removal, likeness, why, project.short_id(why.key)


def _touched_by_hand(file: str, asked: float | None) -> float:
    """Return the time of a file's last change; 0 if the change wasn't in the pause before the last prompt."""
    try:
        touched = os.stat(file, follow_symlinks=False).st_mtime
    except OSError:
        return 0
    return touched if asked is not None and asked - _LONGEST_BREAK <= touched < asked else 0


def _removal(name: str, record: Json, path: str) -> "RemovedCode":
    from lamella.domain.ledger.fingerprints import fingerprints_of
    from lamella.domain.ledger.removed_code import RemovedCode
    from lamella.domain.memories.kind import ACCOUNT, EDITED, Kind

    at, title = int(float(str(record.get("at"))) * _SECOND), text_in(record, "reason") or f"{ACCOUNT}{path}"
    (lines,) = fingerprints_of([text_in(record, "hunks")])
    return RemovedCode(name, at, Kind.CHANGE, EDITED, text_in(record, "session"), title, path, lines.removed)
