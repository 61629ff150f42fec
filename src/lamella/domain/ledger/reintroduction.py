"""Whether an edit brings back code that was removed: by the lines and statements that are new in it.

It walks back where much of what is new was removed by one earlier change, and does not stand in the file now. What
was put back once and is gone again, whoever took it, was removed all the same. The thresholds are measured:
`bench/README.md`, "Walking back".

Hooks use this module, so it imports little.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, TypeVar

from lamella.domain.ledger.fingerprints import (
    LEAST_LINE_CHARACTERS,
    Unit,
    fingerprints,
    line_units,
    statement_units,
)
from lamella.domain.memories.kind import EDITED, Kind

LEAST_SHARE = 0.5
"""How much of what is new in an edit, in characters of lines that count, must have been removed by one change."""

LEAST_LINES, LEAST_CHARACTERS = 2, 40
"""So many lines, and characters of them, at least; or one line that is all that is new and very long."""

LONG_LINE_CHARACTERS = 60
"""How long that one line is."""

LEAST_STATEMENTS = 2
"""So many statements at least, where only names and line breaks differ."""

LEAST_RUN = 10
"""So many lines or statements in a row are enough, however much else is new."""


class Likeness(StrEnum):
    """How like what was removed the new code is."""

    EXACT = "exact"
    NEAR = "near"
    """Other names of variables, other line breaks, or changes here and there."""


class Gone(Protocol):
    """What one observation took out of a file."""

    @property
    def fingerprints(self) -> frozenset[int]:
        """The marks of it."""

    @property
    def kind(self) -> Kind:
        """What kind of memory the observation is."""

    @property
    def source(self) -> str:
        """Where the observation comes from."""

    @property
    def session(self) -> str | None:
        """The session that did it; None where nobody knows, or it was none."""

    @property
    def at(self) -> Any:
        """When it was: anything of which a later one is greater."""


class Turn(NamedTuple):
    """What a session does between two things that its user asks for.

    `asked` is when the user did so, as `Gone.at`; None where that isn't known.
    """

    session: str
    asked: Any

    def moves(self, removal: Gone) -> bool:
        """Whether what was removed may be on its way to another place: an edit of this turn took it.

        What went in an earlier turn, or by another session ever, went for good. Of what commands or notes tell
        nobody knows exactly when it went, nor by whom.
        """
        mine = removal.kind is Kind.CHANGE and removal.source == EDITED and removal.session == self.session
        return mine and self.asked is not None and bool(removal.at > self.asked)


_Gone = TypeVar("_Gone", bound=Gone)
_Place = TypeVar("_Place")


class NewCode(NamedTuple):
    """The lines and statements that an edit brings, in their order."""

    lines: tuple[Unit, ...]
    statements: tuple[Unit, ...]

    @classmethod
    def of(cls, before: str, after: str) -> "NewCode":
        """What of `after` stands on no line of `before`."""
        there = {line.strip() for line in before.split("\n")}
        lines: list[Unit] = []
        statements: list[Unit] = []
        for new in _regions(after.split("\n"), there):
            lines += line_units(new)
            statements += statement_units(new)
        return cls(tuple(lines), tuple(statements))

    @property
    def fingerprints(self) -> frozenset[int]:
        """The marks of all of it."""
        return frozenset(unit.fingerprint for unit in (*self.lines, *self.statements))

    def unlike(self, before: str) -> "NewCode":
        """What of it is in `before` in no other layout either. Reads all of that: when there is a reason to."""
        there = fingerprints(before.split("\n"))
        lines, statements = (
            tuple(unit for unit in units if unit.fingerprint not in there)
            for units in (self.lines, self.statements)
        )
        return NewCode(lines, statements)

    def likeness(self, removed: frozenset[int]) -> Likeness | None:
        """How it walks back into what was removed, None if it doesn't."""
        lines = _Overlap.of(self.lines, removed)
        alone = lines.number == 1 and lines.characters >= LONG_LINE_CHARACTERS and lines.share == 1
        several = lines.number >= LEAST_LINES and lines.characters >= LEAST_CHARACTERS
        if (several and lines.share >= LEAST_SHARE) or alone or lines.run >= LEAST_RUN:
            return Likeness.EXACT
        statements = _Overlap.of(self.statements, removed)
        several = statements.number >= LEAST_STATEMENTS and statements.characters >= LEAST_CHARACTERS
        return (
            Likeness.NEAR if (several and statements.share >= LEAST_SHARE) or statements.run >= LEAST_RUN else None
        )

    def walked_back(self, removals: Iterable[_Gone], turn: Turn) -> tuple[_Gone, Likeness] | None:
        """The removal that it walks back into in a turn, and how.

        It is that which it has most of, rather a note than a change, and no half of a move.
        """
        gone = tuple(removals)
        moves = [removal for removal in gone if turn.moves(removal)]

        def lasting(removal: _Gone) -> frozenset[int]:
            """Its marks but for what a move took later: that stood there when the turn began."""
            return removal.fingerprints.difference(*(move.fingerprints for move in moves if move.at >= removal.at))

        found = [(removal, likeness) for removal in gone if (likeness := self.likeness(lasting(removal)))]
        return max(found, key=_weight, default=None)


class _Overlap(NamedTuple):
    """How much of some units was removed: how many, of how many characters, which share, how many in a row."""

    number: int
    characters: int
    share: float
    run: int

    @classmethod
    def of(cls, units: Sequence[Unit], removed: frozenset[int]) -> "_Overlap":
        number = characters = run = longest = 0
        for unit in units:
            if unit.fingerprint in removed:
                number, characters, run = number + 1, characters + unit.characters, run + 1
                longest = max(longest, run)
            else:
                run = 0
        total = sum(unit.characters for unit in units)
        return cls(number, characters, characters / total if total else 0.0, longest)


def followed(
    path: str, rename: Callable[[str, _Place | None], tuple[str, _Place] | None]
) -> tuple[tuple[str, _Place | None], ...]:
    """The names of a file, latest first, each with the place in time before which it was its name.

    `rename` tells the last former name that a path had before a place in time, and when that was given up.
    """
    names: list[tuple[str, _Place | None]] = [(path, None)]
    while earlier := rename(*names[-1]):
        names.append(earlier)
    return tuple(names)


def _regions(after: Sequence[str], there: set[str]) -> Iterator[list[str]]:
    """The runs of lines that are not `there`; short ones belong to what is around them."""
    region: list[str] = []
    for line in after:
        text = line.strip()
        if len(text) >= LEAST_LINE_CHARACTERS and text in there:
            yield region
            region = []
        else:
            region.append(line)
    yield region


def _weight(found: tuple[Gone, Likeness]) -> tuple[int, bool, bool, Any]:
    removal, _ = found
    # A note says why, and an edit was asked for; what a command did is often told without a reason.
    return len(removal.fingerprints), removal.kind is Kind.NOTE, removal.source == EDITED, removal.at
