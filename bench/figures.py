"""Copy figures from the tables in `bench/results` into the pages of the documentation.

    python -m bench.figures

In a page, a figure or table is between `<!-- figures: SOURCE -->` and `<!-- end -->`. SOURCE is one of:

- `FILE; TITLE`: the table in a file of `bench/results` whose title begins with TITLE,
- `FILE; TITLE; ROW; COLUMN`: a cell of that table; ROW has the first cells of the row, separated by commas,
- the name of an entry of `MADE`: figures computed from several tables.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
PAGES = [ROOT / each for each in ("README.md", "ARCHITECTURE.md", "SECURITY.md")]
PAGES += [*(ROOT / each / "README.md" for each in ("bench", "contracts")), *sorted((ROOT / "docs").glob("*.md"))]
_FIGURE = re.compile(r"(<!-- figures: (.*?) -->)(\n?).*?(<!-- end -->)", re.DOTALL)
_TABLE = re.compile(r"^\*\*(.*)\*\*\n\n((?:\|.*\n)+)", re.MULTILINE)


@frozen
class Result:
    """Table in a file of `bench/results`.

    Attributes:
        title: Title of the table.
        head: Names of the columns.
        rows: Cells by row.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def cell(self, row: str, column: str) -> str:
        """Return the text of a cell.

        Args:
            row: First cells of the row, separated by commas.
            column: Name of the column.

        Raises:
            LookupError: The table has no such column or row, or several such rows.
        """
        found = [cells for cells in self.rows if row in accumulate(cells, "{}, {}".format)]
        if len(found) != 1 or column not in self.head:
            raise LookupError(f"{self.title!r} has {len(found)} rows {row!r} and the columns {self.head}")
        return found[0][self.head.index(column)]

    def __str__(self) -> str:
        return _markdown([self.head, *self.rows])


def result(file: str, title: str) -> Result:
    """Return the table of a result file whose title begins with `title`.

    Raises:
        LookupError: No table matches, or several tables match.
    """
    found = [each for each in results(file) if each.title.startswith(title)]
    if len(found) != 1:
        raise LookupError(f"{file} must have one table whose title begins with {title!r}, not {len(found)}")
    return found[0]


def results(file: str) -> Iterator[Result]:
    """Yield all tables of a result file."""
    for title, lines in _TABLE.findall((RESULTS / file).read_text("utf-8")):
        head, _, *rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines.splitlines()]
        yield Result(title, head, rows)


def made(source: str) -> str:
    """Return the figures of a source."""
    if source in MADE:
        return MADE[source]()
    file, title, *cell = source.split("; ")
    return result(file, title).cell(*cell) if cell else str(result(file, title))


def filled(page: str) -> str:
    """Return the text of a page with its figures updated."""
    return _FIGURE.sub(lambda found: f"{found[1]}{found[3]}{made(found[2])}{found[3]}{found[4]}", page)


def _quality() -> str:
    """Return table rows for the documentation: a selection of measured collections and engines."""
    found = result("quality.md", "R@10 / nDCG@10")
    collections = {
        "LoCoMo turns (locomo_dev)": "LoCoMo, turns of long conversations (development half)",
        "docstring to function, Python 3.11": "docstring to function, Python's standard library",
        "three words with a typo: docstring to function, Python 3.11": "three words, one with a typo, to function",
        "identifiers in another case, Python 3.11": "identifiers in another case style",
    }
    engines = {
        "grep": "grep",
        "FTS5, AND": "FTS5, all words",
        "FTS5, OR": "FTS5, any word",
        "lamella, keywords": "keywords",
        "lamella, minilm": "with the model",
    }
    measured = [engine for engine in engines if engine in found.head]
    rows = [
        [collections[row], *(found.cell(row, engine) for engine in measured)]
        for row, *_ in found.rows
        if row in collections
    ]
    return _markdown([["collection", *(engines[each] for each in measured)], *rows])


def _sizing() -> str:
    """Return PostgreSQL's figures for each population of `bench.team`."""
    rows = [
        [
            each.title.partition(" (")[0],
            f"{each.cell('recall, 1, PostgreSQL', 'p95 ms')} ms",
            *(
                ", ".join(each.cell(f"{call}, 16, PostgreSQL", column) for call in ("recall", "save"))
                for column in ("a second", "CPU ms a call")
            ),
        ]
        for each in results("team.md")
        if each.head[0] == "calls"
    ]
    head = [
        "memories",
        "recall, one client: p95",
        "16 clients: recalls, saves a second",
        "CPU ms of a recall, a save",
    ]
    return _markdown([head, *rows])


def _peers() -> str:
    """Return the table that compares programs.

    The table has no blanks around `|`, which would count as words.
    """
    found = result("peers.md", "72 facts")
    shown = [column for column in found.head if column != "reply"]
    rows = [[row[found.head.index(column)] for column in shown] for row in found.rows]
    return "\n".join(f"|{'|'.join(row)}|" for row in [shown, ["---"] * len(shown), *rows])


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


MADE: Mapping[str, Callable[[], str]] = {"peers": _peers, "quality": _quality, "sizing": _sizing}


def main() -> None:
    """Update the figures in all pages."""
    for path in PAGES:
        path.write_text(filled(path.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
