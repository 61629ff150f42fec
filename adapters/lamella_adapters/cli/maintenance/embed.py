"""The command for embedding memories."""

import click

from lamella.domain.text.printing import counted
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import progress_bar
from lamella_adapters.cli.runtime import opened


@click.command(short_help="Embed memories for search by meaning.")
@options("embed")
def embed(project: str | None) -> None:
    """Embed all memories that have not been yet, for search by meaning.

    A server does so by itself, in the background; this is for a large project, and for changing the model. Broken
    off, it goes on where it stopped. LAMELLA_EMBEDDER says what embeds.
    """
    with opened(project) as (lamella, call), progress_bar("Loading the model") as shown:
        come = lamella.embed(call)
        first = last = next(come)
        for last in come:
            shown("Embedding", last.coverage.embedded, last.coverage.total)
    done, total = last.coverage.embedded - first.coverage.embedded, last.coverage.total
    click.echo(
        f"Embedded {counted(done, 'memory')} with {last.model.name};"
        f" {last.coverage.embedded} of {total} are embedded."
    )
