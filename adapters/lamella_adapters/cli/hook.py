"""Commands that the Claude Code plugin calls: one for hooks that can't find Python by themselves, one to drain."""

import click

from lamella_adapters.claude_code.hooks.interpreter_link import link_for_plugin
from lamella_adapters.claude_code.hooks.run import run


@click.command(hidden=True)
def hook() -> None:
    """Do what Claude Code's plugin needs when something happens; it calls this itself, with one line of JSON."""
    link_for_plugin()
    run()


@click.command(hidden=True)
def drain() -> None:
    """Store what Claude Code's hooks have captured; the plugin calls this itself, when a session ends.

    The session's server may be gone by then, and the next one comes too late for the index that the next session
    begins with.
    """
    from lamella_adapters.cli.runtime import opened  # noqa: PLC0415 - a hook has no time for it

    with opened():
        pass
