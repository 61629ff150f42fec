"""`lamella demo`: saves and recalls real texts over MCP, in a temporary data directory."""

import click

__all__ = ["demo"]


@click.command(short_help="Show the main features once over MCP.")
def demo() -> None:
    """Show the main features once over MCP, with the commits of this repository. Your memories stay untouched."""
    # Importing an MCP client is slow, and the help of all commands imports this module.
    from lamella_adapters.cli.demo.stage import play  # noqa: PLC0415 - see above

    play()
