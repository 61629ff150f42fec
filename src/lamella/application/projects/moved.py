"""Find a project that was moved to the folder of a call."""

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.projects.identity import machine_key
from lamella.domain.projects.moved import ListedProject, MovedProject, moved_to
from lamella.domain.text.printing import printed_line
from lamella.domain.transactions.catalogue import Catalogue
from lamella.ports.storage.storage import Capability


def moved_here(projects: ProjectResolver, call: Call) -> MovedProject | None:
    """Return the project that was most likely moved to the folder of a call.

    Return None if no project was, or if the call or the settings name a project.

    Raises:
        StorageError: The storage failed.
    """
    if call.project or call.default_project or call.distant:
        return None
    location, tree = projects.location(call), projects.working_tree
    return moved_to(
        location.key, location.name, _listed(projects), is_gone=tree.is_gone, traces=lambda: tree.traces(location)
    )


def advice(projects: ProjectResolver, call: Call) -> str:
    """Return advice about the project that was moved to the folder of a call; empty without such a project."""
    moved = moved_here(projects, call)
    return "" if moved is None else moved._replace(folder=printed_line(moved.folder)).advice()


def _listed(projects: ProjectResolver) -> list[ListedProject]:
    """Return the unmerged projects. Each also has the aliases of the projects merged into it."""
    shared = Capability.SHARED in projects.storage.capabilities
    ours = machine_key(projects.machine.id(), "") if shared else ""
    known = Catalogue.of(projects.storage.registry.all())
    families: dict[str, list[str]] = {}
    # A project's own locations come first, then the locations of projects merged into it.
    for each in sorted(known.projects.values(), key=lambda each: each.moved_to is not None):
        families.setdefault(known.successors[each.id], []).extend(
            alias.removeprefix(ours) for alias in each.aliases
        )
    return [ListedProject(id, known.projects[id].name, tuple(aliases)) for id, aliases in families.items()]
