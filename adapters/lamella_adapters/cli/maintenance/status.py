"""The command that shows the contents of a project, and the activity of hooks."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import click
from attrs import asdict

from lamella.application.maintenance.status import BackedUp, Status, Tally
from lamella.domain.conversations.errors import NOT_SHARED
from lamella.domain.embeddings.vector import is_retired
from lamella.domain.memories.observation import Kind
from lamella.domain.text.printing import counted, cut, printed_line
from lamella.ports.spool import SpoolState
from lamella.ports.storage.diagnosis import Space
from lamella_adapters.cli.maintenance.model import OFFER, offered
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json, minute, printed_size
from lamella_adapters.cli.runtime import opened

_REASONS = 6
"""Maximum number of reasons to list. The others are counted together."""

_NAME_CHARACTERS = 60
"""Maximum number of characters to print of a session's name or of a reason."""

_UNSEEN = "none has run yet. They run in new sessions of connected clients. To connect clients, or to check:"
_SETUP = "lamella setup; lamella doctor"
_SEEN = "have run. To list the clients connected now: lamella doctor"

_UNREAD = "Hooks can't read this storage: they capture, but show no memories and warn of nothing."

_SWITCH_ON = "nothing is kept or shown here. Switch it on: lamella project on"

_GONE = "Its files are gone or moved. To keep or purge"

_FACT_COLUMNS = 12

_LEAST_BYTES = 50_000
"""Minimum size in bytes of a kind of content that gets its own line."""

_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60))


@click.command(short_help="Show memories, and what hooks captured, showed and skipped.")
@options("status")
def status(*, as_json: bool, project: str | None) -> None:
    """Show the memories of this project, and what hooks captured, showed and skipped.

    Like every command, first store pending captures of hooks.

    \b
    Keys of --json:
      project          {id, name}, or null where nothing is saved yet
      moved            the project that may have moved here, or null
      off_since        when memory was switched off here, or null
      place            the folder or database with the memories
      memories         {live, purged}, each {note, change, summary}
      captured         {changes, messages, summaries}, each {today, week, total};
                       changes are edits, and commits learned from git
      sessions         number of conversations
      keeps_conversations
                       whether conversations are captured
      injected         in 7 days: {times, tokens, sessions}; the latest five
                       sessions, each {session, name, times, tokens, latest}
      skipped          in 7 days: number by reason
      spool            of all projects: {waiting, bytes, oldest, unfinished,
                       newer, aside}
      hooks_seen       whether any hook has run
      embedder         name of the embedder, or null
      embedded         {model, embedded, total}, or null
      backups          {copies, bytes, latest, trouble}, or null
      space            bytes: {memories, edits, conversations, vectors,
                       indexes, free, other, backups}
      shared           the folder in which notes are shared, or null
      shared_waiting   number of memories to purge once confirmed, because
                       all files of that folder are gone
    """  # noqa: D301 - click doesn't wrap lines after `\b`
    with opened(project) as (lamella, call):
        found = lamella.status(call)
        named = partial(lamella.overview.named, call)
        names = [each.session and named(each.session, each.name or "", each.latest) for each in found.given]
    if as_json:
        echo_json(_as_json(found))
    else:
        echo("\n".join(_lines(found, names, datetime.now(UTC))), indent=_FACT_COLUMNS)


def _lines(found: Status, names: Sequence[str | None], now: datetime) -> Iterator[str]:
    off = found.project and found.project.off_since
    facts: tuple[tuple[str, object], ...] = (
        ("project", printed_line(found.project.name) if found.project else "nothing is saved here yet"),
        ("", found.moved),
        ("memory", off and f"off since {minute(off)}; {_SWITCH_ON}"),
        ("place", printed_line(found.place)),
        ("memories", f"{_kinds(found.live)}; purged: {_kinds(found.purged)}"),
        ("messages", f"{found.messages.total:,} in {counted(found.sessions, 'session')}"),
        ("", not found.keeps_conversations and f"{NOT_SHARED}."),
        ("embedder", printed_line(found.embedder or "none; memories are found by their words")),
        ("", _embedded(found)),
        *[("", each) for each in ([OFFER, *offered()] if found.lacks_embedder else ())],
        ("shared", found.shared and printed_line(found.shared)),
        ("", found.shared_waiting and f"{_GONE} {counted(found.shared_waiting, 'memory')}: lamella share"),
        ("hooks", _SEEN if found.hooked else _UNSEEN),
        ("", not found.hooked and _SETUP),
        ("", not found.hook_reads and _UNREAD),
        ("", found.copied_at and f"They read a copy, up to date at {minute(found.copied_at)}."),
        ("spool", _spooled(found.spool, now)),
        ("backups", found.backups and _backed_up(found.backups)),
        ("space", found.space and _spaced(found.space)),
    )
    yield from (f"{name:<{_FACT_COLUMNS}}{value}" for name, value in facts if value and isinstance(value, str))
    yield ""
    yield f"{'captured or learned':<20}{'today':>9}{'7 days':>9}{'in all':>9}"
    for what, tally in _captured(found).items():
        yield f"  {what:<18}{tally.today:>9,}{tally.week:>9,}{tally.total:>9,}"
    yield ""
    yield f"injected in 7 days: {counted(found.times, 'time')}, {counted(found.tokens, 'token')}"
    for each, name in zip(found.given, names, strict=True):
        yield f"  {each.times:>7,} x {each.tokens:>9,} tokens  {_short(name or 'a session without an id')}"
    yield f"skipped in 7 days: {counted(sum(found.skipped.values()), 'time')}"
    yield from _reasons(found.skipped)


