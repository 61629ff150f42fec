"""The command that prints the folder of Claude Code's plugin."""

from pathlib import Path

import click

from lamella.domain.errors import LamellaError

_MANIFEST = Path(".claude-plugin", "marketplace.json")

_INSTALLED = Path(__file__).parents[2] / "marketplace"
"""Folder of the plugin in a wheel."""

_CHECKOUT = Path(__file__).parents[4]
"""Folder of the plugin in the repository, for an editable install."""


class NoPluginError(LamellaError):
    """This installation of lamella doesn't include the plugin."""

    def __str__(self) -> str:
        return "The plugin for Claude Code is not here. Install lamella from its wheel or from a checkout."


def plugin_folder() -> Path:
    """Return the folder of the plugin.

    Raises:
        NoPluginError: The installation doesn't include the plugin.
    """
    for folder in (_INSTALLED, _CHECKOUT):
        if (folder / _MANIFEST).is_file():
            return folder
    raise NoPluginError


@click.command(short_help="Print the folder of the Claude Code plugin.")
def plugin() -> None:
    """Print the folder of the Claude Code plugin.

    To install it: claude plugin marketplace add "$(lamella plugin)" && claude plugin install lamella@lamella
    """
    click.echo(plugin_folder())
