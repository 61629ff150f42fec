"""The command for importing from other programs, each with a separate subcommand."""

import click

from lamella_adapters.cli.commands import LazyGroup
from lamella_adapters.cli.exchange.import_conversations import exported_command, kept_command
from lamella_adapters.cli.exchange.import_export import import_export
from lamella_adapters.cli.exchange.import_memories import memories_command
from lamella_adapters.process.tables import table

_KINDS = {"kept": kept_command, "exported": exported_command, "memories": memories_command}
_PROGRAMS = table(__file__, "programs")


@click.group("import", cls=LazyGroup, for_files="file", short_help="Import memories and conversations.")
def import_() -> None:
    """Import exports of lamella, or memories and conversations of other programs.

    For an export, leave out the program: lamella import FILE
    """


import_.add_command(import_export)
for _kind, _command in _KINDS.items():
    for _name, _program in _PROGRAMS[_kind]["programs"].items():
        _fields = {"file": "transcript", **_program}
        _short_help, _help = (_PROGRAMS[_kind][key].format_map(_fields) for key in ("short_help", "help"))
        import_.add_command(_command(_name, _short_help, _help))
