"""Storing what hooks have captured: edits, what commands changed, conversations, and what hooks did."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import define, field, frozen

from lamella.application.capture.hook_activity import injected, passed_over
from lamella.application.conversations.import_transcripts import ImportTranscripts
from lamella.application.conversations.summarise_session import SummariseSession
from lamella.application.ledger.find_unreported import FindUnreported
from lamella.application.ledger.record_change import CapturedEdit, RecordChanges
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import CapabilityUnsupportedError, TranscriptsUnreadableError
from lamella.ports.spool import Captured, Spool
from lamella.ports.storage.activity import Activity
from lamella.ports.storage.ledger import Recorded
from lamella.ports.transcripts import Transcripts
from lamella.ports.working_tree import WorkingTree

_BATCH = 200
"""How many captures are read at a time."""

_EDITS_AT_ONCE = 20
"""How many edits one transaction stores: others write too."""

_TELLING = frozenset({"PreCompact", "Stop", "SessionEnd"})
"""The events after which a transcript has news."""

_ENDING = frozenset({"PreCompact", "SessionEnd"})
"""The events at which a session is summed up."""

_UNTHOUGHT_OF = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What something raises that nobody has thought of; it would be raised again and keep others waiting."""

_NO_ANSWER = "git gave no answer"
_NO_TRANSCRIPT = "a transcript that cannot be read"
_NOTHING = "nothing to store"


@define
class Drained:
    """What has become of captures so far.

    `done` were stored or passed over, `left` stay for another time because of a `trouble`, and `aside` were kept
    apart because they can't be stored. `skipped` counts what was passed over by the reason.
    """

    done: int = 0
    left: int = 0
    aside: int = 0
    edits: Counter[Recorded] = field(factory=Counter)
    messages: int = 0
    summaries: int = 0
    skipped: Counter[str] = field(factory=Counter)
    trouble: Exception | None = None


@frozen
class _Place:
    """Where captures belong: a directory, and the project that was set for the session."""

    directory: Path
    project: str | None

    @property
    def call(self) -> Call:
        """The call that stores something there."""
        return Call(directory=self.directory, default_project=self.project)


@define
class DrainSpool:
    """Brings storage up to what hooks have captured; each capture is stored once, however often it is given."""

    projects: ProjectResolver
    working_tree: WorkingTree
    spool: Spool
    transcripts: Callable[[Path | None], Transcripts]
    record_changes: RecordChanges
    find_unreported: FindUnreported
    import_transcripts: ImportTranscripts
    summarise_session: SummariseSession

    def __call__(self) -> Iterator[Drained]:
        """Stores what waits, in order; gives the same account again after each step, of a fraction of a second.

        What was stored is discarded from the spool. It can be broken off at any step, killed at any moment, and
        run by several processes at once. What can't be stored now stays where it is and keeps nothing else from
        being stored. No error is raised: `trouble` is the last one.
        """
        run = _Run(self, Drained())
        after = ""
        while batch := self.spool.waiting(limit=_BATCH, after=after):
            after = batch[-1].name
            for _ in run.store(batch):
                yield run.account
        for _ in run.finish():
            yield run.account


_Work = Iterator[None]
"""Work that pauses after each step."""


