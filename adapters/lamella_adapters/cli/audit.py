"""The commands that show what was changed, and take it back."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any
from uuid import UUID

import click

from lamella.application.audit.log import DEFAULT_ENTRIES, Logged
from lamella.application.audit.undo import Undone
from lamella.application.search.request import SearchRequest
from lamella.container import Lamella
from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.signature import Signature
from lamella.domain.call import USER, Call
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.memories.query import ByIds
from lamella.domain.text.printing import cut, printed_json, printed_line, printed_time
from lamella_adapters.cli.memories.commands import project_option
from lamella_adapters.cli.output import counted, echo, print_rows
from lamella_adapters.cli.runtime import opened

_NAMED = 4
"""Memories that a line names; it counts the others."""

_LEFT_NAMED = 40
"""Memories that were left alone and are named."""

_WHO_CHARACTERS = 16
_OWN_SESSION = "session-"
"""Begins the ids of processes that no conversation has started."""

_BY_HAND = "command line or page"
_PROJECT_CHARACTERS = 30


@click.command(short_help="List what was changed, and by whom.")
@click.option(
    "-n", "limit", type=click.IntRange(1), default=DEFAULT_ENTRIES, show_default=True, help="Most changes."
)
@click.option("--id", "id_", metavar="ID", help="Only changes of this memory.")
@click.option("--json", "as_json", is_flag=True, help="For other programs: one array of JSON.")
@project_option
def log(*, limit: int, id_: str | None, as_json: bool, project: str | None) -> None:
    """List the changes of memories, newest first: purges, restores, erases, edits, imports, merges and splits.

    Each line has its number, time, kind, how many memories it changed, who did it, and some of their ids. Where
    the output is piped, cells are separated by tabs. `lamella undo NUMBER` takes a change back.
    """
    with opened(project) as (lamella, call):
        memory = None if id_ is None else _id_of(lamella, call, id_)
        found = lamella.log(call, limit=limit, memory=memory)
        zone = call.zone
    if as_json:
        click.echo(printed_json([_as_json(each) for each in found]))
        return
    rows = (_cells(each, zone) for each in found)
    print_rows(
        ((cells, _entry(cells)) for cells in rows),
        empty="Nothing was purged, edited, imported or merged yet.",
    )


@click.command(short_help="Take back a change of the log.")
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--dry-run", is_flag=True, help="Change nothing, and say what would be changed.")
@project_option
def undo(*, number: int | None, dry_run: bool, project: str | None) -> None:
    """Take back the latest change, or the one with this NUMBER in the log.

    What was purged is restored, what was restored is purged; after an edit the old memory is back and the new one
    purged; what an import added is purged; a merge is split, and a split merged. What was changed since is left
    alone. Repeated without a number, it goes further back. An undo is a change too: its number takes it back.
    """
    with opened(project) as (lamella, call):
        done = lamella.undo(call, number, dry_run=dry_run)
        zone = call.zone
    echo("\n".join(_report(done, zone, dry_run=dry_run)))


def _id_of(lamella: Lamella, call: Call, given: str) -> UUID:
    """Return the full id of a memory, purged or not.

    Raises:
        NothingFoundError: There is none.
    """
    hits = lamella.search(call, SearchRequest(selector=ByIds((given,)))).hits
    if not hits:
        raise NothingFoundError(asked=given)
    return hits[0].observation.id


def _report(done: Undone, zone: tzinfo, *, dry_run: bool) -> Iterator[str]:
    entry, would = done.entry, "Would undo" if dry_run else "Undid"
    parts = [
        *([f"{counted(len(done.restored), 'memory')} restored"] if done.restored else []),
        *([f"{counted(len(done.purged), 'memory')} purged"] if done.purged else []),
        *([f"{counted(done.moved, 'memory')} moved"] if done.moved is not None else []),
    ]
    kind = f"undo, {entry.action}" if entry.by.undoes else str(entry.action)
    when = f"{entry.by.at.astimezone(zone):%Y-%m-%d %H:%M}"
    yield f"{would} entry {entry.number} ({kind}, {when}): {', '.join(parts)}."
    for reason, ids in (("changed since", done.changed_since), ("purged already", done.already)):
        if ids:
            more = f" and {len(ids) - _LEFT_NAMED} more" if len(ids) > _LEFT_NAMED else ""
            yield f"Left alone, as {reason}: {', '.join(map(_short, ids[:_LEFT_NAMED]))}{more}"
    if done.gone:
        yield f"Not in this project any more: {counted(done.gone, 'memory')}."
    if done.number is not None:
        yield f"To take this back: lamella undo {done.number}"


def _cells(each: Logged, zone: tzinfo) -> Sequence[str]:
    entry = each.entry
    by = entry.by
    return (
        str(entry.number),
        f"{by.at.astimezone(zone):%Y-%m-%d %H:%M}",
        str(entry.action),
        str(entry.count),
        _cut(f"{by.author} ({by.actor})" if by.author else by.actor, _WHO_CHARACTERS),
        _session(by),
        ", ".join(_about(each)),
    )


def _session(by: Signature) -> str:
    session = by.session or ""
    if by.actor == USER and session.startswith(_OWN_SESSION):
        return _BY_HAND
    return _cut(session.removeprefix(_OWN_SESSION), SHORT_ID_CHARACTERS)


def _entry(cells: Sequence[str]) -> str:
    number, when, action, count, who, session, about = cells
    within = f", {session if session == _BY_HAND else f'session {session}'}" if session else ""
    below = f"\n       {about}" if about else ""
    return f"{number:>5}  {when}  {action:<7} {count:>6}  {who}{within}{below}"


def _about(each: Logged) -> Iterator[str]:
    """Yield what undid a change, and which memories or projects it was of."""
    entry = each.entry
    if each.undone_by is not None:
        yield f"undone by {each.undone_by}"
    if each.undoes is not None:
        yield f"undoes {each.undoes}"
    if entry.old is not None:
        way = "into" if entry.action is Action.MERGE else "from"
        yield f"{_cut(entry.old, _PROJECT_CHARACTERS)} {way} {_cut(entry.new or '', _PROJECT_CHARACTERS)}"
    if ids := entry.memories:
        more = f" +{len(ids) - _NAMED}" if len(ids) > _NAMED else ""
        yield f"{' '.join(map(_short, ids[:_NAMED]))}{more}"


def _cut(text: str, most: int) -> str:
    line = printed_line(text)
    return line if len(line) <= most else cut(line, most - 1) + "…"


def _short(id: UUID) -> str:
    return id.hex[:SHORT_ID_CHARACTERS]


def _as_json(each: Logged) -> dict[str, Any]:
    entry: Entry = each.entry
    return {
        "number": entry.number,
        "id": str(entry.id),
        "at": printed_time(entry.by.at),
        "action": entry.action.value,
        "count": entry.count,
        "actor": entry.by.actor,
        "author": entry.by.author,
        "session": entry.by.session,
        "added": [str(id) for id in entry.added],
        "purged": [str(id) for id in entry.purged],
        "restored": [str(id) for id in entry.restored],
        "old": entry.old,
        "new": entry.new,
        "undoes": each.undoes,
        "undone_by": each.undone_by,
    }
