"""The command that erases for good."""

import sys

import click

from lamella.container import Lamella
from lamella.domain.errors import AmbiguousIdError, NoneChangedError, NothingFoundError
from lamella.domain.observation import Observation
from lamella.domain.text import printed_line
from lamella_adapters.cli.memories import project_option
from lamella_adapters.cli.opening import opened

_WHAT_WAS_REMOVED = """\
Removed: the rows with their code changes, their entries in the search index, their words in the context of
neighbouring memories, the database's log, and backups of lamella's own (replaced by one without them).
Out of reach: exports, and copies made by others, such as transcripts of conversations, snapshots and backups
of the disk."""


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Don't ask.")
@project_option
def erase(ids: tuple[str, ...], yes: bool, project: str | None) -> None:
    """Delete memories for good, down to the bytes in the files. It asks first, and can't be undone."""
    with opened() as lamella:
        found, missing = _found(lamella, ids, project)
        click.echo("To be erased for good:")
        for observation in found:
            click.echo(f"  {_described(observation)}")
        for each in missing:
            click.echo(f"Not found: {printed_line(each)}")
        if not yes:
            _ask()
        # By the full ids of what was shown, whatever has been saved meanwhile.
        outcome = lamella.erase([str(each.id) for each in found], project=project)
    report = "\n".join(outcome.report("Erased"))
    if not outcome.changed:
        raise NoneChangedError(reply=report)
    click.echo(f"{report}\n{_WHAT_WAS_REMOVED}")


def _found(lamella: Lamella, ids: tuple[str, ...], project: str | None) -> tuple[list[Observation], list[str]]:
    """The memories that `ids` mean, and the ids that mean none."""
    resolved = lamella.erase.preview(ids, project=project)
    for prefix, candidates in resolved.ambiguous.items():
        raise AmbiguousIdError(prefix=prefix, candidates=candidates)
    if not resolved.found:
        # Whoever repeats an erase that could not be finished means its bytes.
        lamella.erase((), project=project)
        raise NothingFoundError(asked=", ".join(ids))
    return list(resolved.found.values()), resolved.missing


def _described(observation: Observation) -> str:
    purged = " | purged" if observation.purged else ""
    title = printed_line(observation.title) or "untitled"
    return f"{observation.id} | {title} | {observation.created_at.astimezone():%Y-%m-%d}{purged}"


def _ask() -> None:
    if not sys.stdin.isatty():
        raise click.UsageError("Nobody can be asked here; add --yes to erase without a question.")
    if not click.confirm("Erase for good?", err=True):
        raise click.ClickException("Nothing was erased.")
