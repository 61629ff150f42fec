"""The ledger of one project of the storage under test, the same in every run."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import count

from attrs import define, field

from lamella.domain.kinds import EDITED
from lamella.domain.ledger import FileChange, Removal
from lamella.domain.lines import line_units, marks
from lamella.domain.observation import CodeChange, Draft, Kind, Observation
from lamella.domain.query import Recent
from lamella.ports.ledger import Capture, CodeLedger, Recorded
from lamella_contracts.notebook import DAWN, MINUTE, Notebook

RETRY = ("def retried(call, attempts):", "    return call(attempts or DEFAULT)")
PARSE = ("def parsed(document, strict):", "    return Parser(strict).read(document)")
PRINT = ("def printed(values, width):", "    print(layout(values, width=width))")
"""Lines that count, of three functions that have none in common."""


@define(eq=False)
class Books:
    """What is changed in a notebook's project: each change a day after the one before, unless said otherwise."""

    notebook: Notebook
    _days: Iterator[int] = field(init=False, factory=lambda: count(1))

    @property
    def ledger(self) -> CodeLedger:
        """The project's ledger."""
        return self.notebook.storage.ledger(self.notebook.project.id)

    def capture(
        self,
        *changes: CodeChange,
        at: datetime | None = None,
        session: str | None = "s1",
        request: str | None = None,
        reason: str = "A reason",
        asked: datetime | None = None,
        source: str = EDITED,
    ) -> Capture:
        """What is captured next."""
        told = "\n".join([reason, *(f"{each.path}\n{each.hunks}" for each in changes)])
        draft = Draft(
            content=told,
            title=reason,
            source=source,
            kind=Kind.CHANGE,
            session=session,
            changes=changes,
            request=request,
        )
        when = at or DAWN + 24 * 60 * next(self._days) * MINUTE
        return Capture(id=self.notebook.new_id(), draft=draft, at=when, asked=asked)

    def record(self, *changes: CodeChange, at: datetime | None = None, session: str | None = "s1") -> Observation:
        """The observation that a change became, or is part of."""
        capture = self.capture(*changes, at=at, session=session)
        (recorded,) = self.ledger.record([capture])
        if recorded is Recorded.NEW:
            return self.notebook.observations.get(capture.id)
        paths = {each.path for each in changes}
        about = self.notebook.find(Recent(), limit=50)
        return next(hit.observation for hit in about if paths & {each.path for each in hit.observation.changes})

    def removals(self, path: str, *code: Sequence[str]) -> list[tuple[str, frozenset[int]]]:
        """The content of each observation that took lines of `code` out of a file, and the marks of the lines."""
        asked = frozenset(mark for lines in code for mark in line_marks_of(lines))
        found = self.ledger.removals(path, asked)
        return [(self.notebook.observations.get(each.observation).content, each.marks) for each in found]

    def removed(self, path: str, *code: Sequence[str]) -> Collection[Removal]:
        """The removals of lines of `code` from a file."""
        return self.ledger.removals(path, frozenset(mark for lines in code for mark in line_marks_of(lines)))

    def history(self, path: str, limit: int = 10) -> list[tuple[str, str]]:
        """The title and the path of each change of a file, latest first."""
        return [(each.title, each.change.path) for each in self.entries(path, limit)]

    def entries(self, path: str, limit: int = 10) -> tuple[FileChange, ...]:
        """Each change of a file, latest first."""
        return self.ledger.history(path, limit=limit)


def line_marks_of(lines: Sequence[str]) -> frozenset[int]:
    """The marks of the lines of some code, without those of its statements."""
    return frozenset(unit.mark for unit in line_units(lines))


def change(
    path: str, *, went: Sequence[str] = (), came: Sequence[str] = (), former: str | None = None
) -> CodeChange:
    """A change that took some lines and brought others."""
    lines = [
        f"@@ -1,{len(went)} +1,{len(came)} @@",
        *(f"-{each}" for each in went),
        *(f"+{each}" for each in came),
    ]
    hunks = "\n".join(lines) if went or came else ""
    return CodeChange(path=path, additions=len(came), deletions=len(went), hunks=hunks, former=former)


def everything(*code: Sequence[str]) -> frozenset[int]:
    """Every mark of some code."""
    return frozenset(mark for lines in code for mark in marks(lines))
