"""Find projects by the id, alias, name or folder that a person has given."""

import os
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from attrs import evolve

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
from lamella.domain.projects.key import FOLDER, REPOSITORY
from lamella.domain.projects.moved import folder_of
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.catalogue import Catalogue


def called(asked: str, projects: Sequence[Project], keys: AbstractSet[str] = frozenset()) -> Sequence[Project]:
    """Return the projects with the id, alias or name `asked`, or with an alias in `keys`.

    Merges aren't followed.
    """
    known = [each for each in projects if asked in (each.id, *each.aliases) or not keys.isdisjoint(each.aliases)]
    return known or [each for each in projects if asked == each.name]


def only(asked: str, found: Sequence[Project]) -> Project:
    """Return the only project in `found`. `asked` is for errors.

    Raises:
        UnknownProjectError: `found` is empty.
        AmbiguousProjectError: `found` has several projects.
    """
    if not found:
        raise UnknownProjectError(asked=asked)
    if len(found) > 1:
        raise AmbiguousProjectError(asked=asked, candidates=[each.id for each in found])
    return found[0]


def home_called(
    projects: ProjectResolver, call: Call, asked: str, *, leaving: AbstractSet[str] = frozenset()
) -> Project:
    """Return the project with the id, alias, name or folder `asked`, following merges.

    If `asked` is an existing folder, or the name of the call's folder, a missing project is created.

    Args:
        projects: Finds projects.
        call: Context of the call.
        asked: The id, alias, name or folder; `.` is the folder of the call.
        leaving: Ids of projects to ignore if `asked` is also the name of the call's folder, such as the project
            that is about to be merged.

    Raises:
        UnknownProjectError: The project doesn't exist.
        AmbiguousProjectError: Several projects have the name.
        StorageError: The storage failed.
    """
    registry, place, here = projects.storage.registry, _place(projects, call, asked), projects.location(call)
    known = Catalogue.of(registry.all())
    named = called(asked, [*known.projects.values()], keys_of(projects, call, asked))
    found = {home.id: home for home in (known.home(each.id) for each in named)}
    if place is None and here.name == asked and (len(found) != 1 or found.keys() <= leaving):
        place = here
    if place is None and not found and not projects.working_tree.is_gone(f"{FOLDER}{call.directory / asked}"):
        place = _place(projects, call, f"{os.curdir}{os.sep}{asked}")
    if place is None or (found and projects.working_tree.is_gone(place.key)):
        return only(asked, [*found.values()])
    return registry.at(projects.known_as(place), now=projects.clock.now())


def keys_of(projects: ProjectResolver, call: Call, asked: str) -> AbstractSet[str]:
    """Return the aliases that a project in the folder `asked` may have.

    The folder may have been deleted, or may have become a repository. Without a folder, the result is empty.
    """
    place = _place(projects, call, asked)
    if place is None:
        return frozenset()
    folder = folder_of(place.key)
    keys = {place.key, f"{FOLDER}{folder}", f"{REPOSITORY}{folder}/.git"}
    return {stored_key(projects.key(evolve(place, key=each))) for each in keys}


def _place(projects: ProjectResolver, call: Call, asked: str) -> Location | None:
    """Return the location of the folder `asked`; None if `asked` isn't a folder."""
    first, separator, _ = asked.partition(os.sep)
    is_alias = ":" in first
    if is_alias or not (separator or first in (os.curdir, os.pardir) or first.startswith("~")):
        return None
    folder = call.directory / os.path.expanduser(asked)  # noqa: PTH111 - pathlib raises for an unknown user
    return projects.location(evolve(call, directory=folder, location=None))
