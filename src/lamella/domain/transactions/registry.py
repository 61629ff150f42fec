"""Changes of the registry of projects: new locations, imports and switches."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from lamella.domain.projects.project import Location, Project
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook


@frozen(repr=False)
class MakeProject:
    """Create a project with its aliases and off periods, unless a project with its id exists."""

    project: Project


@frozen(repr=False)
class LeadTo:
    """Assign aliases to a project, except aliases that a project already has.

    Attributes:
        project: Id of the project.
        aliases: Aliases to assign.
    """

    project: str
    aliases: tuple[str, ...]


@frozen(repr=False)
class KeepOff:
    """Store the off periods of a project.

    Attributes:
        project: The project with all of its off periods.
    """

    project: Project


RegistryWrite = MakeProject | LeadTo | KeepOff
"""A single write to the registry."""

RegistryPlan = tuple[RegistryWrite, ...]
"""Writes in the order of application."""


def look_for_arrival(project: Project) -> ProjectLook:
    """List the facts that `decide_arrival` needs."""
    return ProjectLook(ids=(project.id,), aliases=tuple(map(stored_key, project.aliases)))


def decide_place(location: Location, known: Catalogue, *, now: datetime) -> tuple[RegistryPlan, str]:
    """Find or create the project at a location; see `ProjectRegistry.at`.

    Returns:
        The plan, and the id of the project, merged or not.
    """
    owner = known.owner(location)
    if owner is not None:
        return (LeadTo(owner.id, (location.alias,)),), owner.id
    aliases = (location.alias,)
    made = Project(id=location.project_id, name=location.name, aliases=aliases, created_at=now)
    return (MakeProject(made),), made.id


def decide_arrival(project: Project, known: Catalogue) -> tuple[RegistryPlan, str]:
    """Find or create the project for an imported project; see `ProjectRegistry.upsert`.

    Returns:
        The plan, and the id of the project in this storage, merged or not.
    """
    here, is_new = known.arriving(project)
    if is_new:
        return (MakeProject(here),), here.id
    return ((LeadTo(here.id, here.aliases),) if here.aliases else ()), here.id


def decide_switch(project: str, known: Catalogue, *, on: bool, now: datetime) -> tuple[RegistryPlan, Project]:
    """Plan to switch memory on or off in a project; see `ProjectRegistry.switch`."""
    home = known.home(known.known(project).id)
    switched = home.switched(on=on, now=now)
    return ((KeepOff(switched),) if switched != home else ()), switched
