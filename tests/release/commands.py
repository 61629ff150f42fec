"""Every command of the command line."""

from collections.abc import Iterator

import click

from lamella_adapters.cli.commands import lamella


def every_command() -> Iterator[tuple[click.Command, click.Context]]:
    """Yield each command with a context, groups before their commands."""
    yield from _inside(lamella, click.Context(lamella, info_name="lamella", **lamella.context_settings))


def inner(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of a group by name."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield name, found


def _inside(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    yield command, context
    for name, each in inner(command, context):
        yield from _inside(each, click.Context(each, parent=context, info_name=name))
