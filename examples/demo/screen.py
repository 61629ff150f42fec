"""Output of the demo. Every argument may contain text of memories, so hidden characters are made visible."""

import click

from lamella.domain.text.printing import shortened, visible
from lamella_adapters.cli.output import echo

_LINE_CHARACTERS = 125
"""Maximum number of characters to show of each line of a reply."""

_REQUEST_CHARACTERS = 48
"""Maximum number of characters to show of a request, so that it fits on one line with its note."""

_LINES = 6
"""Maximum number of lines to show of a reply, including its last line, the footer."""


def heading(text: str) -> None:
    """Show the heading of a step."""
    echo(click.style(f"\n== {visible(text)} ==", fg="cyan", bold=True))


def say(text: str) -> None:
    """Show a sentence that explains the demo."""
    echo(visible(text))


def exchange(request: str, reply: str, note: str) -> None:
    """Show a request and its reply with a note. The middle of a long reply is omitted."""
    echo(f"{click.style(f'> {shortened(visible(request), _REQUEST_CHARACTERS)}', bold=True)}  ({note})")
    for line in _beginning_and_end(visible(reply).split("\n")):
        echo(f"  {shortened(line, _LINE_CHARACTERS)}")


def _beginning_and_end(lines: list[str]) -> list[str]:
    left_out = len(lines) - _LINES
    return lines if left_out <= 0 else [*lines[: _LINES - 2], f"[... {left_out + 1} more lines ...]", lines[-1]]
