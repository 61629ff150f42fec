"""The commands that save, find, purge and restore memories."""

import os
import re
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from shlex import quote
from typing import Any

import click

from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.application.memories.save import DEFAULT_SOURCE, SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.errors import AdvisedError, InvalidValueError
from lamella.domain.memories.errors import NoneChangedError, NothingFoundError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_QUERY_CHARACTERS,
    ById,
    ByIds,
    ByText,
    ByTitle,
    Filters,
    Mode,
    Recent,
    Selector,
    days,
)
from lamella.domain.replies.hints import Hints
from lamella.domain.replies.views import Detail
from lamella.domain.text.printing import one_line
from lamella_adapters.cli.memories.stdin import from_stdin
from lamella_adapters.cli.output import echo
from lamella_adapters.cli.runtime import Day, from_here, opened, present_directory

_Command = Callable[..., Any]

_STDIN = "-"
_HEADING = "[n] id | title | score: 1 is best | what it says | saved"
"""Heads the lines of a compact list on a terminal."""

_ID = re.compile(r"[0-9a-fA-F-]{6,36}")
"""A query that may be an id, and hardly a word."""

project_option = click.option(
    "--project", metavar="PROJECT", help="Another project than this folder's: its id, alias or name."
)


def _short(context: click.Context, parameter: click.Parameter, given: str | Sequence[str] | None) -> str | None:
    """Return what was given, as one text; None if that is blank."""
    del context, parameter
    text = given if given is None or isinstance(given, str) else " ".join(given)
    if text is not None and len(text) > MAX_QUERY_CHARACTERS:
        raise click.BadParameter(f"at most {MAX_QUERY_CHARACTERS} characters, not {len(text)}.")
    return text if text and text.strip() else None


def _choice(name: str, default: Detail | Mode, help: str) -> Callable[[_Command], _Command]:
    """Return an option that is one of the values of an enumeration."""
    values = [each.value for each in type(default)]
    return click.option(name, type=click.Choice(values), default=default.value, show_default=True, help=help)


@click.command()
@click.argument("words", metavar="TEXT...", nargs=-1, required=True)
@click.option("--title", default="", help="Short title; made from the text if omitted.")
@click.option(
    "--source", default=DEFAULT_SOURCE, show_default=True, help="Where it comes from; 'decision' marks a decision."
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    help="A file it is about; repeat it for more. Its changed lines are kept too.",
)
@click.option("--replaces", metavar="ID", multiple=True, help="A memory that this one corrects; repeat it.")
@click.option("--everywhere", is_flag=True, help="It holds in every project of yours, like a preference.")
@project_option
def save(*, words: tuple[str, ...], paths: tuple[str, ...], project: str | None, **given: Any) -> None:
    """Save TEXT as a memory; - reads it from stdin."""
    request = SaveRequest(
        text=from_stdin() if words == (_STDIN,) else " ".join(words),
        # pathlib would drop the `//` of an address before its password is recognised.
        paths=[os.path.join(present_directory(), path) for path in paths],  # noqa: PTH118
        **given,
    )
    with opened(project) as (lamella, call):
        saved = lamella.save(call, request)
    echo("\n".join(saved.report()))


@click.command(short_help="Correct a memory in your editor.")
@click.argument("id_", metavar="ID")
@project_option
def edit(id_: str, project: str | None) -> None:
    """Correct a memory in your editor: what you write takes its place.

    The first line is the title, the text follows. VISUAL or EDITOR names the editor.
    """
    editor = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    if not editor:
        raise AdvisedError(reason="No editor is set.", advice="Set EDITOR, such as: EDITOR=nano lamella edit ID")
    with opened(project) as (lamella, call):
        hits = lamella.search(call, SearchRequest(selector=ById(id_))).hits
    if not hits:
        raise NothingFoundError(asked=id_)
    old = hits[0].observation
    if old.kind is not Kind.NOTE:
        raise InvalidValueError(name="ID", given=f"that of a {old.kind}", allowed="the id of a note or a decision")
    # Its file is private, and removed when the editor has ended.
    before = "\n\n".join((one_line(old.title), old.content.strip()))
    written = click.edit(before + "\n", editor=editor, extension=".md", require_save=False) or ""
    title, _, text = written.partition("\n")
    if not text.strip():
        echo("The text is empty: nothing was changed.")
        return
    with opened(project) as (lamella, call):
        saved = lamella.edit(call, hits[0], title=title, text=text)
    echo("Unchanged: nothing was saved." if saved is None else "\n".join(saved.report()))


