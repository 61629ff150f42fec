"""Display of the demo: panels on a terminal, plain lines anywhere else."""

import sys

import click

from lamella.domain.text.printing import visible

_HEAD_LINES, _TAIL_LINES = 12, 3
_LINE_CHARACTERS = 200


class Screen:
    """Display of the demo in plain lines. Everything that is given may hold text of memories."""

    def heading(self, text: str) -> None:
        """Show the beginning of a step."""
        click.echo(f"\n== {visible(text)} ==")

    def say(self, text: str) -> None:
        """Show a sentence of ours."""
        click.echo(visible(text))

    def exchange(self, request: str, reply: str, note: str, *, error: bool = False) -> None:
        """Show a request and its reply, with a note on it; the middle of a long reply is left out."""
        click.echo(f"\n> {visible(request)}")
        for line in shortened(reply):
            click.echo(f"  {line}")
        click.echo(f"  ({'error, ' if error else ''}{note})")


def screen() -> Screen:
    """Return the screen that stdout is."""
    if not sys.stdout.isatty():
        return Screen()
    # Only a terminal needs rich, which takes its time.
    from lamella_adapters.cli.demo.terminal import Terminal  # noqa: PLC0415 - see above

    return Terminal()


def shortened(reply: str) -> list[str]:
    """Return the lines of a reply, without the middle where they are many; its footer stays."""
    lines = [
        line if len(line) <= _LINE_CHARACTERS else f"{line[:_LINE_CHARACTERS]}..."
        for line in visible(reply).split("\n")
    ]
    left_out = len(lines) - _HEAD_LINES - _TAIL_LINES
    if left_out <= 1:
        return lines
    return [*lines[:_HEAD_LINES], f"[... {left_out} more lines ...]", *lines[-_TAIL_LINES:]]
