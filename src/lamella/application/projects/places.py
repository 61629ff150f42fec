"""Places on this machine, as hooks look for projects."""

from lamella.domain.call import Call
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Location, Project

MOST = 1_000
"""Places that are noted at most. More are not on one machine, but may be named by callers from elsewhere."""


class Places(dict[str, str | None]):
    """Ids of projects by the keys of their places; None for a place without a project."""

    def note(self, call: Call, location: Location, project: Project | None) -> None:
        """Note which project was found for a call, unless the call names it."""
        if not call.project and len(self) < MOST:
            key = key_of_name(call.default_project) if call.default_project else location.key
            self[key] = None if project is None else project.id
