"""The command that shares memories through a folder, with a team or between one's own machines."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from click.exceptions import Exit

from lamella.application.exchange.accounts import ShareAccount
from lamella.application.maintenance.look_after import maintained
from lamella.domain.errors import AdvisedError
from lamella.domain.text.printing import counted, printed_line
from lamella.ports.shared_folder import Share
from lamella_adapters.cli.exchange.accounts import report_lines
from lamella_adapters.cli.exchange.folder import MachineFolder
from lamella_adapters.cli.exchange.import_export import report
from lamella_adapters.cli.options import ANY_PATH, options
from lamella_adapters.cli.output import echo, progress_bar, say, say_conflicts, say_left
from lamella_adapters.cli.runtime import from_here, opened
from lamella_adapters.process.commands import typed
from lamella_adapters.process.locks import locked
from lamella_adapters.process.settings import settings_from
from lamella_adapters.process.tables import sentences

_PATIENCE_SECONDS = 30.0
"""Maximum time that a command waits for the sync of another command."""


@click.command(short_help="Share notes as files of the repository.")
@click.argument("folder", required=False, type=ANY_PATH)
@options("share")
def share(
    folder: str | None, project: str | None, *, yes: bool, stop: bool, everything: bool, **chosen: bool
) -> None:
    """Share this project's notes and decisions with others, as files in FOLDER.

    FOLDER is a folder of the repository, such as docs/memory; you commit its files. Without FOLDER, sync now;
    servers also sync by themselves. If all files are gone, the command asks before it purges their memories.
    Captured edits, commits, summaries, conversations and global memories are never shared.

    With --everything, FOLDER is a private repository or a synced folder. Each run imports new memories of your
    other machines, and writes the memories of this machine.
    """
    if stop and folder:
        raise click.UsageError("Give either FOLDER or --stop.")
    if everything:
        if folder is None or project or yes or stop:
            raise click.UsageError(
                "--everything needs a FOLDER. With it, only --edits, --conversations and --dry-run work."
            )
        _share_everything(Path(from_here(folder)), **chosen)
        return
    if given := [name for name, value in chosen.items() if value]:
        raise click.UsageError(f"--{given[0].replace('_', '-')} can only be used with --everything.")
    with opened(project) as (lamella, call):
        if stop:
            ended = lamella.share.stop(call)
            kept = "Its files stay; delete them with git if you want."
            echo(f"No longer shared: {printed_line(ended.folder)}. {kept}" if ended else "Nothing was shared.")
            return
        if folder is not None:
            lamella.share.start(call, from_here(folder))
        with progress_bar("Sharing"):
            accounts = list(lamella.share(call, sure=yes))
        waiting = accounts[-1].waiting if accounts else 0
        if waiting and (shared := lamella.share.shared(call)) and _is_meant(accounts[-1], shared):
            accounts = list(lamella.share(call, sure=True))
        maintained(lamella.storage)
    if not accounts:
        echo("Nothing is shared. Share notes in a folder of this repository with: lamella share FOLDER")
        return
    account = accounts[-1]
    echo("\n".join(_report(account)))
    say_conflicts(account.conflicts)
    say_left(dict(sorted(account.left.items())))


def _share_everything(folder: Path, *, edits: bool, conversations: bool, dry_run: bool) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    try:
        if not dry_run:
            folder.mkdir(mode=0o700, exist_ok=True)
        with ExitStack() as stack:
            lamella, call = stack.enter_context(opened())
            files = MachineFolder(folder, lamella.projects.machine.id())
            stack.enter_context(locked(settings_from(os.environ).data_directory / "everything.lock", until=until))
            shown = stack.enter_context(progress_bar("Sharing"))
            for account in lamella.share_everything(
                call, files, edits=edits, conversations=conversations, dry_run=dry_run
            ):
                shown("Sharing", account.taken.memories, 0)
            maintained(lamella.storage)
    except TimeoutError:
        raise AdvisedError(**sentences(__file__, "busy")) from None
    except OSError as error:
        place = printed_line(str(error.filename or folder))
        raise AdvisedError(**sentences(__file__, "unusable", place=place, why=error.strerror)) from error
    echo(
        "\n".join([*report(account.taken, dry_run=dry_run), *report_lines(account, "everything", dry_run=dry_run)])
    )
    say_left(account.taken.left)
    if account.taken.left:
        raise Exit(1)


def _is_meant(account: ShareAccount, shared: Share) -> bool:
    """Ask for confirmation to purge the memories of a shared folder after all of its files were deleted.

    Return True if the answer is yes.

    Raises:
        AdvisedError: Standard input is not a terminal, or the files are in another folder.
        Exit: The answer is no.
    """
    folder, memories = printed_line(account.folder), counted(account.waiting, "memory")
    if moved_to := account.moved_to:
        place = {"moved_to": printed_line(moved_to), "path": _argument(shared, moved_to)}
        raise AdvisedError(**sentences(__file__, "moved", folder=folder, memories=memories, **place))
    path = _argument(shared, account.folder)
    restore = f"To restore the files: git restore {path}. " if account.restorable else ""
    back = f"{restore}To write the files again: lamella share --stop, then lamella share {path}"
    if not sys.stdin.isatty():
        raise AdvisedError(**sentences(__file__, "gone", folder=folder, memories=memories, back=back))
    if not click.confirm(f"All files of {folder} are gone. Purge {memories}?", err=True):
        say(f"Nothing was purged. {back}")
        raise Exit(1)
    return True


def _argument(shared: Share, folder: str) -> str:
    """Return a folder of the working tree as an argument of a command in the current folder."""
    return typed(os.path.relpath(shared.root / folder))


def _report(account: ShareAccount) -> Iterator[str]:
    yield f"Shared in {printed_line(account.folder)}: {counted(account.files, 'memory')}."
    yield from report_lines(account, "share")
