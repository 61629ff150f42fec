"""Commands to list changes and to undo them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Any
from uuid import UUID

import click
from attrs import evolve

from lamella.application.audit.log import DEFAULT_ENTRIES, Logged
from lamella.application.audit.undo import Undone
from lamella.domain.audit.entry import Action, AuditEntry, Signature, entry_name, named_entry
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.call import USER
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.text.printing import counted, cut, printed_line
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json, minute, print_rows
from lamella_adapters.cli.runtime import opened, project_option
from lamella_adapters.process.commands import unsynced

_NAMED = 4
"""Maximum number of memories to show in an entry of the log. Further memories are counted."""

_LEFT_NAMED = 40
"""Maximum number of memories to name in each list that an undo prints."""

_TITLE_CHARACTERS = 60

_WHO_CHARACTERS = 16
_OWN_SESSION = "session-"
"""Prefix of a session id that lamella generated, because no client named a session."""

_BY_HAND = "command line or page"
_PROJECT_CHARACTERS = 30


@click.command(short_help="List changes of memories, and their authors.")
@options("log", n={"type": click.IntRange(1), "default": DEFAULT_ENTRIES})
def log(*, limit: int, access: bool, id_: str | None, as_json: bool, project: str | None) -> None:
    """List changes of memories, newest first: purges, restores, erases, edits, imports, merges, splits, keeps.

    Each entry shows its number, time, kind, number of changed memories, author, and some titles: + for live and -
    for purged memories. A number such as e3 belongs to global memories. Piped output is separated by tabs.
    `lamella undo NUMBER` takes a change back; an undo is an entry too.
    """
    if access:
        _show_access(limit, as_json=as_json)
        return
    with opened(project) as (lamella, call):
        memory = None if id_ is None else lamella.find_one(call, id_).observation.id
        found = lamella.log(call, limit=limit, memory=memory, titles=_NAMED)
        zone = call.zone
    if as_json:
        echo_json([_as_json(each) for each in found])
        return
    entries = (_cells(each, zone) for each in found)
    rows = (([each.replace("\n", "; ") for each in cells], _entry(cells)) for cells in entries)
    print_rows(rows, empty="Nothing was purged, edited, imported or merged yet.")


def _show_access(limit: int, *, as_json: bool) -> None:
    """Print the events of access tokens, such as creations and revocations, newest first."""
    with opened(drain=False) as (lamella, _):
        found = lamella.storage.access_tokens.events(lamella.storage.tenant, limit=limit)
    if as_json:
        echo_json(found)
        return
    texts = ((minute(each.at), each.action, each.about, each.by, each.origin) for each in found)
    entries = (tuple(map(printed_line, each)) for each in texts)
    rows = ((cells, "{}  {}: {}, by {} from {}".format(*cells)) for cells in entries)
    print_rows(rows, empty="No token was made yet. Make one: lamella token create --name NAME")


@click.command(short_help="Take back a change.")
@click.argument("number", callback=lambda _context, _parameter, given: _number(given), required=False)
@options("undo", after={"callback": lambda _context, _parameter, given: _number(given)})
def undo(
    *, number: tuple[int | None, bool], after: tuple[int | None, bool], dry_run: bool, project: str | None
) -> None:
    """Take back the latest change in effect, or the change NUMBER of the log.

    An undo restores purged memories, purges restored ones, brings back the old memory of an edit, purges imported
    memories, reverses merges and splits, and removes the marks of memories kept in a review. It doesn't change
    memories that were changed since. Without a number, repeat the command to go further back. It stops at an
    erase, because an erase can't be undone. An undo is an entry of the log too, and can be undone by its number.
    """
    asked, everywhere = number
    last, of_all = after
    if last is not None and asked is not None:
        raise click.UsageError("Give NUMBER or --after, not both.")
    done: list[Undone] = []
    named = project_option(project)
    with opened(project) as (lamella, call):
        try:
            if last is None:
                accounts = iter([lamella.undo(call, asked, everywhere=everywhere, dry_run=dry_run)])
            else:
                accounts = lamella.undo.after(call, last, everywhere=of_all, dry_run=dry_run)
            for each in accounts:
                done.append(each)
                ids = (*each.restored, *each.purged, *each.changed_since, *each.already)
                titles = lamella.log.titles(call, ids, everywhere=each.everywhere)
                echo("\n".join(_report(each, titles, call.zone, named, dry_run=dry_run)))
                if not dry_run and (left := unsynced(lamella, each.entry.old or "")):
                    echo(": ".join(left))
        except NotUndoableError as error:
            raise evolve(error, commands=[each + named for each in error.commands]) from error
        finally:
            # Print the commands that reverse this, even if a later step was refused: the earlier steps stay done.
            if done and not dry_run:
                echo("\n".join(_way_back(done, named)))
    if last is not None and not done:
        echo(f"No change after entry {entry_name(last, everywhere=of_all)} is in effect.")
    elif last is not None and dry_run and done[-1].moved is not None:
        echo("Then any older changes would be undone, back to the latest erase.")


def _way_back(undos: Sequence[Undone], named: str) -> Iterator[str]:
    """Yield the commands that reverse some undos.

    Args:
        undos: Executed undos, in the order of execution.
        named: Project option at the end of each command.
    """
    back = [each for each in reversed(undos) if each.number is not None]
    order = ", the last one first" if len(back) > 1 else ""
    for place, each in enumerate(back):
        start = "  " if place else f"To take this back{order}: "
        yield f"{start}lamella undo {each.name(each.number or 0)}{named}"
        if each.moved is not None and back[place + 1 :]:
            yield f"Then {counted(len(back) - place - 1, 'more undo')}, with new numbers: lamella log{named}"
            return


def _number(given: str | None) -> tuple[int | None, bool]:
    """Parse the number of an entry, such as `3` or `e3`. Return it, and True for an entry of global memories.

    Raises:
        click.BadParameter: The text isn't an entry's number.
    """
    if given is None:
        return None, False
    named = named_entry(given)
    if named is None:
        raise click.BadParameter(f"{given!r} is not a number of the log, such as 3 or e3.")
    return named


def _report(done: Undone, titles: Mapping[UUID, str], zone: tzinfo, named: str, *, dry_run: bool) -> Iterator[str]:
    entry, would = done.entry, "Would undo" if dry_run else "Undid"
    back, away = ("kept again", "no longer kept") if entry.action is Action.KEEP else ("restored", "purged")
    parts = [
        *([f"{counted(len(done.restored), 'memory')} {back}"] if done.restored else []),
        *([f"{counted(len(done.purged), 'memory')} {away}"] if done.purged else []),
        *([f"{counted(done.moved, 'memory')} moved"] if done.moved is not None else []),
    ]
    # The undo of an import with edits is recorded as an edit, too.
    exact = "undo" if entry.action is Action.EDIT else f"undo, {entry.action}"
    kind = exact if entry.by.undoes else str(entry.action)
    where = ", everywhere" if done.everywhere else ""
    when = f"{entry.by.at.astimezone(zone):%Y-%m-%d %H:%M}"
    yield f"{would} entry {done.name(entry.number)} ({kind}{where}, {when}): {', '.join(parts)}."
    for sign, ids in (("+", done.restored), (_sign(entry), done.purged)):
        yield from (f"  {each}" for each in _named(ids, sign, titles, _LEFT_NAMED))
    for reason, ids in (("changed since", done.changed_since), ("purged already", done.already)):
        if ids:
            yield f"Left alone, as {reason}:"
            yield from (f"  {each}" for each in _named(ids, "=", titles, _LEFT_NAMED))
    if done.moved not in (None, entry.count):
        since = "Later, memories were added, corrected or erased."
        yield f"The {entry.action} moved {counted(entry.count, 'memory')}. {since}"
    if done.gone:
        yield f"No longer in this project: {counted(done.gone, 'memory')}."
    if done.rest:
        project, kept = done.rest
        rest = "Its later changes are in its own log now. To take them back:"
        yield f"{printed_line(project)}: {rest} lamella undo --after {kept}{project_option(project)}"
    if done.also:
        also = f"The same command's entry {done.also} is also in effect."
        yield f"{also} To undo it: lamella undo {done.also}{named}"


def _named(
    ids: Sequence[UUID], sign: str, titles: Mapping[UUID, str], most: int, *, away: Collection[UUID] = ()
) -> Iterator[str]:
    """Yield a line for each of `most` memories: sign, short id and title. Memories in `away` get the sign `-`."""
    for id in ids[:most]:
        title = _cut(titles.get(id, ""), _TITLE_CHARACTERS)
        yield f"{'-' if id in away else sign} {id.hex[:SHORT_ID_CHARACTERS]} {title}".rstrip()
    if len(ids) > most:
        yield f"{sign} {len(ids) - most:,} more"


def _cells(each: Logged, zone: tzinfo) -> Sequence[str]:
    entry = each.entry
    by = entry.by
    return (
        each.name,
        f"{by.at.astimezone(zone):%Y-%m-%d %H:%M}",
        "undo" if by.undoes else str(entry.action),
        str(entry.count),
        _cut(f"{by.author} ({by.actor})" if by.author else by.actor, _WHO_CHARACTERS),
        _session(by),
        "\n".join(_about(each)),
    )


def _session(by: Signature) -> str:
    session = by.session or ""
    if by.actor == USER and session.startswith(_OWN_SESSION):
        return _BY_HAND
    return _cut(session.removeprefix(_OWN_SESSION), SHORT_ID_CHARACTERS)


def _entry(cells: Sequence[str]) -> str:
    number, when, action, count, who, session, about = cells
    within = f", {session if session == _BY_HAND else f'session {session}'}" if session else ""
    below = "".join(f"\n       {line}" for line in about.splitlines())
    return f"{number:>5}  {when}  {action:<7} {count:>6}  {who}{within}{below}"


def _about(each: Logged) -> Iterator[str]:
    """Yield the lines below an entry: its relation to other entries, the merged projects, and the memories."""
    entry = each.entry
    notes = (
        "everywhere" if each.everywhere else "",
        f"undone by {each.named(each.undone_by)}" if each.undone_by else "",
        f"undoes {each.named(each.undoes)}" if each.undoes else "",
    )
    if any(notes):
        yield ", ".join(filter(None, notes))
    if entry.old is not None:
        way = "into" if entry.action is Action.MERGE else "from"
        yield f"{_cut(entry.old, _PROJECT_CHARACTERS)} {way} {_cut(entry.new or '', _PROJECT_CHARACTERS)}"
    live = (*entry.added, *entry.restored)
    most = _NAMED // 2 if live and entry.purged else _NAMED
    yield from _named(live, "+", each.titles, most, away=each.arrived_purged)
    yield from _named(entry.purged, _sign(entry), each.titles, most)


def _sign(entry: AuditEntry) -> str:
    """Return the sign for the memories of `purged`. Memories that are no longer kept are live."""
    return "+" if entry.action is Action.KEEP else "-"


def _cut(text: str, most: int) -> str:
    line = printed_line(text)
    return line if len(line) <= most else cut(line, most - 1) + "…"


def _as_json(each: Logged) -> dict[str, Any]:
    entry = each.entry
    return {
        "number": entry.number,
        "everywhere": each.everywhere,
        "id": entry.id,
        "at": entry.by.at,
        "action": entry.action,
        "count": entry.count,
        **{name: getattr(entry.by, name) for name in ("actor", "author", "session")},
        **{name: getattr(entry, name) for name in ("added", "purged", "restored", "old", "new")},
        "undoes": each.undoes,
        "undone_by": each.undone_by,
        "titles": {id: each.titles[id] for id in entry.memories if id in each.titles},
    }
