"""A year of work in one project: size on disk, recall, hooks, backup and restore.

The project has 180,000 captured edits of 365 days, 40 saved memories a week and some messages a day. It is
compared with a project of 1,000 memories in the same run. First, all edits are stored with their lines. Then old
edits are aged (they lose their lines), as idle servers do.

Run: `python -m bench.speed.year [--days 365] [--lines-days 60] [--calls 40]`. Prints a table, and writes it into
`bench/results`. Nothing is asserted.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from uuid import UUID

from bench.speed.hooks import Desk
from bench.speed.year.edits import EDITS_A_DAY, Year
from bench.support.timing import in_turns, percentile
from bench.support.workload import Language
from bench.tables import Table, command, publish
from lamella.application.maintenance.look_after import AGED_AT_ONCE
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ByText, RecallQuery
from lamella.ports.storage.backups import Label
from lamella.settings import LINES_DAYS
from lamella_adapters.sqlite.storage import SqliteStorage

_SMALL = 1_000
_SAVED_A_WEEK, _MESSAGES_A_DAY = 40, 30

Rows = list[Sequence[str]]


class Work:
    """Project with a year of work, in the data directory of a test bed."""

    def __init__(self, desk: Desk, end: datetime, days: int, lines_days: int) -> None:
        """Open the project of the test bed."""
        self.storage = SqliteStorage(desk.data)
        (self.project,) = (each.id for each in self.storage.registry.all())
        self.end, self.days, self.lines_days = end, days, lines_days
        self.language = Language(seed=3)

    def store(self) -> int:
        """Store the year. Return the number of memories made from the edits."""
        captures = Year(self.end, days=self.days).captures()
        ledger, first = self.storage.ledger(self.project), self.end - timedelta(days=self.days)
        for day in range(self.days):
            ledger.record(list(islice(captures, EDITS_A_DAY)))
            self._save(first + timedelta(days=day), (day + 1) * _SAVED_A_WEEK // 7 - day * _SAVED_A_WEEK // 7)
            self._say(first + timedelta(days=day), day)
        self.maintain()
        return self.storage.search(self.project).count()

    def age(self) -> list[float]:
        """Age edits as a server does. Return the seconds of each step."""
        ledger, before = self.storage.ledger(self.project), self.end - timedelta(days=self.lines_days)
        steps: list[float] = []
        more = True
        while more:
            begun = time.perf_counter()
            more = ledger.age(before, limit=AGED_AT_ONCE)
            steps.append(time.perf_counter() - begun)
        return steps

    def maintain(self) -> list[float]:
        """Run index maintenance to the end. Return the seconds of each step."""
        steps: list[float] = []
        more = True
        while more:
            begun = time.perf_counter()
            more = self.storage.maintain()
            steps.append(time.perf_counter() - begun)
        return steps

    def megabytes(self) -> float:
        """Return the size of the project's files in megabytes, including the log."""
        file = self.storage.registry.file_of(self.project).database
        file.empty_log()
        return sum(path.stat().st_size for path in file.path.parent.glob(f"{file.path.name}*")) / 1e6

    def recalls(self, questions: Sequence[str]) -> list[Callable[[], object]]:
        """Return a function for each question that recalls it."""
        search = self.storage.search(self.project)
        return [partial(search.find, RecallQuery(selector=ByText(question), limit=10)) for question in questions]

    def _save(self, at: datetime, count: int) -> None:
        observations = self.storage.observations(self.project)
        for _ in range(count):
            id = UUID(int=self.language.random.getrandbits(128), version=4)
            text = self.language.text(self.language.random.randint(20, 120))
            observations.add(Draft(content=text, title=self.language.text(7), session=f"day {at}"), id=id, now=at)

    def _say(self, at: datetime, day: int) -> None:
        drafts = tuple(
            MessageDraft(
                key=f"{day} {number}",
                session=f"talk {day}",
                role=Role.HUMAN if number % 2 else Role.ASSISTANT,
                text=self.language.text(self.language.random.randint(10, 150)),
                at=at + timedelta(minutes=number),
            )
            for number in range(_MESSAGES_A_DAY)
        )
        batch = Batch(source=f"talk {day}", position="end", drafts=drafts, names={})
        self.storage.conversations(self.project).add(batch)


def told(rows: Rows, *cells: str) -> None:
    """Add a row, and print it immediately, because a run takes a quarter of an hour."""
    print(" | ".join(cells), flush=True)
    rows.append(cells)


