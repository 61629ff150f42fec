"""Speed of export, import, backup and restore of many memories, with the real commands and in both formats.

Run: `python -m bench.speed.exchange [--memories 100000]`. Prints a table, and writes it into
`bench/results`. The only assertion is that a second export is byte-identical to the first.
"""

import filecmp
import os
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from bench.support.timing import Ran, ran
from bench.support.workload import fill
from bench.tables import Table, command, publish
from lamella.domain.projects.project import Location
from lamella_adapters.sqlite.storage import SqliteStorage

_BAR = "≤ 30 s, ≤ 300 MB"


def run(data: Path, *arguments: str, said: Path = Path(os.devnull)) -> Ran:
    """Run a command on a data directory, with its output in a file."""
    return ran(*arguments, environment={"LAMELLA_DATA_DIR": str(data), "LAMELLA_EMBEDDER": "none"}, said=said)


def measured(folder: Path, memories: int) -> Table:
    """Export and import `memories` memories. Return the times."""
    here, lines = folder / "here", folder / "lines.jsonl"
    with closing(SqliteStorage(here)) as storage:
        place = Location(key="dir:/bench", name="bench", root=folder)
        fill(storage, storage.registry.at(place, now=datetime.now(UTC)).id, memories)
    rows = []
    for format, exported in (("jsonl", lines), ("markdown", folder / "markdown")):
        there, again = folder / f"{format}-there", folder / f"{format}-again"
        options = ("--all", "--format", format)
        rows.append((f"export, {format}", run(here, "export", *options, str(exported))))
        rows.append((f"import, {format}", run(there, "import", str(exported))))
        rows.append((f"import again, {format}", run(there, "import", str(exported))))
        run(there, "export", *options, str(again))
        if not _same(exported, again):
            raise SystemExit(f"a second export as {format} has other bytes")
    backup = folder / "backup.zip"
    rows.append(("backup into one file", run(here, "backup", str(backup))))
    rows.append(("restore on an empty machine", run(folder / "restored", "restore-backup", str(backup), "--yes")))
    size = lines.stat().st_size / 1e6
    return Table(
        title=f"Export, import and restore of {memories:,} memories ({size:.0f} MB of JSON Lines), cpu / wall",
        head=("command", "measured", "bar"),
        rows=[(name, str(cost), _BAR) for name, cost in rows],
    )


def _same(one: Path, other: Path) -> bool:
    if one.is_file():
        return filecmp.cmp(one, other, shallow=False)
    compared = [sorted(each.rglob("*.md")) for each in (one, other)]
    names = [[file.relative_to(top) for file in files] for files, top in zip(compared, (one, other), strict=True)]
    return names[0] == names[1] and all(
        filecmp.cmp(first, second, shallow=False) for first, second in zip(*compared, strict=True)
    )


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = measured(Path(folder), asked.memories)
    publish(asked.results / "exchange.md", [table])


if __name__ == "__main__":
    main()
