"""Merge and split projects."""

from collections.abc import Set as AbstractSet

from attrs import define, frozen

from lamella.application.projects.named import called, home_called, keys_of, only
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.projects.sizes import MeasureProjects, ProjectSize, messages_of
from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.call import Call
from lamella.domain.errors import ProjectChangeError, UnknownProjectError
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import counted
from lamella.domain.transactions.catalogue import Catalogue
from lamella.ports.storage.storage import Capability, Storage


@frozen(kw_only=True)
class Moved:
    """Result of a merge or a split.

    Attributes:
        old: Id of the merged or split-off project.
        memories: Number of moved memories.
        messages: Number of moved messages. The number is inexact if messages were imported concurrently.
    """

    old: str
    memories: int
    messages: int

    def __str__(self) -> str:
        """Return the numbers of moved memories and messages in words."""
        return f"{counted(self.memories, 'memory')} and {counted(self.messages, 'message')}"


@frozen(kw_only=True)
class MergePreview:
    """Preview of a merge.

    Attributes:
        old: Project to merge.
        new: Project to merge into.
    """

    old: ProjectSize
    new: Project


@frozen(kw_only=True)
class SplitPreview:
    """Preview of a split.

    Attributes:
        old: Project to split off.
        home: Project that has the memories of `old` now.
        merge: Audit entry of the merge, which has the number of moved memories; None if the trail lacks the entry.
    """

    old: Project
    home: ProjectSize
    merge: AuditEntry | None


@define
class MergeProjects:
    """Merge a project and its conversations into another project, for example after renaming its folder."""

    storage: Storage
    projects: ProjectResolver

    def preview(self, old: str, new: str) -> MergePreview:
        """Return the extent of a merge, without changing anything.

        Args:
            old: Id, alias or name of the project to merge.
            new: Id, alias or name of the target.

        Raises:
            UnknownProjectError: A project is unknown.
            AmbiguousProjectError: Several projects have that name.
            ProjectChangeError: Both are the same project, or `old` was already merged into another project.
        """
        registry = self.storage.registry
        leaving = only(old, called(old, registry.all()))
        if leaving.moved_to is not None:
            raise ProjectChangeError(reason=f"{leaving.id} was merged already.")
        home = Catalogue.of(registry.all()).merge_target(leaving.id, registry.named(new).id)
        return MergePreview(old=MeasureProjects(self.storage).of(leaving), new=home)

    def __call__(self, call: Call, old: str, new: str) -> Moved:
        """Merge one project into another project. Messages that both projects have don't count as moved.

        If `new` is the name of both the project `old` and the call's folder, it means the project of the folder.
        For example, `git init` gives the folder a new project with the same name as its old project.

        Args:
            call: Context of the call. If `new` is the call's folder, and this folder has no project yet, a project
                is created.
            old: Id, alias, name or folder of the project to merge.
            new: Id, alias, name or folder of the target.

        Raises:
            UnknownProjectError: A project is unknown.
            AmbiguousProjectError: Several projects have that name.
            ProjectChangeError: Both are the same project, or `old` was already merged into another project.
        """
        registry = self.storage.registry
        named = called(old, registry.all(), keys_of(self.projects, call, old))
        if not named:
            raise UnknownProjectError(asked=old)
        home = home_called(self.projects, call, new, leaving={each.id for each in named}).id
        leaving = only(old, [each for each in named if each.id != home] or named).id
        before = messages_of(self.storage, home)
        memories = registry.merge(leaving, home, by=self.projects.signature(call))
        return Moved(old=leaving, memories=memories, messages=max(0, messages_of(self.storage, home) - before))


@define
class SplitProject:
    """Undo a merge."""

    storage: Storage
    projects: ProjectResolver

    def preview(self, old: str) -> SplitPreview:
        """Return the extent of a split, without changing anything.

        Args:
            old: Id, alias or name of the merged project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            AmbiguousProjectError: Several merged projects have that name.
            ProjectChangeError: The project wasn't merged into another project.
        """
        returning = self._merged(old)
        if returning.moved_to is None:
            raise ProjectChangeError(reason=f"{returning.id} was not merged into another project.")
        home = self.storage.registry.named(returning.id)
        return SplitPreview(
            old=returning, home=MeasureProjects(self.storage).of(home), merge=self._merge(returning, home)
        )

    def __call__(self, call: Call, old: str) -> Moved:
        """Undo a merge: move the memories and conversations of the merged project back to it.

        Args:
            call: Context of the call.
            old: Id, alias, name or folder of the merged project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            AmbiguousProjectError: Several merged projects have that name.
            ProjectChangeError: The project wasn't merged into another project.
        """
        registry = self.storage.registry
        returning = self._merged(old, keys_of(self.projects, call, old)).id
        home = registry.named(returning).id
        before = messages_of(self.storage, home)
        memories = registry.split(returning, by=self.projects.signature(call))
        return Moved(old=returning, memories=memories, messages=max(0, before - messages_of(self.storage, home)))

    def _merged(self, asked: str, keys: AbstractSet[str] = frozenset()) -> Project:
        """Return the only project with the id, alias or name `asked`, or with an alias in `keys`.

        If both merged and unmerged projects match, ignore the unmerged ones.
        """
        found = called(asked, self.storage.registry.all(), keys)
        merged = [each for each in found if each.moved_to is not None]
        return only(asked, merged or found)

    def _merge(self, old: Project, home: Project) -> AuditEntry | None:
        """Return the audit entry of the latest merge of `old` into `home`."""
        if Capability.AUDIT not in self.storage.capabilities:
            return None
        merges = (each for each in self.storage.audit(home.id).all(names=0) if each.action is Action.MERGE)
        return next((each for each in merges if each.old == old.id), None)
