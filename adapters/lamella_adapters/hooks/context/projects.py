"""Projects that hooks read, opened as `ProjectResolver` finds them.

Hooks use this module, so each function imports what it needs.
"""

# ruff: noqa: PLC0415 - see above

import os
from collections.abc import Callable
from contextlib import suppress

SQLITE, POSTGRESQL = "sqlite", "postgresql"
"""Schemes whose openers are known: looking up entry points would take longer than all the rest."""

_FILES = 10
"""Most files of a memory that are looked at."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import TypeVar

    from lamella.domain.hook_context import MemoryExcerpt
    from lamella.ports.hook_reads import HookReads, OpenHookReads, ProjectReads

    T = TypeVar("T")


def opener(url: str) -> "OpenHookReads | None":
    """Return the opener that is registered for the storage at `url`, None if there is none."""
    scheme = url.partition(":")[0]
    if scheme == SQLITE:
        from lamella_adapters.sqlite.hook_reads.reads import open_hook_reads

        return open_hook_reads
    if scheme == POSTGRESQL:
        from lamella_adapters.sqlite.hook_reads.copy import open_hook_reads as open_copy

        return open_copy
    from importlib.metadata import entry_points

    return next((each.load() for each in entry_points(group="lamella.hook_reads", name=scheme)), None)


def key_at(directory: str) -> str:
    """Return the key of the place that a directory belongs to."""
    from lamella_adapters.git.repository.locate import find

    return find(directory)[0]


def project_at(reads: "HookReads", key: str, root: str, directory: str) -> "AbstractContextManager[ProjectReads]":
    """Open the project at a place, under the names that `ProjectResolver` gives to the place."""
    if not reads.shared:
        return reads.project(key, None, set_project())
    from pathlib import Path

    from lamella.domain.projects.project import Location
    from lamella.entry_points import adapter

    location = Location(key=key, name="", root=Path(root))
    alias = adapter("working_tree", "git")().repository_alias(location)
    return reads.project(_on_this_machine(key, directory), alias, set_project())


def everywhere(reads: "HookReads", directory: str, look: "Callable[[ProjectReads], T]") -> "T | None":
    """Return what `look` finds among the memories that hold in every project, None if there are none."""
    from lamella.domain.projects.key import EVERYWHERE

    if os.environ.get("LAMELLA_EVERYWHERE", "").strip() == "off":
        return None
    with suppress(Exception):
        key = _on_this_machine(EVERYWHERE, directory) if reads.shared else EVERYWHERE
        with reads.project(key, None, "") as project:
            return look(project)
    return None


def _on_this_machine(key: str, directory: str) -> str:
    """Return a key as it stands in a storage that machines share."""
    from pathlib import Path

    from lamella.domain.projects.identity import machine_key
    from lamella.entry_points import adapter

    return machine_key(adapter("machine", "file")(Path(directory)).id(), key)


def by_freshness(memories: "list[MemoryExcerpt]", root: str) -> "list[MemoryExcerpt]":
    """Return memories with the states of their files. Those whose files have changed or are gone come last."""
    if not any(each.files for each in memories):
        return memories
    from lamella.domain.memories.freshness import of_all
    from lamella_adapters.git.changes.file_version import freshness

    top = os.path.realpath(root)
    looked = [
        each._replace(state=of_all([freshness(top, *file) for file in each.files[:_FILES]]) or "")
        for each in memories
    ]
    return sorted(looked, key=lambda each: each.state != "")


def set_project() -> str:
    """Return the project that the user has set, or an empty text."""
    return os.environ.get("LAMELLA_PROJECT", "").strip()
