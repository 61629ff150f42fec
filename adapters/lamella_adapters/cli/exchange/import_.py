"""The command that takes over what other programs have recorded; each of them is a command of its own."""

import tomllib
from pathlib import Path

import click

from lamella_adapters.cli.commands import LazyGroup
from lamella_adapters.cli.exchange.import_conversations import export_command, kept_command
from lamella_adapters.cli.exchange.import_export import import_export
from lamella_adapters.cli.exchange.import_memories import memories_command

_PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text("utf-8"))


@click.group(
    "import", cls=LazyGroup, for_files="file", short_help="Take over exports, or what other programs have kept."
)
def import_() -> None:
    """Take over what was exported, or what other programs have recorded.

    An export of lamella needs no name: lamella import FILE
    """


import_.add_command(import_export)
for _name, _kept in _PROGRAMS["conversations"].items():
    import_.add_command(kept_command(_name, **_kept))
for _name, _client in _PROGRAMS["exports"].items():
    import_.add_command(export_command(_name, _client))
for _name, _held in _PROGRAMS["memories"].items():
    import_.add_command(memories_command(_name, _held))
