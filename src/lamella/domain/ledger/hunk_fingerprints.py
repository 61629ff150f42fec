"""Which lines came and went in the hunks of an observation. Hooks use this module, so it imports little."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lamella.domain.ledger.fingerprints import marks
from lamella.domain.ledger.hunks import EDITS_APART, LINE_CUT

_HUNK = "@@"


class LineMarks(NamedTuple):
    """The marks of the lines that one file's change brought and took away, as it was in the end."""

    came: frozenset[int] = frozenset()
    went: frozenset[int] = frozenset()


def marks_of(hunks: Sequence[str]) -> tuple[LineMarks, ...]:
    """For the hunks of each of an observation's changes which lines came and went; see `changes.line_marks`."""
    found = [_of_file(each) for each in hunks]
    return tuple(
        own._replace(went=own.went.difference(*(other.came for other in found if other is not own)))
        for own in found
    )


def _of_file(hunks: str) -> LineMarks:
    came: frozenset[int] = frozenset()
    went: frozenset[int] = frozenset()
    for edit in hunks.split(EDITS_APART):
        sides = [(marks(old), marks(new)) for old, new in _sides(edit)]
        before = frozenset[int]().union(*(old for old, _ in sides))
        after = frozenset[int]().union(*(new for _, new in sides))
        came, went = (came - (before - after)) | (after - before), (went - after) | (before - after)
    return LineMarks(came=came, went=went)


def _sides(edit: str) -> Iterator[tuple[list[str], list[str]]]:
    """What each hunk shows of the file before and after it."""
    for hunk in f"\n{edit}".split(f"\n{_HUNK}"):
        old: list[str] = []
        new: list[str] = []
        for line in hunk.split("\n"):
            # A line that was cut is not known; the rest of a hunk's own header is none.
            if line[:1] in ("-", " ") and not line.endswith(LINE_CUT):
                old.append(line[1:])
            if line[:1] in ("+", " ") and not line.endswith(LINE_CUT):
                new.append(line[1:])
        yield old, new
