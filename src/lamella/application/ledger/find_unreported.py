"""Find changes that commands of a shell have made in a working tree."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path

from attrs import define, frozen

from lamella.application.ledger.record_change import CapturedEdit
from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.resolver import Here, ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.ledger.hunks import EDITS_APART, bounded
from lamella.domain.ledger.merge_edits import JOINING, TICK
from lamella.domain.ledger.unreported import discarded, lost_again, restored, unreported
from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.domain.privacy.private_files import is_private
from lamella.ports.history import CodeHistory, Latest
from lamella.ports.spool import CommandCaptured
from lamella.ports.storage.storage import Capability
from lamella.ports.working_tree import WorkingTree

LONGEST_COMMAND = timedelta(minutes=10)
"""Longest time before the end of a command in which it may have touched a file."""

_UNCERTAIN = timedelta(seconds=2)
"""Uncertainty of the time at which a command began."""

_USUAL = timedelta(minutes=1)
"""Assumed run time of a command if unknown."""

_CHECKOUT = timedelta(seconds=10)
"""Time after a checkout in which files count as checked out, not as restored."""

_PASSED_OVER = "too many, changed at once by commands"
"""Reason for which files and commits are passed over, after their number."""

_GIT = re.compile(r"(?<![\w.-])git(?![\w.-])")
"""The word in a command that may commit."""

_COMMITS = 100
"""Most commits that are read: more are the work of a program."""

_RECENT = 50
"""Most recent changes whose files are checked for restored lines."""

_NOTEBOOK = ".ipynb"
"""Suffix of notebooks: their edits hold the lines of a cell, which look different in the file."""

_HISTORY = 20
"""Most observations of a file whose lines are compared."""

_WHOLE = 250_000
"""Characters of a file that are always read."""

_SETTLED = timedelta(seconds=5)
"""Least time from a commit to an edit that is not in it: commits count seconds, hooks take three."""

_TELLING = 1_000
"""Most recent observations that are searched for files that were passed over."""


@frozen
class UnreportedChanges:
    """Changes that no hook reported, and the number of `more` files and `commits` that were not read."""

    changes: tuple[CapturedEdit, ...]
    more: int
    commits: int

    @property
    def passed_over(self) -> str:
        """Return a sentence about files and commits that were not read; empty if there are none."""
        counts = ((self.more, "file"), (self.commits, "commit"))
        many = " and ".join(f"{count:,} {what}{'s'[: count > 1]}" for count, what in counts if count)
        return f"{many} {_PASSED_OVER}" if many else ""


@define
class FindUnreported:
    """Find changes in the tracked files of a working tree that no edit has reported."""

    projects: ProjectResolver
    working_tree: WorkingTree
    history: CodeHistory

    def __call__(self, call: Call, commands: Sequence[CommandCaptured]) -> UnreportedChanges | None:
        """Return unreported changes between the first and the last of `commands`, which are in order of time.

        Lines that are not committed, or were while a command ran that says `git`, and that no observation tells
        of; files that were deleted or renamed; and lines that are back though an observation took them away, as
        after `git checkout`, or that are gone again, or were thrown away before they were committed. Each is the
        work of the first command that ended after the file was touched; where that command had not begun yet,
        somebody else's, and no reason is told.
        What was touched after the last is the work of an edit or a command still to be told of. What was
        passed over before, because it was too much, is so again. None where version control gives no answer.

        Raises:
            CapabilityUnsupportedError: the storage keeps no ledger.
            StorageError: what is known cannot be read.
        """
        here = self.projects.find(call)
        began, ended = commands[0].at - LONGEST_COMMAND, commands[-1].at + TICK
        before = self._last_too_much(here, began)
        began = began if before is None else before + TICK
        differing = self.working_tree.uncommitted(here.root, since=began, until=ended)
        if differing is None:
            return None
        changes: dict[str, list[CodeChange]] = {}
        latest = self._commits(here.root, commands, began)
        for change in (*differing.changes, *(change for each in latest.commits for change in each.changes)):
            changes.setdefault(change.path, []).append(change)
        committed = cache(partial(self.history.committed, here.root))
        others = {*differing.more, *(path for each in latest.commits for path in each.more)} - changes.keys()
        recent = [path for path in _recent(here) if path not in changes]
        checked_out = max(began, self.working_tree.made(here.root) + _CHECKOUT)
        starts = dict.fromkeys(changes, began) | dict.fromkeys(recent, checked_out)
        edits = (
            self._edit(here, path, changes.get(path, ()), commands, since=since, committed=committed)
            for path, since in starts.items()
        )
        found = tuple(edit for edit in edits if edit is not None)
        more = self._nobody_tells(here, others, began, ended)
        return UnreportedChanges(found, more=more, commits=latest.more)

    def _edit(
        self,
        here: Here,
        path: str,
        changes: Sequence[CodeChange],
        commands: Sequence[CommandCaptured],
        *,
        since: datetime,
        committed: Callable[[], datetime | None],
    ) -> CapturedEdit | None:
        """Return the unreported change of a file touched between `since` and the end of `commands`, if any."""
        touched = self.working_tree.touched(here.root, path)
        if is_private(path) or not since <= touched <= commands[-1].at + TICK:
            return None
        cause = next((each for each in commands if each.at + TICK >= touched), commands[-1])
        ran = _began(cause) <= touched
        outside = self._outside(here, path, changes, committed if ran else _unknown)
        return None if outside is None else _captured(outside, cause, _why(cause) if ran else "")

    def _last_too_much(self, here: Here, since: datetime) -> datetime | None:
        """Return when files were last passed over, if that was logged after `since`."""
        noted = here.project is not None and Capability.ACTIVITY in self.projects.storage.capabilities
        entries = here.activity().since(since) if noted else ()
        return max((each.at for each in entries if each.about.endswith(_PASSED_OVER)), default=None)

    def _commits(self, root: Path, commands: Sequence[CommandCaptured], since: datetime) -> Latest:
        """Return the commits made after `since` while commands ran that name `git`."""
        saying = [each for each in commands if _GIT.search(each.command)]
        during = [(max(_began(each), since), each.at + TICK) for each in saying if each.at >= since]
        return self.history.latest(root, during=during, limit=_COMMITS) if during else Latest()

    def _nobody_tells(self, here: Here, paths: Iterable[str], began: datetime, ended: datetime) -> int:
        """Return the number of files touched in a time span that no observation of it reports."""
        touched = [path for path in paths if began <= self.working_tree.touched(here.root, path) <= ended]
        if not touched:
            return 0
        query = RecallQuery(filters=Filters(path=".", since=began - JOINING), limit=_TELLING)
        told = set(_changed(here, query))
        return sum(_kept(path) not in told and not is_private(path) for path in touched)

    def _outside(
        self, here: Here, path: str, changes: Sequence[CodeChange], committed: Callable[[], datetime | None]
    ) -> CodeChange | None:
        """Return the unreported part of a file's changes, which are given latest first; None if there is none.

        `committed` says when anything was committed last, if that is known and of use.
        """
        observed = _told(here, path)
        names = {each.former for each in observed}
        formers = [each.former for each in changes if each.former is not None and _kept(each.former) not in names]
        told = [each.hunks for each in (*observed, *(each for former in formers for each in _told(here, former)))]
        newer: list[str] = []
        pieces: list[str] = []
        for change in () if told and path.endswith(_NOTEBOOK) else changes:
            hunks = bounded(Cleaner().text(change.hunks))
            pieces.insert(0, unreported(hunks, told, newer))
            newer.append(hunks)
        text = self.working_tree.text(here.root, path)
        pieces.append(restored(text, [*pieces[::-1], *told]))
        pieces.append(lost_again(text, [*pieces[::-1], *told]))
        pieces.append("" if path.endswith(_NOTEBOOK) else _discarded(text, pieces[::-1], observed, committed))
        if not any(pieces) and not formers:
            return None
        hunks = EDITS_APART.join(filter(None, pieces))
        return CodeChange(path=path, former=formers[-1] if formers else None, hunks=hunks)


@frozen
class _Told:
    """The change of a file that an observation holds, and its time."""

    at: datetime
    source: str
    former: str | None
    hunks: str


def _discarded(
    text: str, newer: Sequence[str], observed: Sequence[_Told], committed: Callable[[], datetime | None]
) -> str:
    """The lines that edits brought into a file since anything was committed, and that are nowhere any more.

    Those that others brought may be of a commit. What others took, or brought again, is told already.

    `newer` hunks, latest first, are what was found after all that was `observed`.
    """
    if len(text) > _WHOLE or not discarded(text, [*newer, *(each.hunks for each in observed)]):
        return ""
    if (moment := committed()) is None:
        return ""
    edits = [each.hunks for each in observed if each.source == EDITED and each.at > moment + _SETTLED]
    others = [each.hunks for each in observed if each.source != EDITED]
    return discarded(f"{text}\n{Cleaner().text(text)}", edits, [*newer, *others])


def _unknown() -> None:
    """Stand in for the time of the last commit where it is of no use."""


def _captured(outside: CodeChange, cause: CommandCaptured, why: str) -> CapturedEdit:
    return CapturedEdit(
        path=outside.path,
        former=outside.former,
        hunks=outside.hunks,
        at=cause.at,
        request=f"{cause.name} {outside.path}",
        session=cause.session,
        reason=why,
        asked=cause.asked,
        source=FOUND,
    )


def _began(command: CommandCaptured) -> datetime:
    """Return the earliest time at which a command may have begun."""
    return command.at - (_USUAL if command.took is None else command.took) - _UNCERTAIN


def _why(cause: CommandCaptured) -> str:
    return "\n".join(filter(None, (cause.reason, cause.command and f"Command: {cause.command}")))


def _recent(here: Here) -> Sequence[str]:
    """Return the files that changed last."""
    return _changed(here, RecallQuery(filters=Filters(path="."), limit=_RECENT))


def _changed(here: Here, query: RecallQuery) -> Sequence[str]:
    hits = here.search.find(query)
    return list(dict.fromkeys(change.path for hit in hits for change in hit.observation.changes))


def _kept(path: str) -> str:
    """Return a path as it is stored."""
    return Cleaner().text(path)


def _told(here: Here, path: str) -> Sequence[_Told]:
    """Return the changes in the latest observations of a file, latest first."""
    told: list[_Told] = []
    for entry in here.ledger().history(_kept(path), limit=_HISTORY):
        with suppress(ObservationNotFoundError):  # it was erased meanwhile
            changes = here.observations.get(entry.observation).changes
            told += [
                _Told(entry.at, entry.source, change.former, change.hunks)
                for change in changes
                if change.path == entry.change.path
            ]
    return told
