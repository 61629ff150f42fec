"""The command about what became of a file's code."""

from collections.abc import Callable
from typing import Any

import click

from lamella.application.ledger.file_history import DEFAULT_CHANGES
from lamella.application.ledger.learn_from_git import DEFAULT_COMMITS, DEFAULT_MEGABYTES, Learned
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.output import print_table, progress_bar
from lamella_adapters.cli.runtime import opened

_Command = Callable[..., Any]

_COLUMNS = ("when", "added", "removed", "file", "what", "source", "id")
_STYLES = {"added": "green", "removed": "red", "source": "dim", "id": "cyan"}
_UNBROKEN = ("when", "added", "removed", "source", "id")


def _number(name: str, default: int, help: str) -> Callable[[_Command], _Command]:
    """Return an option that is a number from 1 on."""
    return click.option(
        name, metavar="N", type=click.IntRange(min=1), default=default, show_default=True, help=help
    )


@click.command(short_help="Show what came and went in a file.")
@click.argument("file", required=False)
@click.option("--backfill", is_flag=True, help="Learn from git history first.")
@_number("--commits", DEFAULT_COMMITS, "With --backfill: how many of the latest commits to learn from.")
@_number("--megabytes", DEFAULT_MEGABYTES, "With --backfill: stop after so much of patches; repeated, it goes on.")
@_number("--limit", DEFAULT_CHANGES, "Most changes of FILE to show.")
def ledger(*, file: str | None, backfill: bool, commits: int, megabytes: int, limit: int) -> None:
    """Show what was added to FILE and removed from it, when and why, under its former names too."""
    if file is None and not backfill:
        raise click.UsageError("Name a FILE, or give --backfill.")
    with opened() as (lamella, call):
        if backfill:
            task = "Learning from commits"
            with progress_bar(task) as shown:
                for account in lamella.learn_history(call, limit=commits, megabytes=megabytes):
                    shown(task, account.done, account.commits)
            # Who adds much at once has no quiet second to wait for.
            while lamella.storage.tidy():
                pass
            for line in _report(account):
                click.echo(line)
        if file is not None:
            changes = lamella.file_history(call, file, limit=limit).changes
            unknown = (
                f"Nothing is known of {printed_line(file)}. "
                "If its git history was not learned yet: lamella ledger --backfill"
            )
            print_table(_COLUMNS, map(_row, changes), empty=unknown, styles=_STYLES, unbroken=_UNBROKEN)


def _row(entry: FileChange) -> tuple[str, ...]:
    change = entry.change
    renamed = f" (was {printed_line(change.former)})" if change.former else ""
    return (
        f"{entry.at.astimezone():%Y-%m-%d %H:%M}",
        "" if change.additions is None else f"+{change.additions}",
        "" if change.deletions is None else f"-{change.deletions}",
        printed_line(change.path) + renamed,
        printed_line(entry.title),
        printed_line(entry.source),
        entry.short_id,
    )


def _report(account: Learned) -> list[str]:
    lines = [f"Learned from {account.new} commit(s); {account.done} of the latest {account.commits} are known."]
    if account.redacted:
        lines.append(f"Redacted: {account.redacted} secret(s).")
    if account.skipped:
        reasons = (f"{count} {reason}" for reason, count in sorted(account.skipped.items()))
        lines.append(f"Files passed over: {', '.join(reasons)}.")
    if account.stopped:
        lines.append("There is more than is read at once. Repeat this to go on.")
    return lines
