"""Tables of a benchmark, printed and written into `bench/results`."""

import argparse
import os
import re
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import rich.table
from attrs import frozen
from rich.console import Console

RESULTS = Path(__file__).parent / "results"


@frozen(kw_only=True)
class Table:
    """Table with a title, a header and rows."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def printed(self) -> None:
        """Print the table."""
        table = rich.table.Table(*self.head, title=self.title, title_justify="left", title_style="bold")
        for row in self.rows:
            table.add_row(*row)
        Console(width=120).print(table)

    @property
    def markdown(self) -> str:
        """Format title, table and a blank line."""
        rows = [self.head, ["---"] * len(self.head), *self.rows]
        return "\n".join([f"**{self.title}**", "", *(f"| {' | '.join(row)} |" for row in rows), "", ""])


def command(description: str | None) -> argparse.ArgumentParser:
    """Return the argument parser of a benchmark, with the option for its results."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder to write tables to")
    return parser


def publish(path: Path, tables: Sequence[Table], about: str = "") -> None:
    """Print tables and write them to a file."""
    for table in tables:
        table.printed()
    record(path, tables, about)


def record(path: Path, tables: Sequence[Table], about: str = "") -> None:
    """Write tables below the command line, the date and the machine.

    Args:
        path: File to write.
        tables: Contents.
        about: Further facts about the run, such as the version of a server.
    """
    # Shorten absolute paths to their names, because folders differ between machines.
    given = [re.sub(r"(?<!\S)/\S*/", "", each) for each in sys.orig_argv[1:]]
    load = ", ".join(f"{each:.0f}" for each in os.getloadavg())
    head = (
        f"`{shlex.join(['python', *given])}` on {datetime.now(UTC):%Y-%m-%d}, {about and f'{about}, '}"
        f"{os.cpu_count()} processors, load average {load} at the end.\n\n"
    )
    path.parent.mkdir(exist_ok=True)
    path.write_text(head + "".join(table.markdown for table in tables), encoding="utf-8")
