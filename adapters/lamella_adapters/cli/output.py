"""Print tables, progress and errors."""

import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import click

from lamella.domain.errors import LamellaError
from lamella.domain.text.printing import visible

Shown = Callable[[str, int, int], None]
"""Shows what is being done, how much of it is done, and of how much."""


@contextmanager
def progress_bar(task: str, *, of_bytes: bool = False) -> Iterator[Shown]:
    """Show a progress bar on stderr where that is a terminal, else nothing.

    Args:
        task: Text beside the bar until the first step.
        of_bytes: Show amounts as sizes in bytes.
    """
    if not sys.stderr.isatty():
        yield lambda _task, _done, _total: None
        return
    # Costs as much as all the rest of a command, and only a terminal needs it.
    from rich import progress  # noqa: PLC0415 - a start need not wait for it
    from rich.console import Console  # noqa: PLC0415 - a start need not wait for it

    amount = progress.DownloadColumn() if of_bytes else progress.MofNCompleteColumn()
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        amount,
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task(task, total=None)
        yield lambda now, done, total: bar.update(shown, description=now, completed=done, total=total)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    empty: str,
    styles: Mapping[str, str] | None = None,
    unbroken: Collection[str] = (),
) -> None:
    """Print a table under a head, or lines with tabs where the output is piped.

    Args:
        columns: Names of the columns.
        rows: Cells of each row.
        empty: What to say on stderr if there are none.
        styles: Styles of columns on a terminal, as rich knows them, by the column's name.
        unbroken: Columns that don't wrap on a narrow terminal.
    """
    shown = list(rows)
    if not shown:
        click.echo(empty, err=True)
        return
    if not sys.stdout.isatty():
        for row in shown:
            click.echo("\t".join(row))
        return
    # Costs as much as all the rest of a command, and only a terminal needs it.
    from rich.console import Console  # noqa: PLC0415 - a start need not wait for it
    from rich.table import Table  # noqa: PLC0415 - a start need not wait for it
    from rich.text import Text  # noqa: PLC0415 - a start need not wait for it

    table = Table(box=None, header_style="bold")
    for name in columns:
        table.add_column(name, style=(styles or {}).get(name), overflow="fold", no_wrap=name in unbroken)
    for row in shown:
        # As `Text`, because a name with brackets is no markup.
        table.add_row(*map(Text, row))
    Console().print(table)


INTERRUPTED = 130
"""The exit code of a shell's command that Ctrl-C ended."""


def explained(error: BaseException, *, debug: bool) -> int:
    """Say on stderr what went wrong, with a traceback if `debug`. Return the exit code."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if debug:
        say("".join(traceback.format_exception(error)).rstrip())
    elif isinstance(error, LamellaError):
        say(str(error))
    else:
        say(
            f"Something went wrong inside lamella: {type(error).__name__}: {error}\n"
            "To see where, put --debug before the command: lamella --debug ..."
        )
    return 1


def say(sentence: str) -> None:
    """Write to stderr what may repeat words of the user or of a memory, with hidden characters shown."""
    sys.stderr.write(f"{visible(sentence)}\n")
