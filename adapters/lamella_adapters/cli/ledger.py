"""The command that shows the code history of files."""

import re
import sys
from collections.abc import Sequence
from itertools import groupby

import click

from lamella.application.ledger.learn_from_git import DEFAULT_COMMITS, DEFAULT_MEGABYTES, Learned
from lamella.application.maintenance.look_after import maintained
from lamella.application.search.request import SearchRequest
from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.ledger.commits import short_commit
from lamella.domain.ledger.file_change import FileChange, entry
from lamella.domain.memories.limits import DEFAULT_CHANGES
from lamella.domain.memories.query import ById, ByText, Mode
from lamella.domain.text.printing import counted, printed_line, visible
from lamella_adapters.cli.options import ANY_PATH, options
from lamella_adapters.cli.output import echo, echo_json, minute, progress_bar
from lamella_adapters.cli.runtime import from_here, opened

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
"""Colours of the lines of a patch, by their first character."""

_COMMIT_ID = re.compile("[0-9a-fA-F]{7,64}")
"""A commit's id or its beginning."""

_MARGIN = 10
"""Additional indentation, in columns, of the second line of a long title."""


@click.command(short_help="Show additions and removals in a file or folder.")
@click.argument("target", metavar="[FILE|FOLDER|ID]", required=False, type=ANY_PATH)
@options(
    "ledger",
    commits={"default": DEFAULT_COMMITS},
    megabytes={"default": DEFAULT_MEGABYTES},
    limit={"default": DEFAULT_CHANGES},
)
def ledger(
    *,
    target: str | None,
    patch: bool,
    backfill: bool,
    commits: int,
    megabytes: int,
    limit: int,
    as_json: bool,
    project: str | None,
) -> None:
    """Show additions and removals in a file: when, why, and under which former names.

    With --project, FILE is relative to the root of that project. For a FOLDER, by default the present one, show
    all of its files; for an ID, the lines of one change. If several changes report the same line, only the oldest
    change counts it. Piped output has a tab-separated line for each change: time, added, removed, file, title,
    source, id; with --patch, the changed lines follow.
    """
    if target is None and (as_json or not backfill):
        target = "."
    with opened(project) as (lamella, call):
        if backfill:
            task = "Learning from commits"
            with progress_bar(task) as shown:
                for account in lamella.learn_history(call, limit=commits, megabytes=megabytes):
                    shown(task, account.done, account.commits)
            maintained(lamella.storage)
            echo("\n".join(_report(account)), err=as_json)
        if target is not None:
            path = target if project else from_here(target)
            changes = lamella.file_history(call, path, limit=limit, hunks=patch).changes
            if as_json:
                echo_json(changes or _of_memory(lamella, call, target))
                return
            _print(changes or _of_memory(lamella, call, target), target, patch=patch or not changes)


def _of_memory(lamella: Lamella, call: Call, id: str) -> Sequence[FileChange]:
    """Return the changes of the memory or commit with this id; empty for an unknown id."""
    hits = lamella.search(call, SearchRequest(selector=ById(id))).hits
    if not hits and _COMMIT_ID.fullmatch(id):
        # Search for the short id: a memory contains its commit's full id and short id as words, but no other
        # prefix.
        found = lamella.search(call, SearchRequest(selector=ByText(short_commit(id), Mode.KEYWORD))).hits
        hits = tuple(hit for hit in found if f"Commit {id.lower()}" in hit.observation.content)
    return [entry(hit.observation, change, hit.short_id) for hit in hits for change in hit.observation.changes]


def _print(changes: Sequence[FileChange], target: str, *, patch: bool) -> None:
    """Print changes. On a terminal, group them by memory. If `patch` is true, print their lines too."""
    if not changes:
        asked = "this folder" if target == "." else printed_line(target)
        advice = "To learn from a git history: lamella ledger --backfill"
        echo(f"Nothing is recorded about {asked}. {advice}", err=True)
    on_terminal = sys.stdout.isatty()
    for place, (_, entries) in enumerate(groupby(changes, lambda one: one.observation)):
        if place and patch and on_terminal:
            echo("")
        for number, each in enumerate(entries):
            if not on_terminal:
                click.echo("\t".join(_cells(each)))
            else:
                if not number:
                    echo(_head(each), indent=_MARGIN)
                echo(_counts(each))
            for line in visible(each.change.hunks).split("\n") if patch and each.change.hunks else ():
                # Don't wrap lines of code.
                click.echo(click.style(line, fg=_COLOURS.get(line[:1])))


def _cells(each: FileChange) -> Sequence[str]:
    change = each.change
    return (
        minute(each.at),
        "" if change.additions is None else f"+{change.additions}",
        "" if change.deletions is None else f"-{change.deletions}",
        printed_line(change.path) + (f" (was {printed_line(change.former)})" if change.former else ""),
        printed_line(each.title),
        printed_line(each.source),
        each.short_id,
    )


def _head(each: FileChange) -> str:
    at, _, _, _, title, source, id = _cells(each)
    return f"{click.style(id, fg='cyan')}  {at}  {title} {click.style(f'({source})', dim=True)}"


def _counts(each: FileChange) -> str:
    _, added, removed, file, *_ = _cells(each)
    return f"  {click.style(f'{added:>5}', fg='green')} {click.style(f'{removed:<5}', fg='red')}  {file}"


def _report(account: Learned) -> list[str]:
    lines = [
        f"Learned from {counted(account.new, 'commit')}; known: {account.done} of the latest {account.commits}."
    ]
    if account.redacted:
        lines.append(f"Redacted: {counted(account.redacted, 'secret')}.")
    if account.skipped:
        reasons = (f"{count} {reason}" for reason, count in sorted(account.skipped.items()))
        lines.append(f"Files skipped: {', '.join(reasons)}.")
    if account.stopped:
        lines.append("Not everything was read. Repeat the command to read on.")
    return lines
