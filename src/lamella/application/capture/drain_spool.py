"""Store captures of hooks: edits, changes by commands, conversations, and actions of hooks."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, evolve, field, frozen

from lamella.application.capture.drained import Drained
from lamella.application.conversations.import_transcripts import ImportTranscripts
from lamella.application.conversations.summarise_session import SummariseSession
from lamella.application.ledger.find_unreported import FindUnreported
from lamella.application.ledger.record_change import RecordChanges
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.projects.switch import off_places
from lamella.domain.call import Call
from lamella.domain.errors import CapabilityUnsupportedError, LamellaError
from lamella.domain.projects.project import Location
from lamella.ports.spool import (
    Captured,
    CommandCaptured,
    ContextShown,
    EditCaptured,
    Skipped,
    Spool,
    TranscriptAdvanced,
)
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.transcripts import OpenTranscripts
from lamella.ports.working_tree import WorkingTree

_BATCH = 200
"""Number of captures to read at a time."""

_EDITS_AT_ONCE = 20
"""Maximum number of edits in a transaction. A longer transaction would block other writers for too long."""

_UNEXPECTED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Unexpected errors.

If a capture raises such an error, it is set aside. Otherwise, it would fail again at the next drain, and block
other captures.
"""

_Capture = TypeVar("_Capture", EditCaptured, CommandCaptured, TranscriptAdvanced, ContextShown | Skipped)
_Work = Iterator[None]
"""Work in steps. After each step, the caller may pause."""


@frozen
class _Origin:
    """Common origin of captures: directory, client, and the project and author set for their session."""

    directory: Path
    project: str | None
    author: str | None
    client: str


@define
class DrainSpool:
    """Store captures of hooks. A repeated capture is stored once."""

    projects: ProjectResolver
    working_tree: WorkingTree
    spool: Spool
    transcripts: OpenTranscripts
    record_changes: RecordChanges
    find_unreported: FindUnreported
    import_transcripts: ImportTranscripts
    summarise_session: SummariseSession
    keeps_conversations: bool = True
    """True to import conversations; False to leave them in the client's transcripts only."""

    def __call__(self) -> Iterator[Drained]:
        """Store pending captures, in order, in steps of a fraction of a second. Yield the account after each step.

        Stored captures are discarded from the spool. The drain can be interrupted at any step, killed at any time,
        and run by several processes simultaneously. A capture that can't be stored now stays in the spool, without
        blocking other captures. No error is raised; the latest error is in the account's `trouble`.
        """
        run = _Run(self, Drained(), cache(self.working_tree.locate))
        # Hooks read a list of places where memory is off. Update this list, because another machine or a merge may
        # have switched memory off.
        with suppress(LamellaError, OSError):
            every = self.projects.storage.registry.all()
            run.switched = any(each.off for each in every)
            self.spool.silence(off_places(self.projects, every))
        after = ""
        while batch := self.spool.waiting(limit=_BATCH, after=after):
            after = batch[-1].name
            for _ in run.store(batch):
                yield run.account
        for _ in run.finish():
            yield run.account


