"""Detect reintroductions of removed code by the new lines and statements of an edit.

An edit reintroduces code if one earlier change removed much of the edit's new code, and the file doesn't have this
code now. Code that was restored and then removed once more counts as removed. The thresholds are measured:
`bench/README.md`, "Warnings of removed code".

Hooks import this module, so it must load fast.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lamella.domain.ledger.fingerprints import (
    LEAST_LINE_CHARACTERS,
    Unit,
    fingerprints,
    line_units,
    statement_units,
)
from lamella.domain.ledger.hunks import bounded
from lamella.domain.memories.kind import ACCOUNT, DECISION, EDITED, LEARNED, Kind
from lamella.domain.privacy.redaction import cleaned, redact

if TYPE_CHECKING:
    from lamella.domain.ledger.file_change import Removal
    from lamella.domain.ledger.removed_code import RemovedCode

LEAST_SHARE = 0.5
"""Minimum share of an edit's distinctive new lines that one change has removed, measured in characters."""

LEAST_LINES, LEAST_CHARACTERS = 2, 40
"""Minimum number of returning lines (new lines that were removed before), and their minimum total length.

One long line is enough if the edit adds no other line.
"""

LONG_LINE_CHARACTERS = 60
"""Minimum length of a line that is enough by itself."""

LEAST_STATEMENTS = 2
"""Minimum number of returning statements if variable names or line breaks differ from the removed code."""

LEAST_RUN = 10
"""Number of consecutive returning lines or statements that justifies a warning, whatever else the edit adds."""


MOST_RETURNING_CHARACTERS = 2_000
"""Maximum length of the stored returning lines."""


class Likeness(StrEnum):
    """Similarity of new code to removed code."""

    EXACT = "exact"
    NEAR = "near"
    """The code differs in names of variables or in line breaks, or a few lines were changed."""


class Turn(NamedTuple):
    """Work of a session between two prompts of its user.

    `asked` is the time of the first prompt, in the same unit as the times of removals; None if unknown.
    """

    session: str
    asked: Any

    def moves(self, removal: "Removal | RemovedCode") -> bool:
        """Return True if an edit of this turn removed the lines, so that the session may be moving them.

        Lines removed in earlier turns or other sessions don't count as moving. Lines whose removal is known only
        from a command or a note don't either, because the exact time and author of the removal are unknown.
        """
        return self.made(removal) and self.asked is not None and bool(removal.at > self.asked)

    def made(self, removal: "Removal | RemovedCode") -> bool:
        """Return True if the removal was made by an edit of this session."""
        return removal.kind is Kind.CHANGE and removal.source == EDITED and removal.session == self.session


_Removal = TypeVar("_Removal", "Removal", "RemovedCode")
_Moment = TypeVar("_Moment")


class NewCode(NamedTuple):
    """Lines and statements added by an edit, in their order."""

    lines: tuple[Unit, ...]
    statements: tuple[Unit, ...]

    @classmethod
    def of(cls, before: str, after: str) -> "NewCode":
        """Return the code in `after` without lines of `before`."""
        there = {line.strip() for line in before.split("\n")}
        lines: list[Unit] = []
        statements: list[Unit] = []
        for new in _regions(after.split("\n"), there):
            lines += line_units(new)
            statements += statement_units(new)
        return cls(tuple(lines), tuple(statements))

    @property
    def fingerprints(self) -> frozenset[int]:
        """Fingerprints of all lines and statements."""
        return frozenset(unit.fingerprint for unit in (*self.lines, *self.statements))

    def unlike(self, before: str) -> "NewCode":
        """Return the new code that `before` doesn't contain, not even with other indentation or line breaks.

        This is slow, because it computes the fingerprints of all of `before`.
        """
        there = fingerprints(before.split("\n"))
        lines, statements = (
            tuple(unit for unit in units if unit.fingerprint not in there)
            for units in (self.lines, self.statements)
        )
        return NewCode(lines, statements)

    def likeness(self, removed: frozenset[int]) -> Likeness | None:
        """Return the similarity to code with the fingerprints `removed`; None for too little similarity."""
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

    def reintroduction(
        self, removals: Iterable[_Removal], turn: Turn, elsewhere: Callable[[_Removal], bool] = lambda _: False
    ) -> tuple[_Removal, Likeness] | None:
        """Return the removal whose code is reintroduced, and its likeness; None if the code wasn't removed.

        Prefer a removal that has a reason and at least half as many matching fingerprints as the best match. Among
        equals, prefer more matching fingerprints, then notes to changes of code, then decisions to other notes.
        Ignore lines that the session is moving.

        Args:
            removals: The removals of some of this code.
            turn: The turn of the edit.
            elsewhere: Returns True if the edit inserts the removed lines in another part of the file. If this
                session removed the lines, even in an earlier turn, the edit moves the lines and doesn't
                reintroduce them.
        """
        candidates = tuple(removals)
        moves = [each for each in candidates if turn.moves(each) or (turn.made(each) and elsewhere(each))]

        def lasting(removal: _Removal) -> frozenset[int]:
            """Return the fingerprints of a removal, except lines that this session is moving.

            A moving line is left out of removals before the move. It is also left out of commits after the move,
            because such a commit most likely contains the move.
            """
            own = (move for move in moves if move.at >= removal.at or removal.source == LEARNED)
            return removal.fingerprints.difference(*(move.fingerprints for move in own))

        found = [(removal, likeness) for removal in candidates if (likeness := self.likeness(lasting(removal)))]
        best = max((len(removal.fingerprints) for removal, _ in found), default=0)
        return max(found, key=partial(_weight, best), default=None)


