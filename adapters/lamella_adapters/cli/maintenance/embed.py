"""The command that embeds memories."""

import click

from lamella.domain.text.printing import counted
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import progress_bar
from lamella_adapters.cli.runtime import opened


@click.command(short_help="Embed memories for search by meaning.")
@options("embed")
def embed(project: str | None) -> None:
    """Embed all memories that have no vector yet, for search by meaning.

    Servers do this in the background. Run it for a large project, or after changing the model in LAMELLA_EMBEDDER.
    An interrupted run resumes where it stopped.
    """
    with opened(project) as (lamella, call), progress_bar("Loading the model") as shown:
        come = lamella.embed(call)
        first = last = next(come)
        for last in come:
            shown("Embedding", last.coverage.embedded, last.coverage.total)
    done, total = last.coverage.embedded - first.coverage.embedded, last.coverage.total
    click.echo(
        f"Embedded {counted(done, 'memory')} with {last.model.name};"
        f" embedded: {last.coverage.embedded} of {total}."
    )
