"""Lists for people and for programs."""

import sys
from collections.abc import Sequence

import click


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table under a head, or lines with tabs where the output is piped."""
    if not sys.stdout.isatty():
        for row in rows:
            click.echo("\t".join(row))
        return
    # Costs as much as all the rest of a command, and only a terminal needs it.
    from rich.console import Console  # noqa: PLC0415 - a start need not wait for it
    from rich.table import Table  # noqa: PLC0415 - a start need not wait for it
    from rich.text import Text  # noqa: PLC0415 - a start need not wait for it

    table = Table(*columns, box=None, header_style="bold")
    for column in table.columns:
        column.overflow = "fold"
    for row in rows:
        # As `Text`, because a name with brackets is no markup.
        table.add_row(*map(Text, row))
    Console().print(table)
