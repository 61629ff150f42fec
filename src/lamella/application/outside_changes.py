"""Finding out what commands of a shell have changed in a working tree."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from attrs import define

from lamella.application.cleaning import Cleaner
from lamella.application.projects import Here, ProjectResolver
from lamella.application.record_change import CapturedChange
from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.hunks import EDITS_APART, bounded
from lamella.domain.observation import CodeChange
from lamella.domain.outside_changes import returned, untold
from lamella.domain.private_files import is_private
from lamella.domain.query import Filters, RecallQuery
from lamella.ports.history import CodeHistory
from lamella.ports.spool import Captured
from lamella.ports.working_tree import WorkingTree

LONGEST_COMMAND = timedelta(minutes=10)
"""What was touched longer before a command ended was not touched by it."""

_UNCERTAIN = timedelta(seconds=2)
"""How much earlier than it is said to have begun a command may have touched a file."""

_TICK = timedelta(milliseconds=100)
"""How much later than the capture that tells of it a file may seem to have been touched."""

_CHECKOUT = timedelta(seconds=10)
"""How long after a working tree was made its files may be those that came with it, and nothing came back."""

MOST_FILES = 25
"""More files than these, changed at once, are the work of a program, and not told one by one."""

_COMMITTING = timedelta(minutes=1)
"""How long before a command ended it may have made a commit; in a longer time anybody may."""

_COMMITS = 5
"""How many of the latest commits are looked at: more were not made, but rebased."""

_RECENT = 50
"""How many of the latest changes name the files that may have come back to what they were."""

_NOTEBOOK = ".ipynb"
"""How a file is called whose edits are told by the lines of a cell, which don't stand like that in the file."""

_HISTORY = 20
"""How many observations of a file are asked what became of its lines."""


@define
class FindOutsideChanges:
    """Tells what in the tracked files of a working tree no edit has told of."""

    projects: ProjectResolver
    working_tree: WorkingTree
    history: CodeHistory

    def __call__(self, commands: Sequence[Captured], latest: datetime) -> tuple[CapturedChange, ...] | None:
        """What changed since the first of `commands`, in order of their time, and no later than `latest`.

        Lines that are not committed, or were just now, and that no observation tells of; files that were deleted
        or renamed; and lines that are back though an observation took them away, as after `git checkout`. Each is
        the work of the first command that ended after the file was touched; where that command had not begun yet,
        and committed nothing of it, somebody else's, and no reason is told. What was touched after all that was
        captured is the work of an edit or a command still to be told of. None where version control gives no
        answer.

        Raises:
            CapabilityUnsupportedError: the storage keeps no ledger.
            StorageError: what is known cannot be read.
        """
        here = self.projects.here()
        differing = self.working_tree.uncommitted(here.root)
        if differing is None:
            return None
        changes: dict[str, list[CodeChange]] = {}
        committed = self._committed(here.root, commands)
        for change in (*differing, *committed):
            changes.setdefault(change.path, []).append(change)
        commits = {change.path for change in committed}
        recent = [path for path in _recent(here) if path not in changes]
        began = commands[0].at - LONGEST_COMMAND
        checked_out = max(began, self.working_tree.made(here.root) + _CHECKOUT)
        found = []
        for path in (*changes, *recent):
            touched = self.working_tree.touched(here.root, path)
            since = began if path in changes else checked_out
            if is_private(path) or not since <= touched <= latest + _TICK:
                continue
            cause = next((each for each in commands if each.at + _TICK >= touched), commands[-1])
            why = _why(cause) if path in commits or _had_begun(cause, touched) else ""
            if (outside := self._outside(here, path, changes.get(path, ()), cause, why)) is not None:
                found.append(outside)
        return tuple(found[:MOST_FILES])

    def _committed(self, root: Path, commands: Sequence[Captured]) -> list[CodeChange]:
        """What was committed by `commands` that speak of git, latest first."""
        ended = [each.at for each in commands if "git" in (each.command or "")]
        if not ended:
            return []
        commits = self.history.latest(root, since=min(ended) - _COMMITTING, limit=_COMMITS)
        return [
            change
            for commit in commits
            if any(at - _COMMITTING <= commit.at <= at for at in ended)
            for change in commit.changes
        ]

    def _outside(
        self, here: Here, path: str, changes: Sequence[CodeChange], cause: Captured, why: str
    ) -> CapturedChange | None:
        """What of a file's changes, latest first, nobody told of; None where that is nothing."""
        told, names = _told(here, path)
        formers = [each.former for each in changes if each.former is not None and each.former not in names]
        for former in formers:
            told += _told(here, former)[0]
        newer: list[str] = []
        pieces: list[str] = []
        for change in () if told and path.endswith(_NOTEBOOK) else changes:
            hunks = bounded(Cleaner().text(change.hunks))
            pieces.insert(0, untold(hunks, told, newer))
            newer.append(hunks)
        pieces.append(returned(self.working_tree.text(here.root, path), [*pieces[::-1], *told]))
        if not any(pieces) and not formers:
            return None
        return CapturedChange(
            path=path,
            former=formers[-1] if formers else None,
            hunks=EDITS_APART.join(filter(None, pieces)),
            at=cause.at,
            request=f"{cause.name} {path}",
            session=cause.session,
            reason=why,
        )


def _had_begun(cause: Captured, moment: datetime) -> bool:
    return cause.took is None or cause.at - cause.took - _UNCERTAIN <= moment


def _why(cause: Captured) -> str:
    return "\n".join(filter(None, (cause.reason, cause.command and f"Command: {cause.command}")))


def _recent(here: Here) -> Sequence[str]:
    """The files that changed last."""
    query = RecallQuery(filters=Filters(path="."), limit=_RECENT)
    hits = here.search.find(query)
    return list(dict.fromkeys(change.path for hit in hits for change in hit.observation.changes))


def _told(here: Here, path: str) -> tuple[list[str], set[str | None]]:
    """The hunks of the latest observations of a file, latest first, and the former names that they tell."""
    entries = here.ledger().history(path, limit=_HISTORY)
    hunks: list[str] = []
    for entry in entries:
        with suppress(ObservationNotFoundError):  # it was erased meanwhile
            changes = here.observations.get(entry.observation).changes
            hunks += [change.hunks for change in changes if change.path == entry.change.path]
    return hunks, {entry.change.former for entry in entries}
