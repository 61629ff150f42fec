"""A table, on the screen and in Markdown."""

from collections.abc import Sequence

import rich.table
from attrs import frozen
from rich.console import Console


@frozen(kw_only=True)
class Table:
    """Rows under a head."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def printed(self) -> None:
        """Shows it."""
        table = rich.table.Table(*self.head, title=self.title, title_justify="left", title_style="bold")
        for row in self.rows:
            table.add_row(*row)
        Console(width=120).print(table)

    @property
    def markdown(self) -> str:
        """Its lines for a README, with one blank line after them."""
        rows = [self.head, ["---"] * len(self.head), *self.rows]
        return "\n".join([f"**{self.title}**", "", *(f"| {' | '.join(row)} |" for row in rows), "", ""])
