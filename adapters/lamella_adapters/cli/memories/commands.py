"""The commands that save, find, purge and restore memories."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.application.memories.save import DEFAULT_SOURCE, MAX_TEXT_CHARACTERS, SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.conversations.query import MessageHit
from lamella.domain.errors import AdvisedError, InvalidValueError
from lamella.domain.memories import limits
from lamella.domain.memories import query as queries
from lamella.domain.memories.errors import NoneChangedError, NothingFoundError
from lamella.domain.memories.kind import Kind
from lamella.domain.replies.hints import Hints
from lamella.domain.replies.views import Detail
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json
from lamella_adapters.cli.runtime import decoded, from_here, opened, present_directory, project_option

_MAX_BYTES = 1024 * 1024
"""Maximum number of bytes to read from a pipe: far more than a memory may have, in any script."""
_HEADING = "[n] id | title | score: 1 is best | what it says | saved"
"""Heading of a compact list on a terminal."""

_ID = re.compile(r"[0-9a-fA-F-]{6,36}")
"""Pattern of a query that is probably an id, not a word."""


def _short(_context: click.Context, _parameter: click.Parameter, given: str | Sequence[str] | None) -> str | None:
    """Join the words of an argument or option; None if it is blank."""
    text = given if given is None or isinstance(given, str) else " ".join(given)
    if text is not None and len(text) > limits.MAX_QUERY_CHARACTERS:
        raise click.BadParameter(f"at most {limits.MAX_QUERY_CHARACTERS} characters, not {len(text)}.")
    return text if text and text.strip() else None


def _from_stdin() -> str:
    """Return piped text.

    Raises:
        InvalidValueError: The text is too long, or isn't UTF-8.
    """
    piped = sys.stdin.buffer.read(_MAX_BYTES + 1)
    if len(piped) > _MAX_BYTES:
        allowed = f"at most {MAX_TEXT_CHARACTERS} characters"
        raise InvalidValueError(name="text", given=f"more than {_MAX_BYTES} bytes", allowed=allowed)
    return decoded(piped)


def _choice(default: Detail | queries.Mode) -> Mapping[str, Any]:
    """Return the type and the default of an option whose values are the members of an enumeration."""
    return {"type": click.Choice([each.value for each in type(default)]), "default": default.value}


@click.command()
@click.argument("words", metavar="TEXT...", nargs=-1, required=True)
@options("save", source={"default": DEFAULT_SOURCE})
def save(*, words: tuple[str, ...], paths: tuple[str, ...], project: str | None, **given: Any) -> None:
    """Save TEXT as a memory. `-` reads it from stdin."""
    request = SaveRequest(
        text=_from_stdin() if words == ("-",) else decoded(" ".join(words).encode(errors="surrogateescape")),
        # Don't use pathlib: it drops the `//` of a URL, and then the URL's password isn't recognised.
        paths=[os.path.join(present_directory(), path) for path in paths],  # noqa: PTH118
        **given,
    )
    with opened(project) as (lamella, call):
        saved = lamella.save(call, request)
    echo("\n".join(saved.report(by_hand=True, options=project_option(project))))


@click.command(short_help="Find memories by words, meaning, id or title.")
@click.argument("query", metavar="[QUERY...]", nargs=-1, callback=_short)
@options(
    "recall",
    id={"callback": _short},
    title={"callback": _short},
    path={"callback": _short},
    limit={"type": click.IntRange(1, limits.MAX_LIMIT), "default": limits.DEFAULT_LIMIT},
    detail=_choice(Detail.COMPACT),
    mode=_choice(queries.Mode.AUTO),
)
def recall(
    *,
    query: str | None,
    id_: str | None,
    title: str | None,
    ids: tuple[str, ...],
    detail: str,
    mode: str,
    session_only: bool,
    path: str | None,
    kind: str | None,
    since: datetime | None,
    until: datetime | None,
    project: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Find memories by QUERY (words and meaning), id or title. Without any of them, show the latest memories."""
    filters = {name: given.pop(name) for name in ("days_back", "source", "author", "branch")}
    selector = _selector(query, id_, title, ids, queries.Mode(mode))
    with opened(project) as (lamella, call):
        begin, end = queries.days(since and since.date(), until and until.date(), call.zone)
        request = RecallRequest(
            selector=selector,
            filters=queries.Filters(
                session=call.session if session_only else None,
                path=path and from_here(path),
                kind=Kind(kind) if kind else None,
                since=begin,
                until=end,
                **filters,
            ),
            detail=Detail(detail),
            hints=_hints(project, everything=given["all_projects"]),
            **given,
        )
        if as_json:
            answer = lamella.search(call, request)
            echo_json([*map(_found, answer.hits), *map(_found, answer.messages)])
            return
        try:
            reply = lamella.recall(call, request)
        except NothingFoundError as error:
            if query is None or not _is_of_a_memory(lamella, call, query):
                raise
            advice = f"A memory has that id: lamella recall --id {query}{project_option(project)}"
            raise AdvisedError(reason=error.outcome, advice=advice) from error
    if reply.startswith("[") and sys.stdout.isatty():
        echo(click.style(_HEADING, bold=True))
    echo(reply, indent=0 if detail == Detail.FULL else 4)


