"""Recognise a repository in a new folder: a moved repository, or a clone of another machine's repository."""

from contextlib import suppress

from attrs import evolve

from lamella.domain.errors import StorageError
from lamella.domain.projects.identity import called_alias, is_called, is_place, is_repository
from lamella.domain.projects.key import ENTRY, ROOT, trace_of
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.working_tree import WorkingTree


def leave_traces(place: Location, project: Project, tree: WorkingTree, registry: ProjectRegistry) -> None:
    """Add aliases to a project, so that its repository is recognised after a move.

    These aliases are made from the traces of the repository at `place`: its first commit and its remote. If the
    project already has such aliases, nothing is added.
    """
    if any(each.startswith(ROOT) for each in project.aliases):
        return
    traces = tuple(trace_of(project.id, each) for each in tree.traces(place))
    known = any(each.startswith(ENTRY) and each in project.aliases for each in traces)
    if traces and (traces[0].startswith(ROOT) or not known):
        registry.upsert(evolve(project, aliases=traces))


def cloned(place: Location, tree: WorkingTree, registry: ProjectRegistry) -> Project | None:
    """Return another machine's project if its repository is cloned at `place`; otherwise None.

    A repository without a remote is recognised by its first commit and its name. Projects with a location on this
    machine are not recognised in this way. The location is added to the found project, so that hooks find the
    project, too. Git is only run if the storage has projects with such aliases.
    """
    known = {
        alias: each
        for each in registry.all()
        for alias in each.aliases
        if is_repository(alias) or (is_called(alias) and not any(map(is_place, each.aliases)))
    }
    project = known.get(tree.repository_alias(place) or "") if any(map(is_repository, known)) else None
    if project is None and any(map(is_called, known)):
        project = known.get(called_alias(place.name, (place.key, *tree.traces(place))) or "")
    if project is None:
        return None
    # If the storage is read-only, use the project without adding the location.
    with suppress(StorageError):
        return registry.upsert(evolve(project, aliases=(place.key,)))
    return registry.named(project.id)
