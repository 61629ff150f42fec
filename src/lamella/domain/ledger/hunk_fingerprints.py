"""Fingerprints of the lines that an observation adds and removes. Hooks use this module, so it imports little."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lamella.domain.ledger.fingerprints import fingerprints
from lamella.domain.ledger.hunks import EDITS_APART, LINE_CUT

_HUNK = "@@"


class LineFingerprints(NamedTuple):
    """Fingerprints of the net additions and removals in one file."""

    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()


def fingerprints_of(hunks: Sequence[str]) -> tuple[LineFingerprints, ...]:
    """Return the net additions and removals of an observation's changes, given their hunks.

    See `describe.line_fingerprints`.
    """
    found = [_of_file(each) for each in hunks]
    return tuple(
        own._replace(removed=own.removed.difference(*(other.added for other in found if other is not own)))
        for own in found
    )


def _of_file(hunks: str) -> LineFingerprints:
    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    for edit in hunks.split(EDITS_APART):
        sides = [(fingerprints(old), fingerprints(new)) for old, new in _sides(edit)]
        before = frozenset[int]().union(*(old for old, _ in sides))
        after = frozenset[int]().union(*(new for _, new in sides))
        added, removed = (added - (before - after)) | (after - before), (removed - after) | (before - after)
    return LineFingerprints(added=added, removed=removed)


def _sides(edit: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each hunk, its lines as they were before the edit, and as they are after it."""
    for hunk in filter(None, f"\n{edit}".split(f"\n{_HUNK}")):
        old: list[str] = []
        new: list[str] = []
        for line in hunk.split("\n"):
            # Leave out truncated lines and the header of each hunk.
            if line[:1] in ("-", " ") and not line.endswith(LINE_CUT):
                old.append(line[1:])
            if line[:1] in ("+", " ") and not line.endswith(LINE_CUT):
                new.append(line[1:])
        yield old, new
