"""Find the project to import a memory of another program into."""

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath

from attrs import define, evolve, field, frozen

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError, UnknownProjectError
from lamella.domain.projects.project import Location, Project
from lamella.ports.peers import ForeignMemory, ForeignPrompt, Peer

EVERYWHERE = "everywhere"
"""Name with which a user selects the global memories."""

_ROOT = re.compile(r"(?:machine:[^:]*:)?(?:dir:(?P<folder>/.*)|git:(?P<top>/.*)/\.git)", re.DOTALL)


@frozen
class Destination:
    """Project to import memories into.

    Attributes:
        here: Data of the project.
        name: Name of the project, even if it doesn't exist yet.
        root: Top of the project's working tree; None if unknown.
    """

    here: ProjectContext
    name: str
    root: Path | None = None


@define
class Destinations:
    """Finder of each memory's project.

    It uses the user's choice, or else the memory's directory, or else the name of the memory's project in the
    other program. If several projects have this name, only the working directory's project is found.

    Attributes:
        call: Context of the call.
        projects: Finds projects.
        peer: The program with the memories.
        named: The user's choices: projects of this storage, keyed by project names in the other program.
        rest: Project for memories of unknown projects; None to skip these memories.
        create: True to create missing projects.
    """

    call: Call
    projects: ProjectResolver
    peer: Peer
    named: Mapping[str, str]
    rest: str | None
    create: bool
    unused: set[str] = field(init=False)
    """Project names in `named` that no memory has used so far."""
    _found: dict[tuple[str | None, str | None], Destination | None] = field(factory=dict)
    _living: tuple[Project, ...] | None = None

    def __attrs_post_init__(self) -> None:
        self.unused = set(self.named)

    def check(self) -> None:
        """Check that the projects named by the user exist.

        Raises:
            UnknownProjectError: No project has one of the names.
            AmbiguousProjectError: Several projects have one of the names.
            InvalidValueError: A folder doesn't exist, or `everywhere` is named, but the settings hide global
                memories.
        """
        for given in [*self.named.values(), *([self.rest] if self.rest else [])]:
            evolve(self, create=False).given(given)

    def of(self, memory: ForeignMemory | ForeignPrompt) -> Destination | None:
        """Return the project of a memory or prompt; None if it can't be determined.

        Raises:
            StorageError: The storage failed.
        """
        asked = memory.project, memory.directory
        if asked not in self._found:
            self._found[asked] = self._find(*asked)
        return self._found[asked]

    def given(self, asked: str) -> Destination:
        """Return the project that a user has named.

        The name can be `everywhere`, a folder, the id, alias or name of a project, or the name of the call's
        folder.

        Raises:
            UnknownProjectError: No project has that name.
            AmbiguousProjectError: Several projects have that name.
            InvalidValueError: The path isn't a folder, or `everywhere` is hidden by the settings.
        """
        if asked == EVERYWHERE:
            return self._everywhere()
        if asked in (os.curdir, os.pardir) or os.sep in asked or asked.startswith("~"):
            folder = self.call.directory / os.path.expanduser(asked)  # noqa: PTH111 - pathlib raises for an unknown user
            if not os.path.isdir(folder):  # noqa: PTH112 - pathlib raises without permission to look
                raise InvalidValueError(name="--project", given=repr(asked), allowed="a folder that exists")
            return self._in(folder)
        try:
            return self._known(self.projects.storage.registry.named(asked))
        except UnknownProjectError:
            if self._name_here() != asked:
                raise
            return self._in(self.call.directory)

    def _find(self, name: str | None, directory: str | None) -> Destination | None:
        # A worktree is named after its project: `project/worktree`.
        names = [] if name is None else [name, *([name.partition("/")[0]] if "/" in name[1:] else [])]
        for each in names:
            if each in self.named:
                self.unused.discard(each)
                return self.given(self.named[each])
        if directory and is_absolute(directory):
            return self._at(directory)
        for each in names:
            if (found := self._called(each)) is not None:
                return found
        return self.given(self.rest) if self.rest else None

    def _everywhere(self) -> Destination:
        there = self.projects.everywhere(self.call)
        if self.create or not self.projects.shows_everywhere:
            there = self.projects.make_everywhere(self.call)
        if there is None:
            nowhere = Location(key=f"{EVERYWHERE}:", name=EVERYWHERE, root=self.call.directory)
            return self._in(self.call.directory, nowhere)
        return Destination(there, EVERYWHERE)

    def _at(self, directory: str) -> Destination:
        """Return the project of a directory.

        If the directory was deleted, return the project at its former path, named after the directory.
        """
        if os.path.isdir(directory):  # noqa: PTH112 - pathlib raises without permission to look, or for a name that is too long
            return self._in(Path(directory))
        path = directory.rstrip("/\\") or directory
        name = PureWindowsPath(path).name if _is_windows(path) else PurePosixPath(path).name
        there = self._in(Path(path), Location(key=f"dir:{path}", name=name or path, root=Path(path)))
        return evolve(there, name=f"{there.name} (its folder is gone: {path})")

    def _called(self, name: str) -> Destination | None:
        """Return the only project that matches a name of the other program.

        A project matches by its own name, or if the other program would give this name to one of its directories.
        """
        if self._living is None:
            every = self.projects.storage.registry.all()
            self._living = tuple(each for each in every if each.moved_to is None)
        found = [each for each in self._living if self._has_name(each, name)]
        if len(found) == 1:
            return self._known(found[0])
        names_here = self._name_here(), self.peer.name_of(str(self.projects.root(self.call)))
        return self._in(self.call.directory) if name in names_here else None

    def _known(self, project: Project) -> Destination:
        """Return an existing project as a destination. Its root is the project's first directory."""
        here = self.projects.find(evolve(self.call, project=project.id))
        return Destination(here, project.name, next(map(Path, _roots(project)), None))

    def _has_name(self, project: Project, name: str) -> bool:
        return project.name == name or any(self.peer.name_of(root) == name for root in _roots(project))

    def _name_here(self) -> str:
        return self.projects.working_tree.locate(self.call.directory).name

    def _in(self, directory: Path, gone: Location | None = None) -> Destination:
        """Return the project of a directory. For a deleted directory, `gone` is its former location."""
        location = gone or self.projects.working_tree.locate(directory)
        call = Call(directory=directory, location=location)
        here = self.projects.find_or_create(call) if self.create else self.projects.find(call)
        return Destination(here, here.project.name if here.project else location.name, location.root)


def _roots(project: Project) -> Iterator[str]:
    """Yield the directories of a project."""
    for found in filter(None, map(_ROOT.fullmatch, project.aliases)):
        yield found["folder"] or found["top"]


def is_absolute(path: str) -> bool:
    """Return True if a path is absolute on POSIX or on Windows."""
    return "\0" not in path and (path.startswith("/") or _is_windows(path))


def _is_windows(path: str) -> bool:
    return bool(PureWindowsPath(path).drive)


@lru_cache(maxsize=4096)
def inside_root(root: Path | None, path: str) -> str | None:
    """Return `path` relative to the root, with `/` as separator. Return None if it is outside of the root.

    The disk isn't accessed.
    """
    there = os.path.normpath(path.replace("\\", "/"))
    if is_absolute(there):
        inside = PurePosixPath(there)
        there = str(inside.relative_to(root)) if root is not None and inside.is_relative_to(root) else ""
    return None if there in ("", ".") or there.startswith("..") or "\0" in there else there
