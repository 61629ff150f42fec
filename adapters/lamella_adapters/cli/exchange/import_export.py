"""The command for importing an export of lamella."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import click
from click.exceptions import Exit

from lamella.application.exchange.accounts import ImportAccount
from lamella.application.maintenance.look_after import maintained
from lamella.domain.errors import AdvisedError
from lamella.domain.exchange import json_lines
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Record
from lamella.domain.text.printing import counted, printed_line
from lamella_adapters.cli.exchange.accounts import by_project, here_already, report_lines, words
from lamella_adapters.cli.exchange.folder import MarkdownFolder
from lamella_adapters.cli.options import options, undashed
from lamella_adapters.cli.output import counted_projects, echo, echo_json, progress_bar, say_conflicts, say_left
from lamella_adapters.cli.runtime import opened
from lamella_adapters.process.commands import typed
from lamella_adapters.process.tables import sentences

_MAGIC_BYTES = 4
_OTHERS: Mapping[bytes, str] = {
    b"PK\3\4": "If it is a backup of lamella: lamella restore-backup {}",
    b"SQLi": "If it is another program's, name the program: lamella import PROGRAM {}",
}
"""Advice about files that aren't exports, by the first bytes of the file."""


@click.command("file", short_help="Import an export of lamella. You can leave out `file`.")
@click.argument("path", metavar="FILE|FOLDER|-", type=click.Path(exists=True, allow_dash=True), callback=undashed)
@options("import-file")
def import_export(path: Path | None, project: str | None, *, dry_run: bool, as_json: bool) -> None:
    """Import an export of lamella: a FILE of JSON Lines, a FOLDER of Markdown, or - for stdin.

    Memories keep their ids, times and projects. Existing memories stay unchanged, so you can repeat an import or
    continue an interrupted one. A text edited in the export replaces the memory on this machine.
    """
    folder = path is not None and path.is_dir()
    with opened() as (lamella, call):
        account = ImportAccount()
        try:
            with _read(path) as (records, progress), progress_bar("Importing", of_bytes=not folder) as shown:
                for account in lamella.import_records(call, records, into=project, folder=folder, dry_run=dry_run):
                    shown(counted(account.memories, "memory"), *progress())
        except UnreadableExportError:
            if account.projects or account.everywhere:
                _print(account, dry_run=dry_run, as_json=as_json)
            raise
        maintained(lamella.storage)
    _print(account, dry_run=dry_run, as_json=as_json)
    if account.left:
        raise Exit(1)


@contextmanager
def _read(
    path: Path | None,
) -> Iterator[tuple[Iterator[tuple[str, Record | UnreadableExportError]], Callable[[], tuple[int, int]]]]:
    """Open an export. Return its records, and a function that returns the progress: amount read, and total."""
    try:
        if path is None:
            yield json_lines.read(cast("BinaryIO", sys.stdin.buffer)), lambda: (0, 0)
        elif path.is_dir():
            folder = MarkdownFolder(path)
            yield folder.read(), lambda: (folder.done, folder.total)
        else:
            with path.open("rb") as stream:
                if advice := _OTHERS.get(stream.peek(_MAGIC_BYTES)[:_MAGIC_BYTES]):
                    raise AdvisedError(
                        reason=f"{printed_line(path.name)} is not an export.",
                        advice=advice.format(typed(str(path))),
                    )
                size = path.stat().st_size
                yield json_lines.read(stream), lambda: (stream.tell(), size)
    except OSError as error:
        place = printed_line(str(error.filename or path))
        raise AdvisedError(**sentences(__file__, "unreadable", place=place, why=error.strerror)) from error


def _print(account: ImportAccount, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        echo_json(account)
    elif account == ImportAccount():
        echo("The export is empty: there is nothing to import.")
    else:
        echo("\n".join(report(account, dry_run=dry_run)))
    say_conflicts(account.conflicts)
    say_left(account.left)


def report(account: ImportAccount, *, dry_run: bool) -> Iterator[str]:
    """Yield the lines of an import's report."""
    projects = counted_projects(account.projects, everywhere=account.everywhere)
    yield f"{words(dry_run=dry_run)['imported']} {counted(account.memories, 'memory')} of {projects}."
    yield from by_project(account.new)
    if account.messages:
        yield f"Messages: {account.messages:,} new."
    if account.known:
        yield here_already(account.known, account.purged)
    yield from report_lines(account, "import_export", dry_run=dry_run)
    for name, count in sorted(account.off.items()):
        yield f"Skipped: {count} of {printed_line(name)}, in which memory is off: lamella project on"
