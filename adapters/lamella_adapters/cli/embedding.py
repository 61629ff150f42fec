"""The command that embeds memories."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from lamella.application.embed import Embedded
from lamella_adapters.cli.memories import project_option
from lamella_adapters.cli.opening import opened

_Shown = Callable[[Embedded], None]


@click.command()
@project_option
def embed(project: str | None) -> None:
    """Embed all memories that have not been yet, for search by meaning.

    A server does so by itself, in the background; this is for a large project, and for changing the model. Broken
    off, it goes on where it stopped. LAMELLA_EMBEDDER says what embeds.
    """
    with opened() as lamella, _progress() if sys.stderr.isatty() else _unseen() as shown:
        come = lamella.embed(project)
        first = last = next(come)
        shown(first)
        for last in come:
            shown(last)
    done, total = last.coverage.embedded - first.coverage.embedded, last.coverage.total
    click.echo(
        f"Embedded {done} memories with {last.model.name}; {last.coverage.embedded} of {total} are embedded."
    )


@contextmanager
def _unseen() -> Iterator[_Shown]:
    yield lambda _: None


@contextmanager
def _progress() -> Iterator[_Shown]:
    # Costs as much as all the rest of a command, and only a terminal needs it.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Loading the model", total=None)

        def shown(embedded: Embedded) -> None:
            coverage = embedded.coverage
            progress.update(task, description="Embedding", completed=coverage.embedded, total=coverage.total)

        yield shown
