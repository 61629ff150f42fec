"""`lamella demo`: real input saved and recalled over real MCP, in a temporary data directory."""

import click

__all__ = ["demo"]


@click.command(short_help="Show all features once over MCP.")
def demo() -> None:
    """Show all features once over MCP, with the commits of this repository. Your memories stay untouched."""
    # The help of all commands should not wait for an MCP client.
    from lamella_adapters.cli.demo.stage import play  # noqa: PLC0415 - a start need not wait for it

    play()
