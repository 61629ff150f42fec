"""The command `serve`, as it is parsed and described; what it does is in `serving`."""

import click

__all__ = ["serve"]


@click.command()
@click.option("--toolset", metavar="NAME", help="Which tools to offer. [env: LAMELLA_TOOLSET; default: unified]")
def serve(toolset: str | None) -> None:
    """Serve MCP on stdin and stdout; your MCP client starts this."""
    # The help of all commands should not wait for the MCP driver.
    from lamella_adapters.cli.serving import start  # noqa: PLC0415

    start(toolset)
