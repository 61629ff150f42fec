"""The commands for importing past conversations, one for each client."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit

from lamella.application.conversations.import_transcripts import Imported
from lamella.application.maintenance.look_after import maintained
from lamella.domain.text.printing import counted
from lamella_adapters.cli.exchange.accounts import listed, report_lines, words
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json, progress_bar, say
from lamella_adapters.cli.runtime import opened

_NAMED_AT_MOST = 20
"""Maximum number of conversations with changed messages to list."""


def conversations_command(name: str, short_help: str, help: str, *, kept: bool = False) -> click.Command:
    """Return the command that imports the conversations of a client.

    If `kept` is true, the client keeps conversations on this machine. Otherwise, the user exports them first.
    """

    @click.command(name, short_help=short_help, help=help)
    @click.argument("path", required=not kept, type=click.Path(exists=True, path_type=Path))
    @options("import-kept" if kept else "import-exported")
    def command(**given: Any) -> None:
        _import(name, **given)

    return command


def _import(
    name: str, *, path: Path | None, project: str | None, dry_run: bool, as_json: bool, every_project: bool = False
) -> None:
    """Import from a client, and report.

    Raises:
        Exit: Nothing could be read, or a part of the given path could not.
    """
    if every_project and project:
        raise click.UsageError("--all imports into the project of each directory: leave out --project.")
    with opened(project) as (lamella, call):
        with progress_bar("Importing", of_bytes=True) as shown:
            accounts = lamella.import_transcripts(
                call, path, client=name.replace("-", "_"), every_project=every_project, dry_run=dry_run
            )
            for account in accounts:
                shown(counted(account.messages, "message"), account.read, account.size)
        maintained(lamella.storage)
    for reason in account.unreadable:
        say(reason)
    if account.unreadable and len(account.unreadable) == account.sources and not account.messages:
        raise Exit(1)
    if as_json:
        echo_json(account)
    else:
        echo("\n".join(_report(account, dry_run=dry_run)))
    if path is not None and (account.unreadable or not (account.with_messages or account.unplaced or account.off)):
        raise Exit(1)


def _report(account: Imported, *, dry_run: bool) -> Iterator[str]:
    transcripts = counted(max(account.with_messages, account.sources - len(account.unreadable)), "transcript")
    if not account.sources:
        yield "No transcripts found. Give the file or folder they are in, or run this where they were recorded."
    elif account.with_messages or account.off:
        yield f"{words(dry_run=dry_run)['imported']} {counted(account.messages, 'message')} from {transcripts}."
    else:
        yield f"No message of a conversation in {transcripts}. Check the program that wrote them."
    if account.messages and (dry_run or len(+account.projects) > 1):
        yield f"By project: {listed(account.projects)}."
    if account.messages and dry_run:
        yield f"By role: {listed(Counter({str(role): each for role, each in account.roles.items()}))}."
    yield from report_lines(account, "import_conversations", dry_run=dry_run)
    if account.skipped:
        yield f"Skipped: {listed(account.skipped)}."
    if account.changed:
        names = listed(dict(account.changed.most_common(_NAMED_AT_MOST)))
        count = counted(account.changed.total(), "message")
        yield f"Changed there since an earlier import, but not here: {count}, in {names}."
    yield from report_lines(account, "passed_over")