@define
class _Run:
    """One run of the drain.

    `commands`, by the root they worked in, are looked at when all edits are stored: else the lines of an edit that
    still waits would be taken for theirs. What was `said` comes last, because a session that ended is summed up
    with all that changed in it. `failed` are places whose storage is in trouble; `roots` are those of directories.
    """

    drain: DrainSpool
    account: Drained
    commands: dict[_Place, list[Captured]] = field(factory=dict)
    said: list[Captured] = field(factory=list)
    roots: dict[Path, Path] = field(factory=dict)
    failed: set[_Place] = field(factory=set)

    def store(self, batch: Sequence[Captured]) -> _Work:
        """Stores a batch, but for what commands changed and what was said."""
        edits, others = [], []
        for each in batch:
            if each.skipped is not None or each.injected is not None:
                others.append(each)
            elif each.path is not None and each.hunks is not None:
                edits.append(each)
            elif each.command is not None:
                self.commands.setdefault(_Place(self._root(each.directory), each.project), []).append(each)
            elif each.event in _TELLING and each.transcript is not None:
                self.said.append(each)
            else:
                others.append(each)
        yield from self._each(edits, self._place_of_edit, self._record, most=_EDITS_AT_ONCE)
        yield from self._each(others, lambda each: _Place(each.directory, each.project), self._note)

    def finish(self) -> _Work:
        """Stores what commands changed, and what was said."""
        for place, commands in self.commands.items():
            yield from self._attempt(place, sorted(commands, key=lambda each: (each.at, each.name)), self._look)
        yield from self._each(self.said, _place_of_transcript, self._import, most=len(self.said))

    def _each(
        self,
        captures: Sequence[Captured],
        place_of: Callable[[Captured], _Place],
        store: Callable[[_Place, Sequence[Captured]], _Work],
        *,
        most: int = _BATCH,
    ) -> _Work:
        """Has captures stored, those of one place together, in the order of places' first ones."""
        by_place: dict[_Place, list[Captured]] = {}
        for each in captures:
            by_place.setdefault(place_of(each), []).append(each)
        for place, those in by_place.items():
            for start in range(0, len(those), most):
                yield from self._attempt(place, those[start : start + most], store)

    def _attempt(
        self, place: _Place, captures: Sequence[Captured], store: Callable[[_Place, Sequence[Captured]], _Work]
    ) -> _Work:
        """Has captures stored and discards them; or leaves them, or sets aside what nobody can store."""
        account, names = self.account, [each.name for each in captures]
        if place in self.failed:
            account.left += len(captures)
            return
        try:
            yield from store(place, captures)
        except CapabilityUnsupportedError as error:
            account.skipped[str(error)] += len(captures)
        except _UNTHOUGHT_OF:
            if len(captures) == 1:
                self.drain.spool.set_aside(names)
                account.aside += 1
                yield
                return
            for each in captures:
                yield from self._attempt(place, [each], store)
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, another time it may be over
            self.failed.add(place)
            account.trouble = error
            account.left += len(captures)
            yield
            return
        account.done += len(captures)
        self.drain.spool.discard(names)
        yield

    def _record(self, place: _Place, edits: Sequence[Captured]) -> _Work:
        changes = [
            CapturedEdit(
                path=_absolute(each),
                hunks=each.hunks or "",
                at=each.at,
                request=each.name,
                session=each.session,
                reason=each.reason,
                asked=each.asked,
            )
            for each in edits
        ]
        self._store_changes(place, changes)
        return iter(())

    def _look(self, place: _Place, commands: Sequence[Captured]) -> _Work:
        found = self.drain.find_unreported(place.call, commands)
        if found is None:
            self._skip(place, [(each, _NO_ANSWER) for each in commands])
            return
        for start in range(0, len(found.changes), _EDITS_AT_ONCE):
            self._store_changes(place, found.changes[start : start + _EDITS_AT_ONCE])
            yield
        # Last, so that what is broken off is looked at anew.
        if found.passed_over:
            self._skip(place, [(commands[-1], found.passed_over)])

    def _store_changes(self, place: _Place, changes: Sequence[CapturedEdit]) -> None:
        outcome = self.drain.record_changes(place.call, changes)
        self.account.edits.update(outcome.recorded)
        skipped = outcome.skipped
        self._skip(place, [(each, skipped[each.request]) for each in changes if each.request in skipped])

    def _import(self, place: _Place, captures: Sequence[Captured]) -> _Work:
        """Takes over the news of the transcript at `place`, and sums up its sessions where they ended."""
        drain, transcript = self.drain, place.directory
        try:
            sources = drain.transcripts(transcript).sources()
        except TranscriptsUnreadableError:
            where = _Place(captures[-1].directory, place.project)
            self._skip(where, [(each, _NO_TRANSCRIPT) for each in captures])
            return
        # Where it took place, wherever the session is by now.
        directory = next((each.directory for each in sources if each.directory), captures[-1].directory)
        call = _Place(directory, place.project).call
        messages = 0
        for imported in drain.import_transcripts(call, transcript):
            self.account.messages += imported.messages - messages
            messages = imported.messages
            yield
        for each in captures:
            if each.event in _ENDING and each.session is not None:
                self.account.summaries += drain.summarise_session(call, each.session, each.at)
                yield

    def _note(self, place: _Place, captures: Sequence[Captured]) -> _Work:
        """Keeps what hooks did in the log, where there is a project."""
        given = [each for each in captures if each.injected is not None and not each.skipped]
        self._log(place, injected(given))
        self._skip(place, [(each, each.skipped or _NOTHING) for each in captures if each not in given])
        return iter(())

    def _skip(self, place: _Place, captures: Sequence[tuple[Captured | CapturedEdit, str]]) -> None:
        """Counts what is passed over, each with the reason, and keeps that in the log."""
        self.account.skipped.update(reason for _, reason in captures)
        self._log(place, passed_over(captures))

    def _log(self, place: _Place, entries: Sequence[Activity]) -> None:
        here = self.drain.projects.find(place.call)
        if entries and here.project is not None:
            here.activity().add(entries)

    def _place_of_edit(self, edit: Captured) -> _Place:
        """The repository of the file, wherever the session is at work; else that of the session."""
        path = Path(_absolute(edit))
        repository = self.drain.working_tree.repository(path.parent)
        return _Place(repository or self._root(edit.directory), edit.project)

    def _root(self, directory: Path) -> Path:
        if directory not in self.roots:
            self.roots[directory] = self.drain.working_tree.locate(directory).root
        return self.roots[directory]


def _absolute(edit: Captured) -> str:
    """The path of a file that may be told relative to where the session is at work."""
    return str(edit.directory / (edit.path or ""))


def _place_of_transcript(telling: Captured) -> _Place:
    return _Place(telling.transcript or telling.directory, telling.project)
