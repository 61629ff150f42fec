"""The command that erases for good."""

import sys

import click
from click.exceptions import Exit

from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.conversations.errors import UnknownSessionError
from lamella.domain.memories.errors import AmbiguousIdError, NothingFoundError
from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import printed_line
from lamella.ports.storage.storage import Capability
from lamella_adapters.cli.memories.commands import project_option, reported
from lamella_adapters.cli.output import echo
from lamella_adapters.cli.runtime import opened

_OF_MEMORIES = (
    "Removed: the rows with their code changes, their entries in the search index, their vectors, their"
    " words in the context of neighbouring memories,{files} the reason that was noted for the next edits"
    " of their sessions, and their files in a shared folder.\n"
    "Out of reach: {beyond}captures that were set aside because they could not be stored (lamella doctor"
    " counts them), exports, files of `lamella backup FILE`, and copies made by others, such as"
    " transcripts, what git keeps of shared files, snapshots and backups of the disk."
)
_OF_A_CONVERSATION = (
    "Removed: the messages, their entries in the search index, summaries of them, memories that sum the"
    " conversation up, the conversation's name,{files} and what hooks captured in it and was not stored"
    " yet, with the reason noted for its next edits.\n"
    "Out of reach: {beyond}the transcripts that they were imported from, memories that were saved"
    " meanwhile, changes of files, whose reason may be a sentence that was said (erase them by their ids),"
    " exports, files of `lamella backup FILE`, and copies made by others, such as snapshots and backups of"
    " the disk.\n"
    "What is said in that conversation later is imported again."
)
"""Accounts with a line for each paragraph, as terminals differ in width."""

_FILES = " the database's log, backups of lamella's own (replaced by one without them),"
_BEYOND = "bytes in files of the database, such as its log, its backups and space that is not used again yet; "


@click.command(short_help="Delete memories or a conversation for good.")
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option(
    "--session", metavar="SESSION", help="A conversation, by its id, its name or how one of them begins."
)
@click.option("--yes", is_flag=True, help="Don't ask.")
@project_option
def erase(ids: tuple[str, ...], session: str | None, yes: bool, project: str | None) -> None:
    """Delete memories or a conversation for good, in SQLite's files down to the bytes.

    It asks first, and can't be undone.
    """
    if bool(ids) == (session is not None):
        raise click.UsageError("Give the ids of memories, or --session.")
    with opened(project) as (lamella, call):
        report = (
            _erase_memories(lamella, call, ids, yes=yes)
            if session is None
            else _erase_conversation(lamella, call, session, yes=yes)
        )
    echo(report)


def _erase_memories(lamella: Lamella, call: Call, ids: tuple[str, ...], *, yes: bool) -> str:
    found, missing = _found(lamella, call, ids)
    echo("To be erased for good:")
    for observation in found:
        echo(f"  {_described(observation)}")
    for each in missing:
        echo(f"Not found: {printed_line(each)}")
    if not yes:
        _ask()
    # By the full ids of what was shown, whatever has been saved meanwhile.
    outcome = lamella.erase(call, [str(each.id) for each in found])
    removed = _removed(lamella, _OF_MEMORIES)
    return f"{reported(outcome, 'Erased')}\n{removed}"


def _erase_conversation(lamella: Lamella, call: Call, asked: str, *, yes: bool) -> str:
    try:
        session = lamella.read_conversation.find(call, asked)
    except UnknownSessionError:
        # Whoever repeats an erase that could not be finished means its bytes.
        lamella.erase_conversation(call, asked)
        raise
    echo(
        "To be erased for good:\n"
        f"  {printed_line(session.id)} | {printed_line(session.name)}"
        f" | {session.started_at.astimezone():%Y-%m-%d} | {session.messages} message(s)"
    )
    if not yes:
        _ask()
    erased = lamella.erase_conversation(call, session.id)
    removed = _removed(lamella, _OF_A_CONVERSATION)
    return f"Erased {erased} message(s).\n{removed}"


def _found(lamella: Lamella, call: Call, ids: tuple[str, ...]) -> tuple[list[Observation], list[str]]:
    """Return the memories that `ids` mean, and the ids that mean none."""
    resolved = lamella.erase.preview(call, ids)
    for prefix, candidates in resolved.ambiguous.items():
        raise AmbiguousIdError(prefix=prefix, candidates=candidates)
    if not resolved.found:
        # Whoever repeats an erase that could not be finished means its bytes.
        lamella.erase(call, ())
        raise NothingFoundError(asked=", ".join(ids))
    return [hit.observation for hit in resolved.found.values()], resolved.missing


def _removed(lamella: Lamella, account: str) -> str:
    """Return the account of what was removed, which only a storage that erases bytes removes from files too."""
    if Capability.ERASE_BYTES in lamella.storage.capabilities:
        return account.format(files=_FILES, beyond="")
    return account.format(files="", beyond=_BEYOND)


def _described(observation: Observation) -> str:
    purged = " | purged" if observation.purged else ""
    title = printed_line(observation.title) or "untitled"
    return f"{observation.id} | {title} | {observation.created_at.astimezone():%Y-%m-%d}{purged}"


def _ask() -> None:
    if not sys.stdin.isatty():
        raise click.UsageError("Nobody can be asked here; add --yes to erase without a question.")
    if not click.confirm("Erase for good?", err=True):
        echo("Nothing was erased.", err=True)
        raise Exit(1)
