"""The commands for importing past conversations, one for each client."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
from click.exceptions import Exit

from lamella.application.conversations.import_transcripts import Imported
from lamella.application.maintenance.look_after import maintained
from lamella.domain.text.printing import counted
from lamella_adapters.cli.exchange.accounts import listed, report_lines, words
from lamella_adapters.cli.output import echo, echo_json, progress_bar, say
from lamella_adapters.cli.runtime import opened

_PATH = click.Path(exists=True, path_type=Path)
_ALL = click.Option(
    ["--all", "every_project"], is_flag=True, help="Import from every directory, each into its project."
)
_PROJECT = click.Option(["--project"], metavar="NAME", help="Import into this project.")
_JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print one line of JSON.")
_DRY_RUN = click.Option(["--dry-run"], is_flag=True, help="Import nothing; only count.")


def kept_command(name: str, short_help: str, help: str) -> click.Command:
    """Return the import command for a client that keeps conversations on this machine."""
    params = [click.Argument(["path"], required=False, type=_PATH), _ALL, _PROJECT, _DRY_RUN, _JSON]
    run = partial(_import, name)
    return click.Command(name, params=params, callback=run, short_help=short_help, help=help)


def exported_command(name: str, short_help: str, help: str) -> click.Command:
    """Return the import command for a client whose conversations have to be exported first."""
    params = [click.Argument(["path"], type=_PATH), _PROJECT, _DRY_RUN, _JSON]
    run = partial(_import, name, every_project=False)
    return click.Command(name, params=params, callback=run, short_help=short_help, help=help)


def _import(
    name: str, *, path: Path | None, project: str | None, every_project: bool, dry_run: bool, as_json: bool
) -> None:
    """Import from a client, and report.

    Raises:
        Exit: Nothing could be read, or not everything at the given path.
    """
    if every_project and project:
        raise click.UsageError("--all imports into the project of each directory: leave out --project.")
    client = name.replace("-", "_")
    with opened(project) as (lamella, call):
        with progress_bar("Importing", of_bytes=True) as shown:
            accounts = lamella.import_transcripts(
                call, path, client=client, every_project=every_project, dry_run=dry_run
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
    read = max(account.with_messages, account.sources - len(account.unreadable))
    if not account.sources:
        yield "No transcripts found. Give the file or folder they are in, or run this where they were recorded."
    elif account.with_messages or account.off:
        messages, transcripts = counted(account.messages, "message"), counted(read, "transcript")
        yield f"{words(dry_run=dry_run)['imported']} {messages} from {transcripts}."
    else:
        transcripts = counted(read, "transcript")
        yield f"No message of a conversation in {transcripts}. Check the program that wrote them."
    if account.messages and (dry_run or len(+account.projects) > 1):
        yield f"By project: {listed(account.projects)}."
    if account.messages and dry_run:
        yield f"By role: {listed(Counter({str(role): each for role, each in account.roles.items()}))}."
    yield from report_lines(account, "import_conversations", dry_run=dry_run)
    if account.skipped:
        yield f"Skipped: {listed(account.skipped)}."
    yield from report_lines(account, "passed_over")