def reintroduced(
    before: str,
    after: str,
    removals: Callable[[frozenset[int]], Sequence[_Removal]],
    turn: Turn,
    hunks: Callable[[_Removal], str],
) -> tuple[_Removal, Likeness] | None:
    """Return the removal whose code an edit reintroduces, and its likeness; None if no code is reintroduced.

    Args:
        before: Text of the file before the edit, or of the replaced part.
        after: New text.
        removals: Function that returns the file's removals with at least one of the given fingerprints.
        turn: The turn of the edit.
        hunks: Function that returns the hunks of a removal; empty if the hunks are unknown.
    """
    # Redact secrets in the new lines, because stored lines are redacted, and only equal lines match.
    before, after = redact(before).text, redact(after).text
    code = NewCode.of(before, after)
    found = removals(code.fingerprints) if code.fingerprints else ()
    if not found:
        return None
    return code.unlike(before).reintroduction(found, turn, lambda each: _elsewhere(hunks(each), before, after))


def _elsewhere(hunks: str, before: str, after: str) -> bool:
    """Return True if an edit inserts removed lines in another part of the file. `hunks` show their removal.

    Parts of the file are recognised by the lines next to the removed or inserted lines.
    """
    there = {line.strip() for line in before.split("\n")}
    signed = [(line[:1], line[1:].strip()) for line in hunks.split("\n")]
    new = [line.strip() for line in after.split("\n")]
    back = {line for sign, line in signed if sign == "-"}.intersection(new) - there
    old, now = (
        _beside(back, (line for line in lines if line in there or line in back))
        for lines in ([line for sign, line in signed if sign in {" ", "-"}], new)
    )
    return bool(old and now) and old.isdisjoint(now)


def _beside(moving: set[str], lines: Iterable[str]) -> set[str]:
    """Return the nearest distinctive lines above and below the moving lines."""
    long = [line for line in lines if len(line) >= LEAST_LINE_CHARACTERS]
    return {one for pair in pairwise(long) for one, other in (pair, pair[::-1]) if other in moving} - moving


def returning(path: str, before: str, after: str, removed: frozenset[int]) -> str:
    """Format a reintroducing edit for `Activity.edit`: the path and, below it, redacted hunks.

    The hunks contain the new lines from the first to the last returning line. If only statements match, the hunks
    contain all new lines. Long hunks are truncated.

    Args:
        path: The file.
        before: Text of the file before the edit.
        after: Text of the file after the edit.
        removed: Fingerprints of the removed code.
    """
    there = {line.strip() for line in before.split("\n")}
    new = [line for line in cleaned(after).text.split("\n") if line.strip() and line.strip() not in there]
    same = [unit.line for unit in line_units(new) if unit.fingerprint in removed]
    lines = new[same[0] : same[-1] + 1] if same else new
    hunks = bounded("\n".join(f"+{line}" for line in lines), MOST_RETURNING_CHARACTERS)
    return f"{cleaned(path).text}\n{hunks}"


class _Overlap(NamedTuple):
    """Units that new and removed code have in common.

    `share` is their share of the characters of all new units. `run` is the largest number of adjacent such units.
    """

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


def names_over_time(
    path: str, rename: Callable[[str, _Moment | None], tuple[str, _Moment] | None]
) -> tuple[tuple[str, _Moment | None], ...]:
    """Return the present and former names of a file, latest first, each with the time when the file lost the name.

    Args:
        path: Present name of the file. Its time in the result is None.
        rename: Function that returns the last former name of a path before a time, and the time of the rename.
    """
    names: list[tuple[str, _Moment | None]] = [(path, None)]
    while earlier := rename(*names[-1]):
        names.append(earlier)
    return tuple(names)


def _regions(after: Sequence[str], there: set[str]) -> Iterator[list[str]]:
    """Yield the runs of lines in `after` that aren't in `there`.

    Short lines that are in `there`, such as braces, don't end a run.
    """
    region: list[str] = []
    for line in after:
        text = line.strip()
        if len(text) >= LEAST_LINE_CHARACTERS and text in there:
            yield region
            region = []
        else:
            region.append(line)
    yield region


def _weight(best: int, found: "tuple[Removal | RemovedCode, Likeness]") -> tuple[bool, int, bool, bool, bool, Any]:
    removal, _ = found
    # Prefer notes, which have a reason, and then edits, which have the user's request. Changes found after
    # commands often have neither. Among notes, prefer decisions: a note has all uncommitted removals in its files,
    # even if the note is about something else.
    note, decision = removal.kind is Kind.NOTE, removal.source == DECISION
    # A captured change without a reason has only its path as title.
    reason = (note or removal.title != f"{ACCOUNT}{removal.path}") and 2 * len(removal.fingerprints) >= best
    return reason, len(removal.fingerprints), note, decision, removal.source == EDITED, removal.at
