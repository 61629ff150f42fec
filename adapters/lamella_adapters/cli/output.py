"""Functions to print text, rows, progress and errors."""

import os
import re
import shutil
import sys
import traceback
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import PurePath
from typing import Any
from uuid import UUID

import click
from attrs import fields, has

from lamella.domain.errors import LamellaError
from lamella.domain.text.printing import counted, printed_json, printed_line, printed_time, visible

_COMMAND = ": lamella "
"""Start of the command at the end of a sentence."""

_COPIED = ("lamella ", "VISUAL=")
"""Starts of lines that contain a command to copy."""

_GAP = re.compile(r"(?<! \|) ")
"""Spaces where a line may break. A separator between columns stays with the column after it."""

_TAIL = re.compile(r"\|(?: \S+ \|)* \S+$")
"""One-word columns at the end of a line, such as a score and a date. They are kept on one line."""

_LONGEST_TAIL = 40

_MEGABYTE = 1_000_000

_LEFT_NAMED = 10
"""Maximum number of skipped files to list. Further files are counted."""

Shown = Callable[[str, int, int], None]
"""Callback that shows the current task, its progress, and its total."""


GOES_ON = "What was done so far is kept; repeat the command to go on."
BEGINS_ANEW = "Repeat the command: it starts from the beginning."


@contextmanager
def progress_bar(task: str, *, of_bytes: bool = False, again: str = GOES_ON) -> Iterator[Shown]:
    """Show a progress bar on stderr if it is a terminal. After an interruption, print how to continue.

    Args:
        task: Text beside the bar until the first step.
        of_bytes: True to show amounts as sizes in bytes.
        again: Advice after an interruption.
    """
    reached = [task]

    def noted(now: str, done: int, total: int) -> None:
        amounts = (f"{printed_size(each)}" if of_bytes else f"{each:,}" for each in (done, total))
        reached[0] = f"{now}: {' of '.join(amounts)}" if total else now

    try:
        if not sys.stderr.isatty():
            yield noted
            return
        # Import rich only for terminals: it takes as long as the rest of a command.
        from rich import progress  # noqa: PLC0415 - see above
        from rich.console import Console  # noqa: PLC0415 - see above

        amount = progress.DownloadColumn() if of_bytes else progress.MofNCompleteColumn()
        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            amount,
            progress.TimeRemainingColumn(),
        )
        with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            bar_id = bar.add_task(task, total=None)

            def shown(now: str, done: int, total: int) -> None:
                noted(now, done, total)
                bar.update(bar_id, description=now, completed=done, total=total)

            yield shown
    except KeyboardInterrupt:
        say(f"Interrupted at: {reached[0]}. {again}")
        raise


def echo(text: str, *, err: bool = False, indent: int = 2) -> None:
    """Print lines. On a terminal, wrap long lines between words.

    Args:
        text: The lines.
        err: True to print on stderr.
        indent: Additional indentation of wrapped lines, in columns.
    """
    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        width = shutil.get_terminal_size().columns
        text = "\n".join(part for line in text.split("\n") for part in wrapped(line, width, indent))
    click.echo(text, err=err, color=False if os.environ.get("NO_COLOR") else None)


