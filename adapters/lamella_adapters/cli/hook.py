"""The command that a hook of the Claude Code plugin falls back on, where it can't find Python by itself."""

import os
from contextlib import suppress

import click

from lamella_adapters.claude_code.hooks.interpreter_link import link
from lamella_adapters.claude_code.hooks.run import run


@click.command(hidden=True)
def hook() -> None:
    """Do what Claude Code's plugin needs when something happens; it calls this itself, with one line of JSON."""
    folder = os.environ.get("CLAUDE_PLUGIN_DATA")
    if folder:
        with suppress(OSError):
            link(folder)
    run()
