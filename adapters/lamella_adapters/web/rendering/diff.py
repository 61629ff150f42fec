"""The lines of a change, each with its sign."""

from collections.abc import Iterator

from attrs import frozen

_KINDS = {"+": "added", "-": "removed", "@": "place"}


@frozen
class Line:
    """A line of a diff.

    Attributes:
        kind: `added`, `removed`, `place` (the head of a hunk) or `same`.
        sign: `+`, `-` or nothing.
        text: The line without its sign.
    """

    kind: str
    sign: str
    text: str


def lines_of(hunks: str) -> Iterator[Line]:
    """Yield the lines of hunks."""
    for line in hunks.rstrip("\n").split("\n"):
        kind = _KINDS.get(line[:1], "same")
        if kind in ("added", "removed"):
            yield Line(kind, line[0], line[1:])
        else:
            yield Line(kind, " ", line.removeprefix(" "))
