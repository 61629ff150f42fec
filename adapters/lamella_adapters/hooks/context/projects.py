"""Projects for hooks, found by the same rules as in `ProjectResolver`.

Hooks import this module, so each function has its own imports.
"""

# ruff: noqa: PLC0415 - see above
# ruff: noqa: PTH117, PTH119, PTH120 - importing pathlib would take longer than the rest of a hook

import os
from collections.abc import Callable
from contextlib import suppress

from lamella.domain.projects.key import EVERYWHERE, REPOSITORY

SQLITE, COPIED = "sqlite", ("postgresql", "https", "http")
"""URL schemes with built-in openers. Storages with schemes in `COPIED` are read from a copy.

Openers are built in because looking up entry points would take longer than the rest of a hook.
"""

_FOLDER_CHARACTERS = 200
_FILES = 10
"""Maximum number of files of a memory to examine."""

_GIT_SECONDS = 0.3
"""Time limit for git to locate files and branches."""

_STATE_CHARACTERS = 80

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import TypeVar

    from lamella.domain.hook_context import MemoryExcerpt
    from lamella.domain.projects.moved import ListedProject, MovedProject
    from lamella.domain.projects.project import Location
    from lamella.ports.hook_reads import HookReads, OpenHookReads, ProjectReads
    from lamella.ports.working_tree import WorkingTree

    T = TypeVar("T")


def opener(url: str) -> "OpenHookReads | None":
    """Return the registered opener for the storage at `url`; None without an opener."""
    scheme = url.partition(":")[0]
    if scheme == SQLITE:
        from lamella_adapters.sqlite.hook_reads.reads import open_hook_reads

        return open_hook_reads
    if scheme in COPIED:
        from lamella_adapters.sqlite.hook_reads.copy import open_hook_reads as open_copy

        return open_copy
    from importlib.metadata import entry_points

    return next((each.load() for each in entry_points(group="lamella.hook_reads", name=scheme)), None)


def nothing_stored() -> "HookReads":
    """Return a stand-in for a storage that doesn't exist yet. It finds nothing."""
    from lamella_adapters.sqlite.hook_reads.reads import SqliteHookReads

    return SqliteHookReads(os.devnull)


def place_of(reads: "HookReads", here: str, directory: str) -> tuple[str, str, str]:
    """Return key, name and root of the project of a folder, by the same rules as in `ProjectResolver`.

    A folder outside of repositories is part of the nearest enclosing folder with a project.

    Raises:
        PermissionError: Memory is off in the project.
    """
    from lamella_adapters.git.repository.locate import around, find
    from lamella_adapters.hooks.options import memory_is_off

    key, name, root = find(here)
    home = key
    if enclosing := not set_project() and around(key):
        with suppress(Exception):
            known = {alias for each in listed(reads, directory) for alias in each.aliases}
            home = next((each for each in (key, *enclosing) if each in known), key)
    if home == key:
        return key, name, root
    root = home.partition(":")[2]
    if memory_is_off(directory, root):
        raise PermissionError
    return home, os.path.basename(root), root


def place_of_file(reads: "HookReads", here: str, file: str, directory: str) -> tuple[str, str, str] | None:
    """Return the key and root of the project that a file belongs to, and the file's path in it.

    The project is the file's repository, or else the session's project. Return None if the file is in neither.
    """
    from lamella_adapters.git.repository.locate import find
    from lamella_adapters.git.repository.paths import inside

    if not os.path.isabs(file):
        return None
    key, _, root = find(os.path.dirname(file))
    if not key.startswith(REPOSITORY):
        key, _, root = place_of(reads, here, directory)
    path = inside(root, file)
    return None if path is None else (key, root, path)


def listed(reads: "HookReads", directory: str) -> "list[ListedProject]":
    """Return the projects of a storage. If machines share the storage, drop this machine's prefix from aliases."""
    found = reads.projects()
    if not reads.shared:
        return found
    ours = _on_this_machine("", directory)
    return [each._replace(aliases=tuple(alias.removeprefix(ours) for alias in each.aliases)) for each in found]


def moved_here(reads: "HookReads", here: str, directory: str) -> "MovedProject | None":
    """Return the project that was most likely moved to the folder `here`.

    Return None if the folder has a project, if no project was moved, or after an error.
    """
    from lamella.domain.projects.moved import moved_to
    from lamella_adapters.git.repository.locate import is_gone

    key, name, root = place_of(reads, here, directory)

    def traces() -> "tuple[str, ...]":
        return _working_tree().traces(_location(key, root))

    with suppress(Exception):
        known = listed(reads, directory)
        if not (set_project() or any(key in each.aliases for each in known)):
            return moved_to(key, name, known, is_gone=is_gone, traces=traces)
    return None


