"""Switch memory on or off in a project."""

from attrs import define, evolve

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.projects.project import Project
from lamella.ports.spool import Spool
from lamella.ports.storage.storage import Storage
from lamella.ports.system import Clock


@define
class SwitchProject:
    """Keep nothing and show nothing in a project, or both again."""

    storage: Storage
    projects: ProjectResolver
    clock: Clock
    spool: Spool

    def __call__(self, call: Call, *, on: bool) -> Project | None:
        """Switch memory on or off in the project of a call. What is stored stays.

        Args:
            call: The context. A project that does not exist yet is created, to be switched off.
            on: True for on.

        Returns:
            The project as it is now; None if there is none, whose memory is on.

        Raises:
            UnknownProjectError: `call.project` is unknown.
            StorageError: The storage failed.
        """
        even_off = evolve(call, even_off=True)
        find = self.projects.find if on else self.projects.find_or_create
        project = find(even_off).project
        if project is None:
            return None
        switched = self.storage.registry.switch(project.id, on=on, now=self.clock.now())
        self.spool.silence(self.projects.off_places())
        return switched