@define(eq=False)
class _Run:
    """One run of the drain.

    Attributes:
        location: Returns the location of a directory, looked up once in a run.
        switched: True if memory was ever switched off in some project.
        commands: Commands, keyed by origin. Their changes are stored after all edits. In the opposite order, a
            line changed by an edit would be recorded as changed by a command, too.
        advanced: Transcripts with new messages. They are imported last, because the summary of a session needs all
            changes of the session.
        failed: Origins whose captures stay in the spool, because the storage failed.
    """

    drain: DrainSpool
    account: Drained
    location: Callable[[Path], Location]
    switched: bool = True
    commands: dict[_Origin, list[CommandCaptured]] = field(factory=dict)
    advanced: list[TranscriptAdvanced] = field(factory=list)
    failed: set[_Origin] = field(factory=set)

    def store(self, batch: Sequence[Captured]) -> _Work:
        """Store the captures of a batch, except commands and transcripts."""
        edits = [each for each in batch if isinstance(each, EditCaptured)]
        others = [each for each in batch if isinstance(each, ContextShown | Skipped)]
        self.advanced += [each for each in batch if isinstance(each, TranscriptAdvanced)]
        for each in batch:
            if isinstance(each, CommandCaptured):
                origin = _origin(self.location(each.directory).root, each)
                self.commands.setdefault(origin, []).append(each)
        yield from self._each(edits, self._origin_of_edit, self._record, most=_EDITS_AT_ONCE)
        yield from self._each(others, lambda each: _origin(each.directory, each), self._note)

    def finish(self) -> _Work:
        """Store changes by commands, and then the new messages of transcripts."""
        for origin, commands in self.commands.items():
            yield from self._attempt(origin, sorted(commands, key=lambda each: (each.at, each.name)), self._look)
        most = len(self.advanced)
        yield from self._each(self.advanced, lambda each: _origin(each.transcript, each), self._import, most=most)

    def _each(
        self,
        captures: Sequence[_Capture],
        origin_of: Callable[[_Capture], _Origin],
        store: Callable[[_Origin, Sequence[_Capture]], _Work],
        *,
        most: int = _BATCH,
    ) -> _Work:
        """Store captures, one origin after the other. Origins are in the order of their first captures."""
        by_origin: dict[_Origin, list[_Capture]] = {}
        for each in captures:
            by_origin.setdefault(origin_of(each), []).append(each)
        for origin, those in by_origin.items():
            for start in range(0, len(those), most):
                yield from self._attempt(origin, those[start : start + most], store)

    def _attempt(
        self, origin: _Origin, captures: Sequence[_Capture], store: Callable[[_Origin, Sequence[_Capture]], _Work]
    ) -> _Work:
        """Store captures, and discard them from the spool.

        After a storage error, the captures stay in the spool. Invalid captures are set aside.
        """
        account, names = self.account, [each.name for each in captures]
        if origin in self.failed:
            account.left += len(captures)
            return
        try:
            if kept := self._kept(origin, captures):
                yield from store(origin, kept)
        except CapabilityUnsupportedError as error:
            account.skipped[str(error)] += len(captures)
        except _UNEXPECTED:
            if len(captures) == 1:
                self.drain.spool.set_aside(names)
                account.aside += 1
                yield
                return
            for each in captures:
                yield from self._attempt(origin, [each], store)
            return
        except Exception as error:  # noqa: BLE001 - any failure may be temporary
            self.failed.add(origin)
            account.trouble = error
            account.left += len(captures)
            yield
            return
        account.done += len(captures)
        self.drain.spool.discard(names)
        yield

    def _kept(self, origin: _Origin, captures: Sequence[_Capture]) -> Sequence[_Capture]:
        """Return the captures made while memory was on in their project."""
        if not self.switched:
            return captures
        project_of = cache(lambda where: self.drain.projects.find(self._call(where)).project)
        kept = []
        for each in captures:
            # Captures of one transcript are stored together, even if their directories differ.
            project = project_of(_origin(each.directory, each) if isinstance(each, TranscriptAdvanced) else origin)
            if project is None or not project.was_off(each.at):
                kept.append(each)
        return kept

    def _record(self, origin: _Origin, edits: Sequence[EditCaptured]) -> _Work:
        outcome = self.drain.record_changes(self._call(origin), edits)
        self.account.edits.update(outcome.recorded)
        self._skip(origin, outcome.skipped)
        return iter(())

    def _look(self, origin: _Origin, commands: Sequence[CommandCaptured]) -> _Work:
        found = self.drain.find_unreported(self._call(origin), commands)
        if found is None:
            self._skip(origin, [(each, "git gave no answer") for each in commands])
            return
        for start in range(0, len(found.changes), _EDITS_AT_ONCE):
            yield from self._record(origin, found.changes[start : start + _EDITS_AT_ONCE])
            yield
        # Log skipped files last. `find_unreported` starts after the latest such log entry, so if the drain is
        # interrupted before, the next drain finds all changes.
        if found.passed_over:
            self._skip(origin, [(commands[-1], found.passed_over)])

    def _import(self, origin: _Origin, captures: Sequence[TranscriptAdvanced]) -> _Work:
        """Import the new messages of a transcript, and summarise its finished sessions."""
        if not self.drain.keeps_conversations:
            return
        drain, transcript, client = self.drain, origin.directory, origin.client
        try:
            sources = drain.transcripts(client, transcript).sources()
        except LamellaError:  # the transcript was deleted, or the client has no reader
            where = evolve(origin, directory=captures[-1].directory)
            self._skip(where, [(each, "a transcript that cannot be read") for each in captures])
            return
        # A conversation belongs to the project where it began, even if the session has moved to another project.
        directory = next((each.directory for each in sources if each.directory), captures[-1].directory)
        call = self._call(evolve(origin, directory=directory))
        for _ in drain.import_transcripts(call, transcript, client=client):
            yield
        for each in captures:
            if each.ended and each.session is not None:
                self.account.summaries += drain.summarise_session(call, each.session, each.at)
                yield

    def _note(self, origin: _Origin, captures: Sequence[ContextShown | Skipped]) -> _Work:
        """Log the actions of hooks, if the project exists."""
        given = [
            _entry(
                each, ActivityKind.INJECTED, each.event, tokens=each.tokens, memories=each.memories, edit=each.edit
            )
            for each in captures
            if isinstance(each, ContextShown)
        ]
        self._log(origin, given)
        self._skip(origin, [(each, each.why) for each in captures if isinstance(each, Skipped)])
        return iter(())

    def _skip(self, origin: _Origin, captures: Sequence[tuple[Captured, str]]) -> None:
        """Count and log skipped captures, each with its reason."""
        self.account.skipped.update(reason for _, reason in captures)
        self._log(origin, [_entry(each, ActivityKind.SKIPPED, reason) for each, reason in captures])

    def _log(self, origin: _Origin, entries: Sequence[Activity]) -> None:
        if entries:
            here = self.drain.projects.find(self._call(origin))
            if here.project is not None:
                here.activity().add(entries)

    def _origin_of_edit(self, edit: EditCaptured) -> _Origin:
        """Return the origin of an edit.

        It is the repository of the file, or the root of the session if the file is in no repository.
        """
        place = self.location((edit.directory / edit.path).parent)
        return _origin((place if place.in_repository else self.location(edit.directory)).root, edit)

    def _call(self, origin: _Origin) -> Call:
        return Call(
            directory=origin.directory,
            default_project=origin.project,
            author=origin.author,
            client=origin.client,
            location=self.location(origin.directory),
            even_off=True,  # store captures made before memory was switched off
        )


def _origin(directory: Path, capture: Captured) -> _Origin:
    return _Origin(directory, capture.project, capture.author, capture.client)


def _entry(capture: Captured, kind: ActivityKind, about: str, **more: Any) -> Activity:
    """Return a capture's entry in the activity log."""
    return Activity(name=capture.name, at=capture.at, kind=kind, session=capture.session, about=about, **more)
