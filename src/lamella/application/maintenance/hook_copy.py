"""Maintain the copy for hooks. Hooks need this copy if they can't read the storage directly."""

from collections.abc import Iterator, Mapping

from attrs import define

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.entry import Signature
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.hook_copy import HookCopy
from lamella.ports.storage.feed import FeedState
from lamella.ports.storage.storage import Storage
from lamella.ports.system import Clock

_PAGE = 200
"""Number of observations to copy in a transaction, which takes a fraction of a second."""

_ASKED_AT_ONCE = 1_000

_ACTOR = "copy"


@define
class KeepHookCopy:
    """Update the copy for hooks, which has the projects with locations on this machine.

    Attributes:
        hook_copy: The copy; None if hooks read the storage itself.
    """

    storage: Storage
    projects: ProjectResolver
    clock: Clock
    hook_copy: HookCopy | None

    def __call__(self) -> Iterator[None]:
        """Copy changes, in steps of a fraction of a second.

        Projects are copied if they are already in the copy, or at a location that this process has found. Without
        changes, this takes one round trip. The update can be interrupted at any step, killed at any time, and run
        by several processes simultaneously.

        Raises:
            StorageError: The storage or the copy failed. The copied part stays.
        """
        if self.hook_copy is None:
            return
        known = self.hook_copy.places()
        found = {**known, **self.projects.places}
        states = self.storage.feed.states({id for id in found.values() if id is not None})
        wanted = {key: None if id is None else states.get(id) for key, id in found.items()}
        self._lead(self.hook_copy, known, wanted)
        for state in {each.project: each for each in wanted.values() if each is not None}.values():
            yield from self._follow(self.hook_copy, state)
        self.hook_copy.refresh(self.clock.now())

    def _lead(self, copy: HookCopy, known: Mapping[str, str], wanted: Mapping[str, FeedState | None]) -> None:
        """Record the present project of each location in the copy, unless it is recorded already."""
        changed = {
            key: state
            for key, state in wanted.items()
            if known.get(key) != (None if state is None else state.project)
        }
        if changed:
            copy.lead(changed)

    def _follow(self, copy: HookCopy, state: FeedState) -> Iterator[None]:
        """Copy the changes of a project since the last copied change."""
        project, copied = state.project, copy.copied(state.project)
        if copied.revision == state.revision:
            return
        mark = copied.mark
        while changes := self.storage.feed.after(project, mark, limit=_PAGE):
            copy.put(project, changes)
            mark = changes[-1].mark
            yield
        if self.storage.feed.states([project]).get(project) != state:
            return  # the next run continues
        ids = copy.ids(project)
        if len(ids) != state.observations:
            for start in range(0, len(ids), _ASKED_AT_ONCE):
                asked = ids[start : start + _ASKED_AT_ONCE]
                there = self.storage.observations(project).known(asked)
                gone = [id for id in asked if there.get(id, ImportResult.ERASED) is ImportResult.ERASED]
                if gone:
                    copy.erase(project, gone, by=Signature(at=self.clock.now(), actor=_ACTOR))
                yield
        copy.settle(project, state.revision)
