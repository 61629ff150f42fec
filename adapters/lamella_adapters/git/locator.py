"""Where directories belong, found anew only when something may have changed."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import define, frozen

from lamella.domain.projects import Location
from lamella.domain.text import well_formed
from lamella_adapters.git import location

_SETTLED_NANOSECONDS = 2 * 10**9
"""A folder that was changed less long ago may change again and keep its time: file systems count it in ticks."""

_State = list[tuple[int, int, int]]


@frozen
class _Known:
    """Where a directory belongs, and the folders that say so, as they were then; no state if that may be wrong."""

    directory: Path
    location: Location
    folders: tuple[str, ...]
    state: _State | None


@define(eq=False)
class Locator:
    """Remembers the last answer: a server asks the same at each call, which would take a tenth of a save.

    It holds until something was made, removed or renamed in a folder on the way up to the repository's top, in
    `.git` there, or in the common directory.
    """

    _last: _Known | None = None

    def locate(self, directory: Path) -> Location:
        """The place that `directory` belongs to: its git common directory, else its real path."""
        last = self._last
        if last is None or last.directory != directory or last.state is None or _state(last.folders) != last.state:
            last = self._last = _look(directory)
        return last.location


def _look(directory: Path) -> _Known:
    found = location.find(os.fspath(directory))
    folders = tuple(dict.fromkeys(_deciding(os.fspath(directory), *found)))
    state = _state(folders)
    # What changed while we were looking is not seen in a state that was taken afterwards.
    settled = state is not None and _is_settled(state) and location.find(os.fspath(directory)) == found
    key, name, root = found
    place = Location(key=key, name=well_formed(name), root=Path(root))
    return _Known(directory, place, folders, state if settled else None)


def _deciding(directory: str, key: str, _: str, root: str) -> Iterator[str]:
    """The folders that decide where `directory` belongs: in a repository only those below its top."""
    yield directory
    common = key.removeprefix("git:")
    for folder in location.upwards(location.real(directory)):
        yield folder
        if (dot_git := Path(folder, ".git")).exists():
            yield os.fspath(dot_git)
        if common != key and folder == root:
            yield common
            return


def _state(folders: Iterable[str]) -> _State | None:
    """What shows that something was made, removed or renamed in one of the folders; None if one is gone."""
    try:
        return [(each.st_dev, each.st_ino, each.st_mtime_ns) for each in map(os.stat, folders)]
    except (OSError, ValueError):
        return None


def _is_settled(state: _State) -> bool:
    return time.time_ns() - max(changed for _, _, changed in state) > _SETTLED_NANOSECONDS
