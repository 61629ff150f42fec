"""Captured edits of a year of work, with realistic sizes, files and prompts.

Lines come from the code of this repository, so that they compress and repeat like real code. In changed lines,
names are replaced.
"""

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from uuid import UUID

from bench.support.workload import Language
from lamella.domain.ledger.describe import described
from lamella.domain.ledger.hunks import bounded
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.memories.titles import generated_title
from lamella.ports.storage.ledger import Capture

EDITS_A_DAY, DAYS = 500, 365
_FOLDERS = ("src", "adapters", "contracts", "tests")
_ROOT = Path(__file__).resolve().parents[3]
_CONTEXT = 3
_EDITS_A_PROMPT, _FILES_A_PROMPT, _PROMPTS_A_SESSION = 12, 5, 8
_BEGINNING_OF_DAY = timedelta(hours=8)
_EDITS_APART, _PROMPTS_APART = timedelta(seconds=20), timedelta(minutes=12)
_NAME = re.compile(r"[a-z_]{4,}")

# Half of the edits change at most six lines, and one in twenty at least forty; one in twelve writes a new file.
# The generated hunks have 1,018 characters on average (median 564). Those of this repository's history have 1,063
# (median 572).
_MEDIAN_LINES, _SPREAD, _MOST_LINES = 6.0, 1.1, 400
_NEW_FILES, _NEW_FILE_LINES = 1 / 12, 80.0


class Year:
    """The captured edits of a year, generated from one seed. The last edits are from the day before `end`."""

    def __init__(self, end: datetime, seed: int = 17, days: int = DAYS) -> None:
        """Set the last day, the seed, and the number of days."""
        self.end, self.days = end.astimezone(UTC), days
        self.random = random.Random(seed)  # noqa: S311 - a workload, not a secret
        self.language = Language(seed)

    @cached_property
    def _files(self) -> list[tuple[str, list[str]]]:
        paths = [path for folder in _FOLDERS for path in sorted((_ROOT / folder).rglob("*.py"))]
        read = [(str(path.relative_to(_ROOT)), path.read_text("utf-8").splitlines()) for path in paths]
        files = [(path, lines) for path, lines in read if len(lines) > 4 * _CONTEXT]
        self.random.shuffle(files)
        return files

    @cached_property
    def _weights(self) -> list[float]:
        return list(accumulate(1 / (rank + 10) for rank in range(len(self._files))))

    def captures(self) -> Iterator[Capture]:
        """Yield the edits, oldest first."""
        first = self.end - timedelta(days=self.days)
        number = 0
        for day in range(self.days):
            begun = (first + timedelta(days=day)).replace(hour=0, minute=0, second=0, microsecond=0)
            begun += _BEGINNING_OF_DAY
            for edit in range(EDITS_A_DAY):
                prompt, within = divmod(number, _EDITS_A_PROMPT)
                if edit == 0 or within == 0:
                    reason = f"{self.language.text(self.random.randint(6, 24)).rstrip('.').capitalize()}."
                    files = self.random.choices(self._files, cum_weights=self._weights, k=_FILES_A_PROMPT)
                at = begun + edit // _EDITS_A_PROMPT * _PROMPTS_APART + within * _EDITS_APART
                session = f"year-{prompt // _PROMPTS_A_SESSION}"
                yield self._capture(number, at, session, reason, self.random.choice(files))
                number += 1

    def _capture(
        self, number: int, at: datetime, session: str, reason: str, file: tuple[str, list[str]]
    ) -> Capture:
        path, lines = file
        hunks = self._hunks(lines)
        changed = hunks.split("\n")
        change = CodeChange(
            path=path,
            additions=sum(line.startswith("+") for line in changed),
            deletions=sum(line.startswith("-") for line in changed),
            hunks=bounded(hunks),
        )
        draft = Draft(
            content=described([change], reason),
            title=generated_title(reason),
            source="edit",
            kind=Kind.CHANGE,
            session=session,
            changes=(change,),
            request=f"year {number}",
        )
        return Capture(id=UUID(int=self.random.getrandbits(128), version=4), draft=draft, at=at)

    def _hunks(self, lines: list[str]) -> str:
        """Return the hunks of an edit, which changes some lines of a file or writes the whole file."""
        if self.random.random() < _NEW_FILES:
            count = self._drawn(_NEW_FILE_LINES)
            start = self.random.randrange(len(lines))
            written = (lines[start:] + lines)[:count]
            return "\n".join([f"@@ -0,0 +1,{len(written)} @@", *(f"+{self._other(line)}" for line in written)])
        count = self._drawn(_MEDIAN_LINES)
        removed = min(len(lines) - 2 * _CONTEXT, self.random.randint(0, count))
        start = self.random.randrange(_CONTEXT, len(lines) - removed - _CONTEXT + 1)
        old = lines[start : start + removed]
        new = [self._other(line) for line in (old * count or lines[start:])[: count - removed]]
        before, after = lines[start - _CONTEXT : start], lines[start + removed : start + removed + _CONTEXT]
        sizes = f"-{start},{removed + 2 * _CONTEXT} +{start},{len(new) + 2 * _CONTEXT}"
        signed = [(" ", before), ("-", old), ("+", new), (" ", after)]
        return "\n".join([f"@@ {sizes} @@", *(f"{sign}{line}" for sign, each in signed for line in each)])

    def _drawn(self, median: float) -> int:
        return max(1, min(_MOST_LINES, round(median * self.random.lognormvariate(0, _SPREAD))))

    def _other(self, line: str) -> str:
        """Return a line with one of its names replaced."""
        names = _NAME.findall(line)
        if not names:
            return line
        return line.replace(self.random.choice(names), self.language.text(1).rstrip(".") + "_value")
