"""Copy everything of one storage into another."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field

from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.comparing import Compared, Comparison, keeps_conversations
from lamella.application.exchange.export import ExportMemories, ExportRequest
from lamella.application.exchange.import_records import Portions
from lamella.application.exchange.importing import MOST_AHEAD, Importing, Portion, import_entry
from lamella.application.exchange.project_mapping import ProjectMapping
from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.projects.sizes import MeasureProjects
from lamella.domain.call import Call
from lamella.domain.errors import AdvisedError, OutcomeUnknownError, StorageBusyError, StorageUnreachableError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Record
from lamella.domain.projects.identity import is_everywhere

_SMALL = 8
"""Minimum number of records in a portion that is divided after a failure.

If a smaller portion fails, its size isn't the cause: the server is unavailable.
"""


@define
class CopyAccount:
    """Progress and result of a copy.

    Attributes:
        taken: Result of the import at the target.
        done: Number of memories and messages that are already copied, or already compared.
        total: Number of memories and messages at the source when the copy began.
        messages: Number of messages at the source, if conversations weren't requested.
        comparing: True after everything was copied.
        rows: Table that compares both sides; empty until the comparison is done.
        comparison: Comparison of both storages. It also has the expected differences.
        unmerged: Projects that are merged at the source, but separate at the target. Each pair has two ids from
            the target: the project, and the project that it should be merged into.
        disputed: Aliases of locations that belong to one project at the source, and to another at the target. Each
            alias is a key; its value is the id of the project at the target.
    """

    taken: ImportAccount
    comparison: Comparison
    done: int = 0
    total: int = 0
    messages: int = 0
    comparing: bool = False
    rows: tuple[Compared, ...] = ()
    unmerged: Sequence[tuple[str, str]] = ()
    disputed: Mapping[str, str] = field(factory=dict)

    @property
    def equal(self) -> bool:
        """True if everything of the source is at the target."""
        return bool(self.rows) and all(each.equal for each in self.rows) and not self.taken.off


@define
class CopyMemories:
    """Copy all projects of one storage, with all of their data, into another storage. Then compare both storages.

    The source is only read. A repeated copy adds missing records, so it also completes a copy that was killed. The
    target's own data stays.

    Attributes:
        source: Finds projects of the source.
        target: Finds projects of the target.
    """

    source: ProjectResolver
    target: ProjectResolver

    def __call__(self, call: Call, *, conversations: bool = False) -> Iterator[CopyAccount]:
        """Copy all records, some hundreds at a time. Yield the updated account repeatedly.

        If memories are saved at the source during the copy, they may be missing in the copy. The table may then
        show a difference.

        Args:
            call: Context of the call.
            conversations: True to copy the messages of conversations too.

        Raises:
            AdvisedError: The source has no projects.
            UnreadableExportError: A memory is from the future. Records before it were copied.
            StorageError: The source or the target failed.
        """
        source, target = self.source.storage, self.target.storage
        entry = import_entry(self.target.signature(call))
        project_mapping = ProjectMapping(self.target, None, entry.by, dry_run=False)
        importing = Importing(target, project_mapping.known, entry, dry_run=False, erasures=True, trails=True)
        portions = Portions(project_mapping, Cleaner(), self.target.clock.now() + MOST_AHEAD)
        conversations = conversations and keeps_conversations(source, target)
        account = CopyAccount(importing.account, Comparison(source, target, conversations))
        self._measure(account, conversations=conversations)
        export = ExportMemories(source, self.source, self.source.working_tree, self.target.clock)
        request = ExportRequest(every_project=True, include_messages=conversations)
        for portion in portions.of((_place(each), each) for each in export(call, request)):
            for stored in _stored(importing, portion):
                account.comparison.add(stored)
            account.done += len(portion.arrivals) + len(portion.drafts)
            account.taken.redacted = portions.redacted(importing)
            yield account
        account.taken.projects, account.taken.everywhere = project_mapping.counted
        account.taken.off = portions.off
        account.unmerged, account.disputed = tuple(_unmerged(project_mapping)), project_mapping.disputed
        yield from self._compare(account, project_mapping)

    def _measure(self, account: CopyAccount, *, conversations: bool) -> None:
        """Count the records to copy.

        Raises:
            AdvisedError: The source has no projects.
        """
        sizes = list(MeasureProjects(self.source.storage)())
        if not sizes:
            raise AdvisedError(
                reason="There are no memories to copy.",
                advice="Check --from: `lamella status` shows the storage in use.",
            )
        messages = sum(each.messages for each in sizes)
        account.total = sum(each.live + each.purged for each in sizes) + messages * conversations
        account.messages = 0 if conversations else messages

    def _compare(self, account: CopyAccount, project_mapping: ProjectMapping) -> Iterator[CopyAccount]:
        """Compare each project at the target with the source projects copied into it."""
        account.comparing, account.done = True, 0
        sources: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for project, home in project_mapping.items():
            sources[home.id][self.source.storage.registry.named(project.id).id] = None
        for home_id, asked in sources.items():
            account.comparison.keep_away(home_id, list(asked))
            for size in account.comparison.look(home_id, list(asked)):
                account.done += size
                yield account
        described = [each.id for each in project_mapping.described.values() if not is_everywhere(each.aliases)]
        here, there = sum(project_mapping.origin(id) in project_mapping.known for id in described), len(described)
        projects = Compared(kind="projects", source=there, target=here, equal=here == there)
        account.rows = (projects, *account.comparison.rows())
        yield account


def _stored(importing: Importing, portion: Portion) -> Iterator[Portion]:
    """Store a portion. If the server is too slow or fails over, store smaller parts. Yield the stored records.

    Raises:
        StorageError: A small part could not be stored either.
    """
    try:
        yield importing.store(portion)
    except (StorageBusyError, StorageUnreachableError, OutcomeUnknownError):
        if len(portion) < _SMALL:
            raise
        for half in portion.halved():
            yield from _stored(importing, half)


def _unmerged(project_mapping: ProjectMapping) -> Iterator[tuple[str, str]]:
    """Yield the ids of projects that are merged at the source, but not at the target.

    Each comes with the id of the project that it should be merged into. Both ids are from the target.
    """
    now = {project.id: home for project, home in project_mapping.items()}
    for project, home in project_mapping.items():
        if project.moved_to is not None and now[project.moved_to].id != home.id:
            yield home.id, now[project.moved_to].id


def _place(record: Record) -> str:
    """Return the description of a record for an error message."""
    return f"Memory {record.observation.id}" if isinstance(record, Arrival) else "The source"
