"""The command that lists notes to review."""

import click

from lamella_adapters.cli.memories.commands import reported
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo
from lamella_adapters.cli.runtime import opened

_SETTLE = """\
To replace notes by a correct one: lamella save TEXT --replaces ID --replaces ID
To remove wrong notes: lamella purge ID...
To keep notes as they are: lamella review --keep ID --keep ID
To take back all of these changes later: lamella undo --after {after}"""


@click.command(short_help="List contradictory, repeated and outdated notes.")
@options("review")
def review(*, keep: tuple[str, ...], again: bool, project: str | None) -> None:
    """List notes to settle: contradictory, repeated, outdated, too long or unused ones.

    Each entry has its reason, and the ids, dates and texts of its notes. Mark notes as right with --keep: an entry
    isn't listed again once all of its notes are kept.
    """
    with opened(project) as (lamella, call):
        if keep:
            echo(reported(lamella.review.keep(call, keep), "Kept"))
        else:
            echo(lamella.review.reply(call, _SETTLE, again=again), indent=6)
