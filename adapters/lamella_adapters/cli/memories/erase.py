"""The command that deletes memories permanently."""

import click

from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.conversations.errors import UnknownSessionError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import counted, printed_line
from lamella.ports.storage.storage import Capability
from lamella_adapters.cli.memories.commands import reported
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import ask, echo
from lamella_adapters.cli.runtime import opened
from lamella_adapters.process.tables import table

_REMOVED = table(__file__, "erased")


@click.command(short_help="Delete memories or a conversation for good.")
@click.argument("ids", metavar="[ID...]", nargs=-1)
@options("erase")
def erase(ids: tuple[str, ...], session: str | None, yes: bool, project: str | None) -> None:
    """Delete memories or a conversation for good.

    Asks first, and can't be undone. In SQLite's files, the bytes are overwritten too.
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
        ask("Erase for good?", "Nothing was erased.")
    # Pass on the full ids of the displayed memories, because later saves can make short ids ambiguous.
    outcome = lamella.erase(call, [str(each.id) for each in found])
    return f"{reported(outcome, 'Erased')}\n{_removed(lamella, 'memories')}"


def _erase_conversation(lamella: Lamella, call: Call, asked: str, *, yes: bool) -> str:
    try:
        session = lamella.read_conversation.find(call, asked)
    except UnknownSessionError:
        # An interrupted erase may have deleted the rows but left bytes. Repeating the erase removes them.
        lamella.erase_conversation(call, asked)
        raise
    echo(
        "To be erased for good:\n"
        f"  {printed_line(session.id)} | {printed_line(session.name)}"
        f" | {session.started_at.astimezone():%Y-%m-%d} | {counted(session.messages, 'message')}"
    )
    if not yes:
        ask("Erase for good?", "Nothing was erased.")
    erased = lamella.erase_conversation(call, session.id)
    return f"Erased {counted(erased, 'message')}.\n{_removed(lamella, 'conversation')}"


def _found(lamella: Lamella, call: Call, ids: tuple[str, ...]) -> tuple[list[Observation], list[str]]:
    """Return the memories with `ids`, and the unknown ids."""
    resolved = lamella.erase.preview(call, ids)
    resolved.require_unambiguous()
    if not resolved.found:
        # An interrupted erase may have deleted the rows but left bytes. Repeating the erase removes them.
        lamella.erase(call, ())
        raise NothingFoundError(asked=", ".join(ids), by_id=True)
    return [hit.observation for hit in resolved.found.values()], resolved.missing


def _removed(lamella: Lamella, what: str) -> str:
    """Return a report about erased memories or an erased conversation."""
    erases = Capability.ERASE_BYTES in lamella.storage.capabilities
    files, beyond = (_REMOVED["files"], "") if erases else ("", _REMOVED["beyond"])
    return str(_REMOVED[what]).format(files=files, beyond=beyond)


def _described(observation: Observation) -> str:
    purged = " | purged" if observation.purged else ""
    title = printed_line(observation.title) or "untitled"
    return f"{observation.id} | {title} | {observation.created_at.astimezone():%Y-%m-%d}{purged}"
