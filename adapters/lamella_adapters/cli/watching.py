"""A progress bar for whoever looks."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Shown = Callable[[str, int, int], None]
"""Shows what is being done, how much of it is done, and of how much."""


@contextmanager
def progress_bar(task: str, *, of_bytes: bool = False) -> Iterator[Shown]:
    """A bar on stderr where that is a terminal, else nothing; what it counts are things or bytes."""
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