def sizes(work: Work, rows: Rows) -> None:
    """Store the year, age it, and report the sizes."""
    begun = time.perf_counter()
    memories = work.store()
    told(rows, f"{work.days * EDITS_A_DAY:,} edits stored, as {memories:,} memories", f"{seconds(begun)} s", "")
    told(rows, "size before any of them has aged", f"{work.megabytes():,.0f} MB", "")
    steps = work.age()
    told(rows, f"ageing, {len(steps):,} steps: p50, p99", milliseconds(steps), "")
    steps = work.maintain()
    told(
        rows, f"merging the index and shortening the file, {len(steps):,} steps: p50, p99", milliseconds(steps), ""
    )
    told(
        rows,
        f"size when those of more than {work.lines_days} days have",
        f"{work.megabytes():,.0f} MB",
        "≤ 300 MB",
    )
    for kind, size in work.storage.diagnosis.space(work.project).items():
        told(rows, f"- {kind.value}", f"{size / 1e6:,.0f} MB", "")


def speed(works: Sequence[Work], desks: Sequence[Desk], number: int, rows: Rows) -> None:
    """Report the times of `number` recalls and hooks in the small project and in the year's project."""
    language = Language(seed=11)
    for kind, question in (("five terms", language.five_terms), ("an eight-word question", language.eight_words)):
        asked = [question() for _ in range(number)]
        calls = {name: work.recalls(asked) for name, work in zip(("small", "year"), works, strict=True)}
        in_turns(calls)
        times = in_turns(calls)
        small, year = (statistics.median(times[name].wall) for name in ("small", "year"))
        told(rows, f"recall of {kind}, p50: 1,000 memories, the year", f"{small:.2f} / {year:.2f} ms", "")
    bare = desks[0].bare()
    pairs = list(zip(desks[0].contexts(), desks[1].contexts(), strict=True))
    baseline: list[float] = []
    runs: dict[str, tuple[list[float], list[float]]] = {one.name: ([], []) for one, _ in pairs}
    # Alternate between the hooks, so that all are measured under the same load of the machine.
    for _ in range(number):
        baseline.append(bare.run().wall)
        for one, two in pairs:
            for hook, walls in zip((one, two), runs[one.name], strict=True):
                walls.append(hook.run().wall)
    nothing = statistics.median(baseline)
    for hook, _ in pairs:
        small, year = (statistics.median(walls) / nothing for walls in runs[hook.name])
        name = hook.name.partition(" at ")[0]
        told(rows, f"hook, {name}: 1,000 memories, the year", f"{small:.2f}x / {year:.2f}x", f"{hook.bar} bare")


def backups(work: Work, folder: Path, rows: Rows) -> None:
    """Report the times of a backup and a restore of the year's project."""
    begun = time.perf_counter()
    copy = work.storage.backups.copy(work.project, Label.DAILY)
    assert copy is not None
    told(rows, "copy, verified", f"{seconds(begun)} s, {copy.size / 1e6:,.0f} MB", "")
    place = folder / "all.zip"
    begun = time.perf_counter()
    work.storage.backups.write(place)
    told(rows, "one file for keeping elsewhere, verified", f"{seconds(begun)} s, {megabytes_of(place)}", "")
    begun = time.perf_counter()
    with work.storage.backups.opened(place) as opened:
        _ = opened.previews
        ready = seconds(begun)
        opened.restore()
    told(rows, "restore of that file: verified and previewed, in all", f"{ready} / {seconds(begun)} s", "≤ 30 s")


def seconds(begun: float) -> str:
    """Return the seconds elapsed since a time."""
    return f"{time.perf_counter() - begun:,.1f}"


def milliseconds(steps: Sequence[float]) -> str:
    """Return two percentiles of the steps' times."""
    return f"{1000 * percentile(steps, 50):.0f} / {1000 * percentile(steps, 99):.0f} ms"


def megabytes_of(path: Path) -> str:
    """Return the size of a file in megabytes, as text."""
    return f"{path.stat().st_size / 1e6:,.0f} MB"


def tables(folder: Path, days: int, lines_days: int, calls: int) -> Iterator[Table]:
    """Measure everything, and yield the tables."""
    desks = [Desk(folder / name, _SMALL) for name in ("small", "year")]
    end = datetime.now(UTC)
    works = [Work(desk, end, days, lines_days) for desk in desks]
    with closing(works[0].storage), closing(works[1].storage):
        rows: Rows = []
        sizes(works[1], rows)
        speed(works, desks, calls, rows)
        backups(works[1], folder, rows)
        yield Table(title=f"A year of {days} days", head=["figure", "measured", "bar"], rows=rows)


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--lines-days", type=int, default=LINES_DAYS)
    parser.add_argument("--calls", type=int, default=40, help="recalls and hooks of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = list(tables(Path(folder), options.days, options.lines_days, options.calls))
    publish(options.results / "year.md", made)


if __name__ == "__main__":
    main()
