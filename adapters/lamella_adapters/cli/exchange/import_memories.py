"""The commands that import memories from other programs, one for each."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from click.exceptions import Exit

from lamella.application.exchange.import_memories import ImportRequest, MemoriesImported
from lamella.application.maintenance.look_after import maintained
from lamella.domain.text.printing import counted, printed_line
from lamella_adapters.cli.exchange.accounts import by_project, here_already, listed, report_lines, words
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json, progress_bar, say
from lamella_adapters.cli.runtime import from_here, opened
from lamella_adapters.process.commands import typed

_NAMED_AT_MOST = 20
"""Maximum number of unknown projects, and of reasons for skipping, to list."""


def memories_command(name: str, short_help: str, help: str) -> click.Command:
    """Return the import command for a program's memories."""

    @click.command(name, short_help=short_help, help=help)
    @click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
    @options("import-memories")
    def command(path: Path | None, given: Sequence[str], *, dry_run: bool, deleted: bool, as_json: bool) -> None:
        rest, named = _chosen(given)
        request = ImportRequest(
            peer=name,
            path=None if path is None else Path(from_here(str(path))),
            dry_run=dry_run,
            deleted=deleted,
            project=rest,
            projects=named,
        )
        _run(request, as_json=as_json)

    return command


def _chosen(given: Sequence[str]) -> tuple[str | None, Mapping[str, str]]:
    """Return the default project, and the target projects, keyed by the project's name in the other program.

    Raises:
        click.UsageError: Two default projects are given.
    """
    named = dict(each.rsplit("=", 1) for each in given if "=" in each)
    rest = [each for each in given if "=" not in each]
    if len(rest) > 1:
        raise click.UsageError("Give --project without NAME= only once.")
    return next(iter(rest), None), named


def _run(request: ImportRequest, *, as_json: bool) -> None:
    with opened() as (lamella, call):
        with progress_bar("Importing") as shown:
            for account in lamella.import_memories(call, request):
                records = sum(each.records or 0 for each in account.stores)
                shown(counted(account.new.total(), "memory"), account.read, max(records, account.read))
        maintained(lamella.storage)
    for reason in account.unreadable:
        say(reason)
    found = account.new or account.known or account.prompts
    if account.unreadable and not (found or account.unplaced):
        raise Exit(1)
    if as_json:
        echo_json(account)
    else:
        echo("\n".join(_report(account, request)))
    if account.unreadable or (account.unplaced and not (found or request.dry_run)):
        raise Exit(1)


def _report(account: MemoriesImported, request: ImportRequest) -> Iterator[str]:
    places = ", ".join(printed_line(_short(each.place)) for each in account.stores)
    yield f"{words(dry_run=request.dry_run)['imported']} {counted(account.new.total(), 'memory')} from {places}."
    yield from by_project(account.new)
    if account.prompts:
        yield f"Prompts of conversations: {account.prompts}."
    if account.known:
        yield here_already(account.known, account.purged_here)
    yield from report_lines(account, "import_memories", dry_run=request.dry_run)
    if account.skipped:
        shown = account.skipped.most_common(_NAMED_AT_MOST)
        more = account.skipped.total() - sum(count for _, count in shown)
        yield f"Skipped: {listed(dict(shown))}{f', and {more} more' if more else ''}."
    yield from dict.fromkeys(each.remark for each in account.stores if each.remark)
    if account.unplaced:
        yield from _unplaced(account, request)


def _unplaced(account: MemoriesImported, request: ImportRequest) -> Iterator[str]:
    """Yield advice on memories whose project can't be determined."""
    nameless = account.unplaced[""]
    named = sorted((each for each in account.unplaced.items() if each[0]), key=lambda each: -each[1])
    yield f"Not imported, because their project isn't known here: {counted(account.unplaced.total(), 'memory')}."
    for name, count in named[:_NAMED_AT_MOST]:
        yield f"  {printed_line(name)}: {count}"
    if more := named[_NAMED_AT_MOST:]:
        yield f"  {len(more)} more projects: {sum(count for _, count in more)}"
    if nameless:
        yield f"  of no project: {nameless}"
    command = f"lamella import {request.peer}"
    if request.path is not None:
        command += f" {typed(str(request.path))}"
    if named:
        first = typed(f"{named[0][0]}=FOLDER")
        yield f"To import one project, name its folder: {command} --project {first}"
    yield f"To import all of them into one project or folder: {command} --project PROJECT"


def _short(place: Path) -> str:
    home = Path.home()
    return f"~/{place.relative_to(home)}" if place.is_relative_to(home) else str(place)
