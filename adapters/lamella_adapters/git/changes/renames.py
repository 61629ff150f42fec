"""Files that were moved without telling git: one is gone, and one that it doesn't know is much the same."""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from functools import cached_property
from pathlib import Path, PurePosixPath

from attrs import define, evolve

from lamella.domain.ledger.hunks import counted
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.untracked import content
from lamella_adapters.git.repository.process import Git, GitFailedError

_LIKENESS = 0.5
"""How much of two files' lines must be the same, as git has it."""

_MOST_FILES = 2_000
"""Among so many files that are new one is looked for; of more, nobody knows which they are."""

_MOST_COMPARED = 2_500
"""So many pairs of files that have other names are compared at most."""

_MOST_LINES = 2_000
"""Longer files are only compared as a whole."""

_MOST_BYTES = 64 * 1024 * 1024
"""So much of what is gone is read, to be compared."""


@define(slots=False)
class _Text:
    """What is in a file, and how often it has each line."""

    content: bytes

    @cached_property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.content.decode(errors="replace").splitlines()

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each line is there."""
        return Counter(self.lines)

    def likeness(self, other: "_Text") -> float:
        """How much of the lines is the same."""
        longer = max(1, len(self.lines), len(other.lines))
        if min(len(self.lines), len(other.lines)) < _LIKENESS * longer:
            return 0.0  # told fast
        return (self.counts & other.counts).total() / longer


def with_moved(git: Git, base: str, changes: Sequence[CodeChange]) -> tuple[CodeChange, ...]:
    """Changes against `base`, with one that renames a file in place of one that deletes it, where it is moved.

    Raises:
        GitFailedError: git fails, or all of this takes too long.
    """
    gone = [
        change.path
        for change in changes
        if change.deletions and not os.path.lexists(Path(git.folder, change.path))
    ]
    names = _untracked(git) if gone else []
    if not names or len(names) > _MOST_FILES:
        return tuple(changes)
    objects = _objects(git, base, gone)
    new = dict(_contents(git, names))
    same = _same(objects, new)
    moved = {
        former: CodeChange(path=path, former=former, additions=0, deletions=0) for former, path in same.items()
    }
    left = {path: text for path, text in new.items() if path not in same.values()}
    before = _former(git, {path: name for path, name in objects.items() if path not in same} if left else {})
    for former, path in _alike(git, before, left):
        moved[former] = _rename(former, path, before[former].lines, left[path].lines)
    return tuple(moved.get(change.path, change) for change in changes)


def _untracked(git: Git) -> list[str]:
    listed = git.ask("ls-files", "-z", "--others", "--exclude-standard")
    if listed is None:
        raise GitFailedError
    return [os.fsdecode(name) for name in listed.split(b"\0") if name]


def _objects(git: Git, base: str, paths: Sequence[str]) -> dict[str, str]:
    """What git calls the content of each file that `base` has."""
    listed = git.ask("ls-tree", "-z", "-r", base, "--", *paths)
    if listed is None:
        raise GitFailedError
    entries = (os.fsdecode(entry).partition("\t") for entry in listed.split(b"\0")[:-1])
    return {path: about.split(" ")[2] for about, _, path in entries}


def _contents(git: Git, names: Sequence[str]) -> Iterator[tuple[str, _Text]]:
    """The text of each file that has any."""
    for name in names:
        _in_time(git)
        text = content(git.folder, name)
        if text is not None:
            yield name, _Text(text)


def _same(objects: Mapping[str, str], new: Mapping[str, _Text]) -> dict[str, str]:
    """The new name of each file that is there as it was, of several that with the same last part."""
    sha1 = all(len(name) == hashlib.sha1(usedforsecurity=False).digest_size * 2 for name in objects.values())
    found: dict[str, list[str]] = {}
    for path, text in new.items():
        found.setdefault(_object_name(text.content, "sha1" if sha1 else "sha256"), []).append(path)
    same = {}
    for former, name in objects.items():
        if places := found.get(name):
            place = next((each for each in places if _last_part(each) == _last_part(former)), places[0])
            places.remove(place)
            same[former] = place
    return same


def _object_name(content: bytes, algorithm: str) -> str:
    """What git calls it."""
    return hashlib.new(algorithm, b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _former(git: Git, objects: Mapping[str, str]) -> dict[str, _Text]:
    """What was in each file, as far as it is read."""
    if not objects:
        return {}
    output = bytearray()
    asked = "".join(f"{name}\n" for name in objects.values()).encode()
    for piece in git.stream("cat-file", "--batch", given=asked):
        output += piece
        if len(output) > _MOST_BYTES:
            break
    # How much comes in one piece is chance.
    del output[_MOST_BYTES:]
    found: dict[str, _Text] = {}
    place = 0
    for path in objects:
        end = output.find(b"\n", place)
        told = output[place:end].split(b" ")
        if end < 0 or not told[-1].isdigit():
            break
        place = end + 1 + int(told[-1]) + 1
        if place > len(output):
            break
        found[path] = _Text(bytes(output[end + 1 : place - 1]))
    return found


def _alike(git: Git, before: Mapping[str, _Text], after: Mapping[str, _Text]) -> Iterator[tuple[str, str]]:
    """The former name and the new one of files that are much the same: first those whose last part stayed."""
    sought, left = dict(before), dict(after)
    compared = 0
    for other_names in (False, True):
        for former, text in list(sought.items()):
            _in_time(git)
            places = [path for path in left if other_names or _last_part(path) == _last_part(former)]
            compared += len(places) if other_names else 0
            if compared > _MOST_COMPARED:
                return
            likeness = {path: text.likeness(left[path]) for path in places}
            best = max(likeness, key=lambda path: likeness[path], default="")
            if best and likeness[best] >= _LIKENESS:
                del sought[former], left[best]
                yield former, best


def _rename(former: str, path: str, before: Sequence[str], after: Sequence[str]) -> CodeChange:
    renamed = CodeChange(path=path, former=former, additions=0, deletions=0)
    if before == after or max(len(before), len(after)) > _MOST_LINES:
        return renamed
    hunks = "\n".join(list(unified_diff(before, after, lineterm=""))[2:])
    additions, deletions = counted(hunks)
    return evolve(renamed, additions=additions, deletions=deletions, hunks=hunks)


def _last_part(path: str) -> str:
    return PurePosixPath(path).name


def _in_time(git: Git) -> None:
    """Raises GitFailedError when git's time is up: what it has for lack of time is no answer."""
    if time.monotonic() > git.deadline:
        raise GitFailedError
