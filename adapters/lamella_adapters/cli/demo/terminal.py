"""Display of the demo on a terminal."""

from attrs import define, field
from rich.console import Console
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from lamella.domain.text.printing import visible
from lamella_adapters.cli.demo.screen import Screen, shortened


@define
class Terminal(Screen):
    """Display of the demo in panels."""

    console: Console = field(factory=lambda: Console(highlight=False, markup=False, emoji=False))

    def heading(self, text: str) -> None:
        """See `Screen.heading`."""
        self.console.print()
        self.console.print(Rule(Text(visible(text), style="bold cyan"), align="left", style="cyan"))

    def say(self, text: str) -> None:
        """See `Screen.say`. Lines are not wrapped, so that a command can be copied."""
        self.console.print(visible(text), soft_wrap=True)

    def exchange(self, request: str, reply: str, note: str, *, error: bool = False) -> None:
        """See `Screen.exchange`."""
        self.console.print(Text(f"> {visible(request)}", style="bold"))
        panel = Panel(
            Text("\n".join(shortened(reply))),
            subtitle=Text(note, style="dim"),
            subtitle_align="right",
            border_style="yellow" if error else "green",
        )
        self.console.print(panel)
