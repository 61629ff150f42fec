"""Share all memories between the machines of one person."""

from collections.abc import Iterator

from attrs import define, evolve, field

from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.export import ExportMemories, ExportRequest
from lamella.application.exchange.import_records import ImportRecords, cleaned
from lamella.application.exchange.project_mapping import repository_of
from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import AdvisedError
from lamella.domain.memories.kind import Kind
from lamella.domain.projects.identity import called_alias, is_place
from lamella.domain.projects.project import Project
from lamella.ports.shared_folder import MachineFiles
from lamella.ports.storage.storage import Capability


@define
class EverythingAccount:
    """Account of sharing everything.

    Attributes:
        taken: Result of the import from other machines.
        written: Number of written files of this machine.
        removed: Number of removed files of this machine. These are files of merged projects, files of projects
            with memory off, and copies of files.
    """

    taken: ImportAccount = field(factory=ImportAccount)
    written: int = 0
    removed: int = 0


@define
class ShareEverything:
    """Share the memories of all projects through a folder synced between the machines of one person.

    Each machine exports its projects into its own files, so two machines never write the same file. Each machine
    imports the files of all machines. If two machines have changed a memory, every machine keeps the later change.
    """

    projects: ProjectResolver
    export: ExportMemories
    import_records: ImportRecords

    def __call__(
        self,
        call: Call,
        files: MachineFiles,
        *,
        edits: bool = False,
        conversations: bool = False,
        dry_run: bool = False,
    ) -> Iterator[EverythingAccount]:
        """Import the files of other machines, then write this machine's own files.

        Yield the updated account repeatedly.

        An interrupted call is completed by the next call. Projects with memory off are left out. A file is only
        written if its content changes.

        Args:
            call: Context of the call.
            files: The folder.
            edits: True to write captured edits and learned commits, too.
            conversations: True to write conversations and their summaries, too.
            dry_run: True to count only.

        Raises:
            AdvisedError: Machines share the storage already.
            StorageError: The storage failed.
        """
        storage = self.projects.storage
        if Capability.SHARED in storage.capabilities:
            raise AdvisedError(
                reason="This storage is already shared between machines.",
                advice="To use it on each machine, set LAMELLA_STORAGE there.",
            )
        if not dry_run:
            self._name_projects()
        account = EverythingAccount()
        for account.taken in self.import_records(call, files.records(), placeless=True, dry_run=dry_run):
            yield account
        kinds = {Kind.NOTE, *[Kind.CHANGE] * edits, *[Kind.SUMMARY] * conversations}
        request = ExportRequest(kinds=frozenset(kinds), include_messages=conversations, placeless=True)
        cleaner, kept = Cleaner(), [each.id for each in self._living()]
        for project in kept:
            records = (cleaned(each, cleaner) for each in self.export(evolve(call, project=project), request))
            account.written += files.write(project, records, dry_run=dry_run)
            yield account
        account.removed = files.keep(kept, dry_run=dry_run)
        yield account

    def _living(self) -> list[Project]:
        """Return the unmerged projects with memory on, the oldest first."""
        every = self.projects.storage.registry.all()
        living = [each for each in every if each.moved_to is None and each.off_since is None]
        return sorted(living, key=lambda each: (each.created_at, each.id))

    def _name_projects(self) -> None:
        """Give projects aliases that other machines recognise.

        If a repository has several clones here, only the project of the first clone gets the repository's alias.
        """
        for each in self._living():
            if any(map(is_place, each.aliases)):
                found = (repository_of(each, self.projects.working_tree), called_alias(each.name, each.aliases))
                self.projects.storage.registry.upsert(evolve(each, aliases=tuple(filter(None, found))))
