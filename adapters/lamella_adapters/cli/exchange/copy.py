"""The command that copies everything from one storage into another."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from uuid import UUID

import click
from attrs import evolve
from click.exceptions import Exit

from lamella.application.exchange.comparing import Compared
from lamella.application.exchange.copy import CopyAccount, CopyMemories
from lamella.application.maintenance.look_after import maintained
from lamella.container import Lamella, running
from lamella.domain.call import USER
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.limits import MAX_LIMIT
from lamella.domain.text.printing import counted, printed_line
from lamella.entry_points import NO_EMBEDDER
from lamella.settings import DEFAULT_STORAGE, Settings
from lamella_adapters.cli.exchange.accounts import report_lines
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import counted_projects, echo, progress_bar, say
from lamella_adapters.cli.runtime import present_directory, project_option
from lamella_adapters.process.commands import typed
from lamella_adapters.process.settings import caller_from, settings_from

_NAMED = 5
"""Maximum number of ids or projects to name in a line."""


@click.command(short_help="Copy everything into another storage.")
@options("copy")
def copy(source: str, target: str, *, conversations: bool) -> None:
    """Copy all projects from one storage into another: memories, log and code ledger.

    Give URLs as for LAMELLA_STORAGE: sqlite: for the data directory, sqlite:///folder or
    postgresql://user@host/database. Put passwords into PGPASSFILE or PGPASSWORD, not into the URL.

    The source isn't changed, and the target keeps its own memories. Repeat the command to copy newer memories, or
    to finish an interrupted copy. Exits with 0 if everything of the source is in the target.
    """
    settings = evolve(settings_from(os.environ), embedder=NO_EMBEDDER)
    if _folder(settings, source) == _folder(settings, target):
        raise InvalidValueError(name="--to", given="the storage of --from", allowed="another storage")
    call = caller_from(os.environ, present_directory(), actor=USER).call()
    reading, writing = evolve(settings, storage=source), evolve(settings, storage=target)
    with _opened(reading, "--from") as here, _opened(writing, "--to") as there:
        with progress_bar("Copying") as shown:
            for account in CopyMemories(here.projects, there.projects)(call, conversations=conversations):
                shown("Comparing" if account.comparing else "Copying", account.done, account.total)
        maintained(there.storage)
    at_target = f"LAMELLA_STORAGE={typed(target if target == DEFAULT_STORAGE else writing.place)} lamella"
    echo("\n".join((*_report(account, reading.place, writing.place), *_conflicts(account, at_target))))
    if not account.equal:
        compared = account.comparison
        possible = any((compared.still_there, compared.sessions_there, account.taken.off))
        advice = (
            "Run these commands, then copy again."
            if possible
            else "Copy again; if that doesn't help: lamella doctor"
        )
        say(f"The storages differ. {advice}")
        raise Exit(1)


@contextmanager
def _opened(settings: Settings, option: str) -> Iterator[Lamella]:
    """Open a storage.

    Raises:
        InvalidValueError: The URL given by `option` doesn't name a storage.
        StorageError: The storage can't be opened.
    """
    with ExitStack() as stack:
        try:
            lamella = stack.enter_context(running(settings))
        except InvalidValueError as error:
            name = option if error.name == "LAMELLA_STORAGE" else error.name
            raise InvalidValueError(name=name, given=error.given, allowed=error.allowed) from None
        yield lamella


def _folder(settings: Settings, url: str) -> str:
    return f"sqlite://{settings.data_directory}" if url == DEFAULT_STORAGE else url.rstrip("/")


def _report(account: CopyAccount, source: str, target: str) -> Iterator[str]:
    taken = account.taken
    new = f"{counted(taken.memories, 'new memory')} and {counted(taken.messages, 'new message')}"
    projects = counted_projects(taken.projects, everywhere=taken.everywhere)
    yield f"Copied {new} of {projects} from {source} to {target}."
    yield from _table(account.rows)
    yield from report_lines(taken, "copy")
    if account.messages:
        yield f"Messages not copied: {account.messages:,}. To copy them: --conversations"


def _table(rows: Sequence[Compared]) -> Iterator[str]:
    yield f"{'':<14}{'source':>12}{'target':>12}"
    for row in rows:
        digests = "" if row.digests is None or not row.source else row.digests[0]
        if row.digests is not None and not row.equal:
            digests = " and ".join(row.digests)
        verdict = "equal" if row.equal else "differs"
        yield f"{row.kind:<14}{row.source:>12,}{row.target:>12,}  {verdict} {digests}".rstrip()


def _conflicts(account: CopyAccount, at_target: str) -> Iterator[str]:
    """Yield lines about each kind of allowed difference between source and target, some with commands.

    Args:
        account: Account of the finished copy.
        at_target: Beginning of a command that uses the target.
    """
    taken, compared = account.taken, account.comparison
    if compared.kept:
        yield f"Not overwritten, because changed later at the target: {_listed(compared.kept)}."
    if taken.erased:
        yield f"Not copied, because erased at the target: {taken.erased:,}."
    if compared.erased_there:
        yield f"Conversations not copied, because erased at the target: {compared.erased_there:,}."
    for home, ids in compared.still_there.items():
        yield f"Erased at the source, but still at the target: {_listed(ids)}. To erase them there:"
        yield f"  {at_target} erase {' '.join(map(str, ids[:MAX_LIMIT]))}{project_option(home)}"
    for home, sessions in compared.sessions_there.items():
        erased = f"Conversations erased at the source, but still at the target: {_listed(sessions)}."
        yield f"{erased} To erase them there:"
        for session in sessions:
            yield f"  {at_target} erase --session {typed(session)}{project_option(home)}"
    for old, new in account.unmerged:
        yield f"Merged at the source, but still a separate project at the target: {old}. To merge it there:"
        yield f"  {at_target} project merge {old} {new}"
    for place, other in account.disputed.items():
        yield f"A folder or remote belongs to another project at the target: {printed_line(place)} to {other}."
    for name, count in sorted(taken.off.items()):
        off = f"Skipped: {count:,} of {printed_line(name)}, because memory is off in this project at the target."
        yield f"{off} To switch it on there:"
        yield f"  {at_target} project on{project_option(name)}"


def _listed(found: Sequence[UUID | str]) -> str:
    more = f", and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
    return f"{len(found):,} ({', '.join(map(str, found[:_NAMED]))}{more})"