def _embedded(found: Status) -> str | None:
    if found.vectors is None:
        return None
    model, coverage = found.vectors
    embedded = f"{coverage.embedded:,} of {coverage.total:,} memories embedded by {model.name}"
    gone = ", which is no longer offered; " + (
        "the next search embeds them again" if found.embedder else "words alone are searched"
    )
    return embedded + gone * is_retired(model.name)


def _backed_up(found: BackedUp) -> str:
    latest = f", the latest of {minute(found.latest)}" if found.latest else ""
    copies = f"{counted(found.copies, 'copy')}{latest}" if found.copies else "none yet"
    return f"{copies}; the last attempt failed: {printed_line(found.trouble)}" if found.trouble else copies


def _spaced(space: Mapping[Space, int]) -> str:
    total = sum(space.values())
    shown: dict[Space, int] = {
        each: size for each, size in space.items() if size >= _LEAST_BYTES and each is not Space.OTHER
    }
    if shown:
        shown[Space.OTHER] = total - sum(shown.values())
    sizes = [f"{each.value} {printed_size(size)}" for each, size in shown.items() if size]
    return printed_size(total) + (f": {', '.join(sizes)}" if sizes else "")


def _kinds(found: Mapping[Kind, int]) -> str:
    return ", ".join(counted(found[kind], kind.value) for kind in Kind if found.get(kind)) or "none"


def _captured(found: Status) -> Mapping[str, Tally]:
    return {
        "changes": found.captured[Kind.CHANGE],
        "messages": found.messages,
        "summaries": found.captured[Kind.SUMMARY],
    }


def _short(text: str) -> str:
    line = printed_line(text)
    return line if len(line) <= _NAME_CHARACTERS else cut(line, _NAME_CHARACTERS) + "…"


def _reasons(skipped: Mapping[str, int]) -> Iterator[str]:
    reasons = list(skipped.items())
    for reason, count in reasons[:_REASONS]:
        yield f"  {count:>7,} x {_short(reason)}"
    if rest := reasons[_REASONS:]:
        yield f"  {sum(count for _, count in rest):>7,} x for {counted(len(rest), 'other reason')}"


def _spooled(state: SpoolState, now: datetime) -> str:
    """Return a text about the pending captures of all projects, and about captures that can't be stored."""
    parts = ["nothing waits"]
    if state.waiting:
        size = f"{max(1, round(state.size / 1024)):,} kB"
        parts = [
            f"{counted(state.waiting, 'capture')} of all projects waiting ({size}), the oldest {_age(state, now)}"
        ]
    odd = {
        "cut off or still being written": state.unfinished,
        "for a newer lamella": state.newer,
        "unreadable and set aside": state.aside,
    }
    return "; ".join([*parts, *(f"{count:,} {what}" for what, count in odd.items() if count)])


def _age(state: SpoolState, now: datetime) -> str:
    seconds = max(0, round((now - (state.oldest or now)).total_seconds()))
    for unit, long in _UNITS:
        if seconds >= long:
            return f"for {seconds // long} {unit}"
    return f"for {seconds} s"


def _as_json(found: Status) -> Mapping[str, Any]:
    project = found.project
    return {
        "project": project and {"id": project.id, "name": project.name},
        "moved": found.moved or None,
        "off_since": project and project.off_since,
        "place": found.place,
        "memories": {
            name: {kind: kinds.get(kind, 0) for kind in Kind}
            for name, kinds in (("live", found.live), ("purged", found.purged))
        },
        "captured": _captured(found),
        "sessions": found.sessions,
        "keeps_conversations": found.keeps_conversations,
        "injected": {"times": found.times, "tokens": found.tokens, "sessions": found.given},
        "skipped": found.skipped,
        "spool": _fields(found.spool),
        "hooks_seen": found.hooked,
        "embedder": found.embedder,
        "embedded": found.vectors and {"model": found.vectors[0].name, **asdict(found.vectors[1])},
        "backups": found.backups and _fields(found.backups),
        "space": found.space,
        "shared": found.shared,
        "shared_waiting": found.shared_waiting,
    }


def _fields(facts: SpoolState | BackedUp) -> Mapping[str, Any]:
    fields = asdict(facts, recurse=False)
    return {"bytes" if name == "size" else name: each for name, each in fields.items() if name != "hooked"}
