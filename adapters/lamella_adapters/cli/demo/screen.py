"""Display of the demo: panels on a terminal, plain lines anywhere else."""

import sys
from typing import TYPE_CHECKING

import click
from attrs import define, field

from lamella.domain.text.printing import visible

if TYPE_CHECKING:
    from rich.console import Console


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
        for line in _shortened(reply):
            click.echo(f"  {line}")
        click.echo(f"  ({'error, ' if error else ''}{note})")


def _console() -> "Console":
    # Only a terminal needs it, and it takes its time.
    from rich.console import Console  # noqa: PLC0415 - a start need not wait for it

    return Console(highlight=False, markup=False, emoji=False)


@define
class _Terminal(Screen):
    """Display of the demo in panels."""

    console: "Console" = field(factory=_console)

    def heading(self, text: str) -> None:
        from rich.rule import Rule  # noqa: PLC0415 - see `_console`
        from rich.text import Text  # noqa: PLC0415 - a start need not wait for it

        self.console.print()
        self.console.print(Rule(Text(visible(text), style="bold cyan"), align="left", style="cyan"))

    def say(self, text: str) -> None:
        # Not wrapped, so that a command can be copied.
        self.console.print(visible(text), soft_wrap=True)

    def exchange(self, request: str, reply: str, note: str, *, error: bool = False) -> None:
        from rich.panel import Panel  # noqa: PLC0415 - see `_console`
        from rich.text import Text  # noqa: PLC0415 - a start need not wait for it

        self.console.print(Text(f"> {visible(request)}", style="bold"))
        panel = Panel(
            Text("\n".join(_shortened(reply))),
            subtitle=Text(note, style="dim"),
            subtitle_align="right",
            border_style="yellow" if error else "green",
        )
        self.console.print(panel)


def screen() -> Screen:
    """Return the screen that stdout is."""
    return _Terminal() if sys.stdout.isatty() else Screen()


def _shortened(reply: str) -> list[str]:
    """Return the lines of a reply, without the middle where they are many; its footer stays."""
    lines = [
        line if len(line) <= _LINE_CHARACTERS else f"{line[:_LINE_CHARACTERS]}..."
        for line in visible(reply).split("\n")
    ]
    left_out = len(lines) - _HEAD_LINES - _TAIL_LINES
    if left_out <= 1:
        return lines
    return [*lines[:_HEAD_LINES], f"[... {left_out} more lines ...]", *lines[-_TAIL_LINES:]]