@click.command(short_help="Find memories by words, meaning, id or title.")
@click.argument("query", metavar="[QUERY...]", nargs=-1, callback=_short)
@click.option("--id", "id_", metavar="ID", callback=_short, help="One memory, by its id or the beginning of it.")
@click.option("--title", metavar="PART", callback=_short, help="Those with this in their title.")
@click.option("--ids", metavar="ID", multiple=True, help="These, purged or not; repeat it, or put commas between.")
@_choice("--detail", Detail.COMPACT, "How much of each to show.")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1, MAX_LIMIT),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="Most results; not for --ids.",
)
@_choice(
    "--mode",
    Mode.AUTO,
    "How to search for QUERY: by its words, by its meaning, or both where there is an embedder.",
)
@click.option("--include-purged", is_flag=True, help="Purged memories too.")
@click.option("--days-back", metavar="N", type=click.IntRange(min=1), help="Only the last N days.")
@click.option("--session-only", is_flag=True, help="Only the present session.")
@click.option("--path", metavar="PATH", callback=_short, help="Only about this file or folder.")
@click.option("--kind", type=click.Choice([each.value for each in Kind]), help="Only of this kind.")
@click.option("--source", metavar="NAME", help="Only from this source, such as 'decision'.")
@click.option("--author", metavar="NAME", help="Only saved by this person or program.")
@click.option("--since", metavar="DATE", type=Day(), help="Only of this day, such as 2026-01-31, or later.")
@click.option("--until", metavar="DATE", type=Day(), help="Only of this day or earlier.")
@click.option(
    "--messages", "include_messages", is_flag=True, help="What was said in conversations too, after the memories."
)
@click.option("--cursor", help="Go on where a truncated answer stopped; repeat the call with it.")
@project_option
def recall(
    *,
    query: str | None,
    id_: str | None,
    title: str | None,
    ids: tuple[str, ...],
    detail: str,
    mode: str,
    days_back: int | None,
    session_only: bool,
    path: str | None,
    kind: str | None,
    source: str | None,
    author: str | None,
    since: datetime | None,
    until: datetime | None,
    project: str | None,
    **given: Any,
) -> None:
    """Find memories by the words and meaning of QUERY, by id or by title; without any, show the most recent."""
    selector = _selector(query, id_, title, ids, Mode(mode))
    with opened(project) as (lamella, call):
        begin, end = days(since and since.date(), until and until.date(), call.zone)
        request = RecallRequest(
            selector=selector,
            filters=Filters(
                days_back=days_back,
                session=call.session if session_only else None,
                path=path and from_here(path),
                kind=Kind(kind) if kind else None,
                source=source,
                author=author,
                since=begin,
                until=end,
            ),
            detail=Detail(detail),
            hints=_hints(project),
            **given,
        )
        try:
            reply = lamella.recall(call, request)
        except NothingFoundError as error:
            if query is None or not _is_of_a_memory(lamella, call, query):
                raise
            advice = f"A memory has that id: lamella recall --id {query}"
            raise AdvisedError(reason=str(error).partition(". ")[0] + ".", advice=advice) from error
    if reply.startswith("[") and sys.stdout.isatty():
        echo(click.style(_HEADING, bold=True))
    echo(reply, indent=0 if detail == Detail.FULL else 4)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@project_option
def purge(ids: tuple[str, ...], project: str | None) -> None:
    """Take memories out of search, until they are restored."""
    with opened(project) as (lamella, call):
        echo(reported(lamella.purge(call, ids), "Purged"))


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@project_option
def restore(ids: tuple[str, ...], project: str | None) -> None:
    """Put purged memories back."""
    with opened(project) as (lamella, call):
        echo(reported(lamella.restore(call, ids), "Restored"))


def _hints(project: str | None) -> Hints:
    named = f" --project {quote(project)}" if project else ""
    return Hints(
        save=f"Save one with: lamella save TEXT{named}",
        restore=f"lamella restore {{id}}{named}",
        full=f"lamella recall --id ID --detail full{named} shows all of one",
        next="next: --cursor {cursor}",
        tokens=False,
    )


def reported(outcome: StatusChangeOutcome, done: str) -> str:
    """Return what was `done` (such as `Purged`), and what failed.

    Raises:
        NoneChangedError: Nothing was changed.
    """
    report = "\n".join(outcome.report(done))
    if not outcome.changed:
        raise NoneChangedError(reply=report)
    return report


def _selector(query: str | None, id_: str | None, title: str | None, ids: tuple[str, ...], mode: Mode) -> Selector:
    listed = tuple(each for part in ids for each in part.split(",") if each.strip())
    given: list[Selector] = []
    if listed:
        given.append(ByIds(listed))
    if id_:
        given.append(ById(id_))
    if query:
        given.append(ByText(query, mode))
    if title:
        given.append(ByTitle(title))
    if len(given) > 1:
        raise click.UsageError("Give only one of QUERY, --id, --title and --ids.")
    if len(listed) > MAX_LIMIT:
        raise click.UsageError(f"Give at most {MAX_LIMIT} ids.")
    return given[0] if given else Recent()


def _is_of_a_memory(lamella: Lamella, call: Call, query: str) -> bool:
    """Return True if a query is the id of a memory, or begins one."""
    asked = SearchRequest(selector=ByIds((query,)))
    return bool(_ID.fullmatch(query) and lamella.search(call, asked).hits)
