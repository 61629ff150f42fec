"""Finding out what commands of a shell have changed in a working tree."""

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
from lamella.domain.ledger.unreported import gone_again, returned, thrown_away, untold
from lamella.domain.memories.kind import EDITED, FOUND
from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.query import Filters, RecallQuery
from lamella.domain.privacy.private_files import is_private
from lamella.ports.history import CodeHistory, Latest
from lamella.ports.spool import CommandCaptured
from lamella.ports.storage.storage import Capability
from lamella.ports.working_tree import WorkingTree

LONGEST_COMMAND = timedelta(minutes=10)
"""What was touched longer before a command ended was not touched by it."""

_UNCERTAIN = timedelta(seconds=2)
"""How much earlier than it is said to have begun a command may have touched a file."""

_USUAL = timedelta(minutes=1)
"""How long a command is taken to have run where nobody says."""

_CHECKOUT = timedelta(seconds=10)
"""How long after a working tree was made its files may be those that came with it, and nothing came back."""

_PASSED_OVER = "too many, changed at once by commands"
"""Why files are passed over, and commits, after how many they are."""

_GIT = re.compile(r"(?<![\w.-])git(?![\w.-])")
"""The word that a command says which commits."""

_COMMITS = 100
"""How many of the latest commits are looked at: more are the work of a program."""

_RECENT = 50
"""How many of the latest changes name the files that may have come back to what they were."""

_NOTEBOOK = ".ipynb"
"""How a file is called whose edits are told by the lines of a cell, which don't stand like that in the file."""

_HISTORY = 20
"""How many observations of a file are asked what became of its lines."""

_WHOLE = 250_000
"""So many characters of a file are read for certain."""

_SETTLED = timedelta(seconds=5)
"""How much later than a commit an edit is told of that is not in it: that counts seconds, and hooks take three."""

_TELLING = 1_000
"""How many of the latest observations are asked whether they tell of files of which there are too many."""


@frozen
class UnreportedChanges:
    """What nobody told of; of so many `more` files, and in so many `commits`, it is not known what changed."""

    changes: tuple[CapturedEdit, ...]
    more: int
    commits: int

    @property
    def passed_over(self) -> str:
        """What is said of the others; empty where there are none."""
        counts = ((self.more, "file"), (self.commits, "commit"))
        many = " and ".join(f"{count:,} {what}{'s'[: count > 1]}" for count, what in counts if count)
        return f"{many} {_PASSED_OVER}" if many else ""


@define
class FindUnreported:
    """Tells what in the tracked files of a working tree no edit has told of."""

    projects: ProjectResolver
    working_tree: WorkingTree
    history: CodeHistory

    def __call__(self, call: Call, commands: Sequence[CommandCaptured]) -> UnreportedChanges | None:
        """What changed since the first of `commands`, in order of their time, and no later than the last.

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
        found = []
        for path in (*changes, *recent):
            touched = self.working_tree.touched(here.root, path)
            since = began if path in changes else checked_out
            if is_private(path) or not since <= touched <= ended:
                continue
            cause = next((each for each in commands if each.at + TICK >= touched), commands[-1])
            ran = _began(cause) <= touched
            outside = self._outside(here, path, changes.get(path, ()), committed if ran else _unknown)
            if outside is not None:
                found.append(_captured(outside, cause, _why(cause) if ran else ""))
        more = self._nobody_tells(here, others, began, ended)
        return UnreportedChanges(tuple(found), more=more, commits=latest.more)

    def _last_too_much(self, here: Here, since: datetime) -> datetime | None:
        """When files were passed over last, if that was `since` a moment and somebody noted it."""
        noted = here.project is not None and Capability.ACTIVITY in self.projects.storage.capabilities
        entries = here.activity().since(since) if noted else ()
        return max((each.at for each in entries if each.about.endswith(_PASSED_OVER)), default=None)

    def _commits(self, root: Path, commands: Sequence[CommandCaptured], since: datetime) -> Latest:
        """What was committed while those of `commands` ran that say `git`, and not before a moment."""
        saying = [each for each in commands if _GIT.search(each.command)]
        during = [(max(_began(each), since), each.at + TICK) for each in saying if each.at >= since]
        return self.history.latest(root, during=during, limit=_COMMITS) if during else Latest()

    def _nobody_tells(self, here: Here, paths: Iterable[str], began: datetime, ended: datetime) -> int:
        """Of how many files that were touched in some time no observation of it tells."""
        touched = [path for path in paths if began <= self.working_tree.touched(here.root, path) <= ended]
        if not touched:
            return 0
        query = RecallQuery(filters=Filters(path=".", since=began - JOINING), limit=_TELLING)
        told = set(_changed(here, query))
        return sum(_kept(path) not in told and not is_private(path) for path in touched)

    def _outside(
        self, here: Here, path: str, changes: Sequence[CodeChange], committed: Callable[[], datetime | None]
    ) -> CodeChange | None:
        """What of a file's changes, latest first, nobody told of; None where that is nothing.

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
            pieces.insert(0, untold(hunks, told, newer))
            newer.append(hunks)
        text = self.working_tree.text(here.root, path)
        pieces.append(returned(text, [*pieces[::-1], *told]))
        pieces.append(gone_again(text, [*pieces[::-1], *told]))
        pieces.append("" if path.endswith(_NOTEBOOK) else _thrown_away(text, pieces[::-1], observed, committed))
        if not any(pieces) and not formers:
            return None
        hunks = EDITS_APART.join(filter(None, pieces))
        return CodeChange(path=path, former=formers[-1] if formers else None, hunks=hunks)


@frozen
class _Told:
    """What an observation told of a file, and since when."""

    at: datetime
    source: str
    former: str | None
    hunks: str


def _thrown_away(
    text: str, newer: Sequence[str], observed: Sequence[_Told], committed: Callable[[], datetime | None]
) -> str:
    """The lines that edits brought into a file since anything was committed, and that are nowhere any more.

    Those that others brought may be of a commit. What others took, or brought again, is told already.

    `newer` hunks, latest first, are what was found after all that was `observed`.
    """
    if len(text) > _WHOLE or not thrown_away(text, [*newer, *(each.hunks for each in observed)]):
        return ""
    if (moment := committed()) is None:
        return ""
    edits = [each.hunks for each in observed if each.source == EDITED and each.at > moment + _SETTLED]
    others = [each.hunks for each in observed if each.source != EDITED]
    return thrown_away(f"{text}\n{Cleaner().text(text)}", edits, [*newer, *others])


def _unknown() -> None:
    """When anything was committed, where that is of no use."""


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
    """The earliest moment at which a command may have begun."""
    return command.at - (_USUAL if command.took is None else command.took) - _UNCERTAIN


def _why(cause: CommandCaptured) -> str:
    return "\n".join(filter(None, (cause.reason, cause.command and f"Command: {cause.command}")))


def _recent(here: Here) -> Sequence[str]:
    """The files that changed last."""
    return _changed(here, RecallQuery(filters=Filters(path="."), limit=_RECENT))


def _changed(here: Here, query: RecallQuery) -> Sequence[str]:
    hits = here.search.find(query)
    return list(dict.fromkeys(change.path for hit in hits for change in hit.observation.changes))


def _kept(path: str) -> str:
    """A path as it is stored."""
    return Cleaner().text(path)


def _told(here: Here, path: str) -> Sequence[_Told]:
    """What the latest observations of a file told, latest first."""
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
