"""The command that lists past conversations."""

import click

from lamella.domain.conversations.message import Session
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.memories import project_option
from lamella_adapters.cli.output import print_table
from lamella_adapters.cli.runtime import opened

_COLUMNS = ("id", "name", "began", "ended", "messages")


@click.command(short_help="List the project's conversations.")
@project_option
def sessions(project: str | None) -> None:
    """List the project's conversations, the latest first: a table, or lines with tabs where the output is piped.

    `lamella erase --session` takes the id or the name of one.
    """
    with opened(project) as (lamella, call):
        listed = lamella.projects.find(call).conversations().sessions()
    empty = "No conversations yet. Import them with: lamella import claude-code"
    print_table(_COLUMNS, map(_row, listed), empty=empty)


def _row(each: Session) -> tuple[str, ...]:
    began, ended = (f"{moment.astimezone():%Y-%m-%d %H:%M}" for moment in (each.started_at, each.ended_at))
    return printed_line(each.id), printed_line(each.name), began, ended, f"{each.messages}"