def ask(question: str, kept: str) -> None:
    """Ask for confirmation. If the answer is no, print `kept` and end the command.

    Raises:
        click.UsageError: Standard input is not a terminal.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("Not a terminal; pass --yes.")
    if not click.confirm(question, err=True):
        echo(kept, err=True)
        raise click.exceptions.Exit(1)


def wrapped(line: str, width: int, indent: int) -> Iterator[str]:
    """Yield a line in parts of at most `width` columns.

    Commands and long words, such as paths, are never divided: each becomes one part, even beyond `width`.

    Rows break before a separator, and short cells at their end stay together. The second and later parts are
    indented like the line, plus `indent` columns.
    """
    if _columns(line) <= width or line.startswith(_COPIED):
        yield line
        return
    margin = " " * (len(line) - len(line.lstrip(" ")) + indent)
    # Keep a command at the end of a line in one part, so that it can be copied.
    prose, colon, arguments = line.rpartition(_COMMAND)
    command = f"lamella {arguments}"
    first, *words = [*f"{prose}:".split(" "), command] if colon and len(command) < width else _words(line)
    part = first
    for word in words:
        if _columns(part) + 1 + _columns(word) <= width or not part.strip():
            part += f" {word}"
        else:
            yield part
            part = margin + word
    yield part


def _words(line: str) -> list[str]:
    """Return the unbreakable parts of a line."""
    tail = _TAIL.search(line)
    end = tail.start() if tail and tail.start() > 0 and len(tail[0]) <= _LONGEST_TAIL else len(line)
    return [*_GAP.split(line[:end].removesuffix(" ")), *filter(None, [line[end:]])]


def _columns(text: str) -> int:
    """Return the width of a text on a terminal, in columns. Ideographs take 2 columns, and colour codes take 0."""
    plain = click.unstyle(text)
    if plain.isascii():
        return len(plain)
    return sum(
        0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF") for each in plain
    )


def print_rows(rows: Iterable[tuple[Sequence[str], str]], *, empty: str) -> None:
    """Print rows as text on a terminal, or with tabs between cells into a pipe.

    Args:
        rows: The cells and the text of each row.
        empty: Message on stderr if there are no rows.
    """
    shown = list(rows)
    if not shown:
        echo(empty, err=True)
    for cells, text in shown:
        echo(text) if sys.stdout.isatty() else click.echo("\t".join(cells))


def echo_json(value: object) -> None:
    """Print a value as one line of JSON, with attribute names as keys."""
    click.echo(printed_json(_plain(value)))


def _plain(value: object) -> object:
    """Convert a value for JSON: times to UTC, and ids and paths to text. A key that is a tuple nests objects."""
    match value:
        case Mapping():
            plain: dict[str, Any] = {}
            for key, each in value.items():
                *outer, last = key if isinstance(key, tuple) else (key,)
                inside = plain
                for name in outer:
                    inside = inside.setdefault(str(name), {})
                inside[str(last)] = _plain(each)
            return plain
        case list() | tuple() | set() | frozenset():
            return [_plain(each) for each in value]
        case datetime():
            return printed_time(value)
        case UUID() | PurePath() | StrEnum():
            return str(value)
    kind: type[Any] = type(value)
    return {each.name: _plain(getattr(value, each.name)) for each in fields(kind)} if has(kind) else value


INTERRUPTED = 130
"""Exit code of a command that was interrupted by Ctrl-C, as in shells."""


def explained(error: BaseException, *, debug: bool) -> int:
    """Print an error on stderr, with a traceback if `debug`. Return the exit code."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if debug:
        say("".join(traceback.format_exception(error)).rstrip())
    elif isinstance(error, LamellaError):
        say(str(error))
    else:
        say(
            f"Something went wrong inside lamella: {type(error).__name__}: {error}\n"
            "For a traceback, put --debug before the command: lamella --debug ..."
        )
    return 1


def counted_projects(count: int, *, everywhere: bool) -> str:
    """Return the number of projects as text. If global memories are included, the text mentions them."""
    parts = [counted(count, "project")] if count or not everywhere else []
    return " and ".join([*parts, *["what holds everywhere"] * everywhere])


def minute(at: datetime) -> str:
    """Return a time as text up to the minute, in the machine's time zone."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def printed_size(size: int) -> str:
    """Return a size as text, in a suitable unit."""
    return f"{size / 1e6:,.1f} MB" if size >= _MEGABYTE else f"{size / 1e3:,.0f} kB"


def say_left(left: Mapping[str, str]) -> None:
    """List skipped files on stderr, each with the reason."""
    for name, reason in list(left.items())[:_LEFT_NAMED]:
        say(f"Left alone: {printed_line(name)}: {reason}.")
    if len(left) > _LEFT_NAMED:
        say(f"Left alone: {len(left) - _LEFT_NAMED:,} more.")


def say_conflicts(conflicts: Mapping[str, str]) -> None:
    """List files on stderr that were edited both here and elsewhere, each with a message about the outcome."""
    for name, message in sorted(conflicts.items())[:_LEFT_NAMED]:
        say(f"{printed_line(name)}: {message}")
    if len(conflicts) > _LEFT_NAMED:
        say(f"The same for {len(conflicts) - _LEFT_NAMED:,} more.")


def say(sentence: str) -> None:
    """Write a text to stderr, with hidden characters made visible because it may quote users or memories."""
    echo(visible(sentence), err=True, indent=0)
