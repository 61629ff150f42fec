"""The command that the Claude Code plugin leaves behind when a session ends."""

import click

from lamella_adapters.cli.runtime import opened


@click.command(hidden=True)
def drain() -> None:
    """Store what Claude Code's hooks have captured; the plugin calls this itself, when a session ends.

    The session's server may be gone by then, and the next one comes too late for the index that the next session
    begins with.
    """
    with opened():
        pass
