"""Files that were moved without telling git: one is gone, and one that it doesn't know is much the same."""

import os
from collections import Counter
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from attrs import evolve

from lamella.domain.hunks import bounded, counted
from lamella.domain.observation import CodeChange
from lamella_adapters.git.process import Git
from lamella_adapters.git.untracked import content

_LIKENESS = 0.5
"""How much of two files' lines must be the same, as git has it."""

_MOST_FILES = 100
"""Among so many files that are new one is looked for; of more, nobody knows which they are."""

_MOST_LINES = 2_000
"""Longer files are only compared as a whole."""


def with_moved(git: Git, changes: Sequence[CodeChange]) -> tuple[CodeChange, ...]:
    """The changes, with one that renames a file in place of one that deletes it, where it is there again."""
    gone = [
        change for change in changes if change.deletions and not os.path.lexists(Path(git.folder, change.path))
    ]
    listed = git.ask("ls-files", "-z", "--others", "--exclude-standard") if gone else None
    names = [os.fsdecode(name) for name in (listed or b"").split(b"\0") if name]
    if not names or len(names) > _MOST_FILES:
        return tuple(changes)
    new = {name: text for name in names if (text := content(git.folder, name)) is not None}
    moved: dict[str, CodeChange] = {}
    for change in gone:
        before = _lines(git.ask("show", f"HEAD:./{change.path}") or b"")
        likeness = {name: _likeness(before, _lines(text)) for name, text in new.items()}
        best = max(likeness, key=lambda name: likeness[name], default="")
        if best and likeness[best] >= _LIKENESS:
            moved[change.path] = _rename(change.path, best, before, _lines(new.pop(best)))
    return tuple(moved.get(change.path, change) for change in changes)


def _lines(text: bytes) -> list[str]:
    return text.decode(errors="replace").splitlines()


def _likeness(before: Sequence[str], after: Sequence[str]) -> float:
    if not before or not after:
        return 0.0
    return (Counter(before) & Counter(after)).total() / max(len(before), len(after))


def _rename(former: str, path: str, before: Sequence[str], after: Sequence[str]) -> CodeChange:
    renamed = CodeChange(path=path, former=former, additions=0, deletions=0)
    if before == after or max(len(before), len(after)) > _MOST_LINES:
        return renamed
    hunks = "\n".join(list(unified_diff(before, after, lineterm=""))[2:])
    additions, deletions = counted(hunks)
    return evolve(renamed, additions=additions, deletions=deletions, hunks=bounded(hunks))