@click.command(short_help="Hide memories from search until they are restored.")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@options("purge")
def purge(ids: tuple[str, ...], project: str | None) -> None:
    """Hide memories from search until they are restored."""
    with opened(project) as (lamella, call):
        echo(reported(lamella.purge(call, ids), "Purged"))


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@options("restore")
def restore(ids: tuple[str, ...], project: str | None) -> None:
    """Restore purged memories."""
    with opened(project) as (lamella, call):
        echo(reported(lamella.restore(call, ids), "Restored"))


def _hints(project: str | None, *, everything: bool) -> Hints:
    named = project_option(project)
    every = named + " --all" * everything
    return Hints(
        save=f"Save one with: lamella save TEXT{named}",
        purged=f"All memories are purged. To see them: lamella recall --include-purged{every}",
        restore=f"lamella restore {{id}}{named}",
        full=f"lamella recall --id ID --detail full{every} shows all of one",
        next="next: --cursor {cursor}",
        tokens=False,
    )


def reported(outcome: StatusChangeOutcome, done: str) -> str:
    """Return a report of the changed memories and of the failures. `done` is a participle such as `Purged`.

    Raises:
        NoneChangedError: Nothing was changed.
    """
    report = "\n".join(outcome.report(done))
    if not outcome.changed:
        raise NoneChangedError(reply=report)
    return report


def _selector(
    query: str | None, id_: str | None, title: str | None, ids: tuple[str, ...], mode: queries.Mode
) -> queries.Selector:
    listed = tuple(each for part in ids for each in part.split(",") if each.strip())
    given: list[queries.Selector] = []
    if listed:
        given.append(queries.ByIds(listed))
    if id_:
        given.append(queries.ById(id_))
    if query:
        given.append(queries.ByText(query, mode))
    if title:
        given.append(queries.ByTitle(title))
    if len(given) > 1:
        raise click.UsageError("Give only one of QUERY, --id, --title and --ids.")
    if len(listed) > limits.MAX_LIMIT:
        raise click.UsageError(f"Give at most {limits.MAX_LIMIT} ids.")
    return given[0] if given else queries.Recent()


def _found(hit: queries.Hit | MessageHit) -> Mapping[str, object]:
    """Convert a hit for JSON output: its strength as `score`, the memory or message, and the project's name."""
    score, project = hit.strength, hit.project and hit.project.name
    if isinstance(hit, MessageHit):
        return {"score": score, "message": hit.message, "project": project}
    return {"short_id": hit.short_id, "score": score, "memory": hit.observation, "project": project}


def _is_of_a_memory(lamella: Lamella, call: Call, query: str) -> bool:
    """Return True if a query is a memory's id, or the beginning of a memory's id."""
    asked = SearchRequest(selector=queries.ByIds((query,)))
    return bool(_ID.fullmatch(query) and lamella.search(call, asked).hits)