def moved_line(moved: "MovedProject") -> str:
    """Return a line about a project that was most likely moved here, with the command to merge it."""
    from lamella_adapters.hooks.context.fence import line
    from lamella_adapters.hooks.context.server_tools import program

    said = moved._replace(folder=line(moved.folder, _FOLDER_CHARACTERS)).advice(program())
    return f"From lamella: nothing is saved for this folder yet. {said} Tell the user."


def key_at(directory: str) -> str:
    """Return the key of the project location of a directory."""
    from lamella_adapters.git.repository.locate import find

    return find(directory)[0]


def project_at(reads: "HookReads", key: str, root: str, directory: str) -> "AbstractContextManager[ProjectReads]":
    """Open the project at a location, under any of the aliases that `ProjectResolver` would use."""
    if not reads.shared:
        return reads.project(key, None, set_project())
    alias = _working_tree().repository_alias(_location(key, root))
    return reads.project(_on_this_machine(key, directory), alias, set_project())


def _working_tree() -> "WorkingTree":
    from lamella.entry_points import adapter

    tree: WorkingTree = adapter("working_tree", "git")()
    return tree


def _location(key: str, root: str) -> "Location":
    from pathlib import Path

    from lamella.domain.projects.project import Location

    return Location(key=key, name="", root=Path(root))


def everywhere(reads: "HookReads", directory: str, look: "Callable[[ProjectReads], T]") -> "T | None":
    """Return the result of `look` on the global memories; None if there are no global memories."""
    if os.environ.get("LAMELLA_EVERYWHERE", "").strip() == "off":
        return None
    with suppress(Exception):
        key = _on_this_machine(EVERYWHERE, directory) if reads.shared else EVERYWHERE
        with reads.project(key, None, "") as project:
            return look(project)
    return None


def _on_this_machine(key: str, directory: str) -> str:
    """Return a key with this machine's id as prefix, as in a storage that machines share."""
    from pathlib import Path

    from lamella.domain.projects.identity import machine_key
    from lamella.entry_points import adapter

    return machine_key(adapter("machine", "file")(Path(directory)).id(), key)


def by_freshness(memories: "list[MemoryExcerpt]", root: str) -> "list[MemoryExcerpt]":
    """Return memories with the states of their files and branches, and with the present paths of renamed files.

    Memories with a changed file or an unmerged branch come last.
    """
    if not any(each.paths or each.branch for each in memories):
        return memories
    from itertools import islice

    from lamella.domain.memories.checkout import Checkout
    from lamella.domain.memories.freshness import of_all
    from lamella_adapters.git.changes.branches import unmerged
    from lamella_adapters.git.changes.file_version import fates
    from lamella_adapters.git.repository.asking import asking
    from lamella_adapters.hooks.context.fence import line

    top = os.path.realpath(root)
    ask = asking(top, _GIT_SECONDS) if os.path.lexists(f"{top}/.git") else None
    files = [_about(each) for each in memories]
    fate = iter(fates(ask, top, [file for each in files for file in each]))
    saved = [Checkout(each.branch, each.head) for each in memories]
    apart = unmerged(ask, top, saved) if ask else {}
    looked = []
    for each, about, checkout in zip(memories, files, saved, strict=True):
        found = list(islice(fate, len(about)))
        freshness = of_all([state and state.freshness for state in found])
        now = {file[0]: state.path for file, state in zip(about, found, strict=True) if state and state.path}
        said = checkout.saved_on(deleted=apart[checkout]) if checkout in apart else ""
        states = filter(None, (line(said, _STATE_CHARACTERS), freshness))
        paths = tuple(now.get(path, path) for path in each.paths)
        looked.append(each._replace(state=", ".join(states), paths=paths))
    return sorted(looked, key=lambda each: each.state != "")


def _about(memory: "MemoryExcerpt") -> "list[tuple[str, str | None, Callable[[], str]]]":
    """Return the first files of a memory as arguments of `file_version.fates`."""
    known = {path: (path, version, lines) for path, version, lines in memory.files}
    return [known.get(path, (path, None, str)) for path in memory.paths[:_FILES]]


def set_project() -> str:
    """Return the project set by the user, or an empty text."""
    return os.environ.get("LAMELLA_PROJECT", "").strip()
