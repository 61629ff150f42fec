"""The command that takes over an export of lamella."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

import click
from attrs import define

from lamella.application.exchange.taking_over import ImportAccount
from lamella.domain.exchange import json_lines
from lamella.domain.exchange.records import Record
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.exchange.folder import MarkdownFolder
from lamella_adapters.cli.memories import project_option
from lamella_adapters.cli.output import echo, progress_bar
from lamella_adapters.cli.runtime import opened


@click.command("file", short_help="Import an export of lamella; `file` can be left out.")
@click.argument("path", metavar="FILE|FOLDER|-", type=click.Path(exists=True, allow_dash=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only count what would be imported.")
@project_option
def import_export(path: Path, project: str | None, *, dry_run: bool) -> None:
    """Import what `lamella export` has written: a FILE of JSON Lines, a FOLDER of Markdown, or - for stdin.

    Memories keep their ids and times, and go to the projects that they are from. What is here already stays as it
    is, so that importing again goes on where it stopped. A text that you have edited in a Markdown file replaces
    the one that is here.
    """
    with opened() as (lamella, call):
        with _records(path) as read, progress_bar("Importing", of_bytes=not path.is_dir()) as shown:
            accounts = lamella.import_records(
                call, read.records, into=project, edits=path.is_dir(), dry_run=dry_run
            )
            for account in accounts:
                shown(f"{account.memories} memories", read.done(), read.total)
        # Who adds much at once has no quiet second to wait for.
        while not dry_run and lamella.storage.tidy():
            pass
    for line in _report(account, "Would import" if dry_run else "Imported"):
        echo(line)


@define
class _Read:
    """Records that are read, and how far that has come."""

    records: Iterator[tuple[str, Record]]
    total: int
    stream: BinaryIO | None = None

    def done(self) -> int:
        """Return the bytes or files that were read."""
        return self.stream.tell() if self.stream is not None and self.stream.seekable() else 0


@contextmanager
def _records(path: Path) -> Iterator[_Read]:
    if path.is_dir():
        yield _Read(MarkdownFolder(path).read(), 0)
    elif str(path) == "-":
        stream = cast("BufferedReader", sys.stdin.buffer)
        yield _Read(json_lines.read(stream), 0)
    else:
        with path.open("rb") as stream:
            yield _Read(json_lines.read(stream), path.stat().st_size, stream)


def _report(account: ImportAccount, done: str) -> list[str]:
    by_project: dict[str, list[str]] = {}
    for (name, kind), count in sorted(account.new.items()):
        by_project.setdefault(name, []).append(f"{count} {kind}")
    others = (
        (account.messages, "Messages: {} new."),
        (account.known + account.known_messages, "Here already: {}."),
        (account.edited, "Edited in their files, and replaced: {}."),
        (account.left, "Edited in their files, but purged or replaced here, so left: {}."),
        (account.redacted, "Redacted: {} secret(s)."),
    )
    return [
        f"{done} {account.memories} memories of {account.projects} project(s).",
        *(f"  {printed_line(name)}: {', '.join(kinds)}" for name, kinds in by_project.items()),
        *(text.format(count) for count, text in others if count),
    ]
