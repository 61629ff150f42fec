"""Import memories and conversations exported by another storage."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from typing import TypeVar
from uuid import UUID

from attrs import define, evolve, field

from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.edited_files import EditedFiles
from lamella.application.exchange.importing import MOST_AHEAD, Importing, Portion, import_entry
from lamella.application.exchange.project_mapping import ProjectMapping
from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.named import home_called
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited, Record, Said, SessionName
from lamella.domain.projects.project import Project
from lamella.domain.text.marks import Erased
from lamella.ports.storage.storage import Storage
from lamella.ports.system import Clock

_Stored = Arrival | Audited | SessionName | Said | Erased

_PORTION = 500
"""Number of records to store at a time."""


@define
class ImportRecords:
    """Import the records of an export. A repeated import adds missing records."""

    storage: Storage
    projects: ProjectResolver
    clock: Clock

    def __call__(
        self,
        call: Call,
        records: Iterable[tuple[str, Record | UnreadableExportError]],
        *,
        into: str | None = None,
        folder: bool = False,
        placeless: bool = False,
        dry_run: bool = False,
    ) -> Iterator[ImportAccount]:
        """Import records in order, some hundreds at a time. Yield the updated account repeatedly.

        Secrets are redacted before anything is written, and long texts are split. If a note or summary was edited
        in the export, the edited text replaces the stored text. All other stored memories, messages and session
        names stay unchanged. Commits that this storage has learned itself also stay unchanged.

        Args:
            call: Context of the call.
            records: Records, each with its position in the export.
            into: Id, alias, name or folder of a project to import everything into. A missing project is created if
                `into` is a folder, or has the name of the call's folder.
            folder: True for a folder of files. Unusable files and records are left alone.
            placeless: True for records from other machines of the user, without the locations of projects.
                Memories that were erased on those machines are purged here. Long texts stay whole, edits aren't
                looked for, and unusable records are left alone.
            dry_run: True to only count.

        Raises:
            UnreadableExportError: A record is unusable. Records before it were imported.
            UnknownProjectError: No project matches `into`.
            AmbiguousProjectError: `into` is the name of several projects.
            StorageError: The storage failed.
        """
        project = None if into is None else home_called(self.projects, call, into)
        entry = import_entry(self.projects.signature(call))
        project_mapping = ProjectMapping(self.projects, project, entry.by, dry_run, placeless=placeless)
        files = None if placeless else EditedFiles(call, entry)
        importing = Importing(
            self.storage, project_mapping.known, entry, edits=files, dry_run=dry_run, erasures=placeless
        )
        account = importing.account
        if files is not None:
            account.left, account.conflicts = files.left, files.conflicts
        left = account.left if folder or placeless else None
        portions = Portions(project_mapping, Cleaner(), self.clock.now() + MOST_AHEAD, left)
        for portion in portions.of(records):
            if files is not None:
                divided = [*files.divided(importing.observations(portion.project.id), portion.arrivals)]
                account.split += sum(len(each) for each in divided if len(each) > 1)
                portion.arrivals = [*chain.from_iterable(divided)]
            importing.store(portion)
            account.redacted = portions.redacted(importing)
            account.projects, account.everywhere = project_mapping.counted
            yield account
        account.projects, account.everywhere = project_mapping.counted
        account.off = portions.off
        if files is not None:
            files.replace()
            account.edited = len(files.edited)
            account.differing += len(files.differing)
            account.redacted = portions.redacted(importing, files.edited)
        yield account


@define
class Portions:
    """Redacted records of an export, grouped into portions. The records of a portion belong to one project."""

    project_mapping: ProjectMapping
    cleaner: Cleaner
    latest: datetime
    left: dict[str, str] | None = None
    """Reasons for skipping files, keyed by file name. If None, an unusable record raises an error."""
    off: Counter[str] = field(factory=Counter)
    """Numbers of records skipped because memory is off, keyed by project name."""
    _secrets: Counter[UUID | None] = field(factory=Counter)
    """Numbers of secrets, keyed by memory id. Secrets of other records have the key None."""

    def of(self, records: Iterable[tuple[str, Record | UnreadableExportError]]) -> Iterator[Portion]:
        """Yield the portions. Before an invalid record raises an error, the records before it are yielded."""
        portion: Portion | None = None
        try:
            for place, record in records:
                placed = self._placed(place, record)
                if portion is not None and isinstance(record, Project):
                    # When a new file begins, first store the portion of the previous file. Both files may have
                    # versions of the same memories.
                    yield portion
                    portion = None
                if placed is None:
                    continue
                home, said = placed
                if portion is not None and (portion.project != home or len(portion) >= _PORTION):
                    yield portion
                    portion = None
                portion = portion or Portion(home)
                with self._leaving():
                    self._add(portion, place, said)
            self.project_mapping.merge()
        except UnreadableExportError:
            if portion:
                yield portion
            raise
        if portion:
            yield portion

    def redacted(self, importing: Importing, edited: Collection[UUID] = ()) -> int:
        """Return the number of redacted secrets.

        Secrets in new and edited memories count. If the import has added messages, secrets in records other than
        memories count, too.
        """
        stored = {*importing.new, *edited, *[None] * bool(importing.account.messages)}
        return sum(secrets for id, secrets in self._secrets.items() if id in stored)

    def _placed(self, place: str, record: Record | UnreadableExportError) -> tuple[Project, _Stored] | None:
        """Return a record with its home. Return None if there is nothing to store."""
        with self._leaving():
            if isinstance(record, UnreadableExportError):
                raise record
            if isinstance(record, Project):
                self.project_mapping.add(place, record)
                return None
            if isinstance(record, Arrival):
                home = self.project_mapping.of(place, record.observation.project, record.observation.origin)
            else:
                home = self.project_mapping.of(place, record.project)
            if home.off_since is None or not self.project_mapping.is_off(home):
                return home, record
            self.off[home.name] += 1
        return None

    @contextmanager
    def _leaving(self) -> Iterator[None]:
        """If the block raises an error about an unusable record, record its file as skipped."""
        try:
            yield
        except UnreadableExportError as error:
            if self.left is None:
                raise
            self.left[error.place] = error.reason

    def _add(self, portion: Portion, place: str, record: _Stored) -> None:
        before = self.cleaner.secrets
        clean = cleaned(record, self.cleaner)
        id = clean.observation.id if isinstance(clean, Arrival) else None
        self._secrets[id] += self.cleaner.secrets - before
        if isinstance(clean, Arrival):
            portion.arrivals.append(self._arrival(place, clean, portion.project))
        elif isinstance(clean, Audited):
            if clean.entry.by.at > self.latest:
                raise UnreadableExportError(place=place, reason="the entry is from the future; check the clock")
            portion.entries.append(clean.entry)
        elif isinstance(clean, SessionName):
            portion.names[clean.session] = clean.name
        elif isinstance(clean, Said):
            portion.drafts.append(clean.draft)
        else:
            portion.marks |= clean.marks

    def _arrival(self, place: str, arrival: Arrival, home: Project) -> Arrival:
        said = arrival.observation
        if max(said.created_at, said.occurred_at) > self.latest:
            raise UnreadableExportError(place=place, reason="the memory is from the future; check the clock")
        origin = self.project_mapping.origin(said.origin)
        if (said.project, said.origin) != (home.id, origin):
            said = evolve(said, project=home.id, origin=origin)
        return evolve(arrival, observation=said, place=arrival.place or place)


_Record = TypeVar("_Record", bound=Record)


def cleaned(record: _Record, cleaner: Cleaner) -> _Record:
    """Redact the texts of a record. If the record has no secrets, return the same object."""
    if isinstance(record, Arrival):
        said = cleaner.observation(record.observation)
        return record if said is record.observation else evolve(record, observation=said)
    if isinstance(record, Audited):
        by = evolve(record.entry.by, author=record.entry.by.author and cleaner.text(record.entry.by.author))
        return evolve(record, entry=evolve(record.entry, by=by))
    if isinstance(record, SessionName):
        return evolve(record, name=cleaner.text(record.name))
    if isinstance(record, Said):
        text = cleaner.text(record.draft.text)
        return record if text == record.draft.text else evolve(record, draft=evolve(record.draft, text=text))
    return record
