"""Log recalled memories."""

from contextlib import suppress
from threading import Lock
from uuid import uuid4

from attrs import define, field

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.search.recall import RecallMemories
from lamella.domain.audit.activity import Activity, ActivityKind
from lamella.domain.errors import LamellaError
from lamella.ports.storage.storage import Capability
from lamella.ports.system import Clock


@define
class LogRecalls:
    """Log recalled memories later, so that a recall never waits for a write."""

    recall: RecallMemories
    projects: ProjectResolver
    clock: Clock
    _lock: Lock = field(init=False, factory=Lock)

    def __call__(self, *, least: int = 1) -> None:
        """Log the recalls since the last call, with one entry for each project. Ignore failures.

        Args:
            least: Minimum number of recalls. If there were fewer, nothing is written until a later call.
        """
        with self._lock:
            if len(self.recall.recalled) >= least:
                self._log()

    def _log(self) -> None:
        recalled: dict[str, tuple[ProjectContext, dict[str, None]]] = {}
        while self.recall.recalled:
            call, hits = self.recall.recalled.popleft()
            with suppress(LamellaError):
                here = self.projects.find(call)
                _, ids = recalled.setdefault(here.id, (here, {}))
                ids |= {id.hex: None for project, id in hits if project in (None, here.id)}
        for here, ids in recalled.values():
            if ids and here.keeps(Capability.ACTIVITY):
                with suppress(LamellaError):
                    here.activity().add([self._entry(tuple(ids))])

    def _entry(self, ids: tuple[str, ...]) -> Activity:
        name = f"recalled {uuid4().hex}"
        return Activity(name=name, at=self.clock.now(), kind=ActivityKind.RECALLED, about="recall", memories=ids)
