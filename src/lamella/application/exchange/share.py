"""Share memories through a folder of the repository."""

from collections.abc import Iterator

from attrs import define, evolve

from lamella.application.exchange.accounts import ShareAccount
from lamella.application.exchange.importing import import_entry
from lamella.application.exchange.share_files import SharedFiles
from lamella.application.exchange.share_memories import SharedNotes
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import printed_line
from lamella.ports.shared_folder import Share, SharedFolder, SharedFolderError, SharedFolders
from lamella.ports.system import Clock
from lamella.ports.working_tree import WorkingTree


@define
class ShareMemories:
    """Keep the notes of a project as files in a folder of its repository, and import the notes of other people.

    A sync compares the folder and the memories with their state at the last sync, and repeats changes of one side
    on the other side. For a new file, a memory is saved; for a new memory, a file is written. An edited file
    replaces its memory, and a replaced memory changes its file. If a file was deleted, its memory is purged, and
    vice versa. If a deleted file has returned, its memory is restored, and vice versa.
    """

    projects: ProjectResolver
    working_tree: WorkingTree
    clock: Clock
    shared_folder: SharedFolders

    def start(self, call: Call, path: str) -> Share:
        """Share the project of a call in a folder of the working tree. Creates the folder, but doesn't sync.

        Args:
            call: Context of the call.
            path: The folder, relative to the root or absolute.

        Raises:
            PathOutsideProjectError: The folder is outside the working tree.
            SharedFolderError: The folder can't be shared.
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage failed.
        """
        root = self.working_tree.repository(call.directory)
        if root is None:
            raise SharedFolderError(reason="This is not a git repository.", advice="Create one first: git init")
        folder = self.working_tree.relative(root, path)
        if folder == "." or ".git" in folder.split("/"):
            raise SharedFolderError(
                reason="This folder contains other files.", advice="Choose a separate folder, such as docs/memory."
            )
        if self.working_tree.ignored(root, [f"{folder}/memory.md"]):
            raise SharedFolderError(
                reason=f"Git ignores {folder}, so git can't share it with others.", advice="Choose another folder."
            )
        project = self.projects.find_or_create(call).project
        assert project is not None  # noqa: S101 - the project was created before
        share, known = Share(root=root, folder=folder), self.shared_folder.of(project.id)
        if known is None or (known.root, known.folder) != (root, folder):
            self.shared_folder.start(project.id, share)
        return share

    def stop(self, call: Call) -> Share | None:
        """Stop sharing the project of a call.

        The shared files stay. Return the former share, or None if the project wasn't shared.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage failed.
        """
        project = self.projects.find(call).project
        if project is None:
            return None
        try:
            share = self.shared_folder.of(project.id)
        except SharedFolderError:
            # Also stop sharing if the record can't be read.
            share = Share(root=call.directory, folder="that was shared")
        if share is not None:
            self.shared_folder.stop(project.id)
        return share

    def shared(self, call: Call) -> Share | None:
        """Return the shared folder of a call's project, or None.

        Raises:
            SharedFolderError: The record of the shared folder can't be read.
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage failed.
        """
        project = self.projects.find(call).project
        return None if project is None else self.shared_folder.of(project.id)

    def __call__(self, call: Call, *, sure: bool = False) -> Iterator[ShareAccount]:
        """Sync the shared folder of a call's project, step by step. Yield the updated account repeatedly.

        An interrupted sync is completed by the next sync. Nothing is yielded for an unshared project.

        Args:
            call: Context of the call.
            sure: True to purge all memories if all files are gone. False to stop the sync in that case, until the
                user confirms.

        Raises:
            SharedFolderError: The folder or its record can't be used. Nothing was lost.
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage failed.
        """
        here = self.projects.find(call)
        if here.project is None:
            return
        with self.shared_folder.opened(here.project.id) as folder:
            if folder is not None:
                self._require_own(call, here.project, folder.share)
                entry = import_entry(self.projects.signature(call))
                user = self.projects.machine.user()
                notes = SharedNotes(folder, here.observations, self.clock, entry, user=user, share=folder.share)
                yield from self._synced(folder, notes, here.project.id, sure=sure)

    def _require_own(self, call: Call, project: Project, share: Share) -> None:
        """Check that the folder isn't in another project.

        After a split, the folder may be in another project. Its files then belong to that project.

        Raises:
            SharedFolderError: The folder is in another project.
        """
        other = self.projects.find(evolve(call, directory=share.root, location=None, even_off=True)).project
        if other not in (None, project):
            raise SharedFolderError(
                reason=f"The folder {share.folder} belongs to another project now: {printed_line(other.name)}.",
                advice="To stop syncing it with this project: lamella share --stop",
            )

    def _synced(
        self, folder: SharedFolder, notes: SharedNotes, project: str, *, sure: bool
    ) -> Iterator[ShareAccount]:
        account, before = notes.account, folder.share
        files = SharedFiles(notes, self.working_tree, project)
        for _ in notes.look():
            yield account
        for _ in files.read_changed():
            yield account
        if files.follow_gone(sure=sure):
            for _ in notes.write():
                yield account
            now = notes.recorded()
        else:
            # Keep the stamps of missing files, so that the next sync reports them again.
            now = evolve(notes.recorded(), waiting=account.waiting)
        if now != before:
            folder.record(now)
        yield account
