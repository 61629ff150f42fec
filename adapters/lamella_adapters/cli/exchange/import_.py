"""The command for importing from other programs, each with a separate subcommand."""

import click

from lamella_adapters.cli.commands import LazyGroup
from lamella_adapters.cli.exchange import import_conversations, import_memories
from lamella_adapters.cli.exchange.import_export import import_export
from lamella_adapters.process.tables import table


@click.group("import", cls=LazyGroup, for_files="file", short_help="Import memories and conversations.")
def import_() -> None:
    """Import exports of lamella, or memories and conversations of other programs.

    For an export, leave out the program: lamella import FILE
    """


import_.add_command(import_export)
for _kind, _listed in table(__file__, "programs").items():
    for _name, _program in _listed["programs"].items():
        _fields = {"file": "transcript", **_program}
        _texts = [_listed[key].format_map(_fields) for key in ("short_help", "help")]
        if _kind == "memories":
            import_.add_command(import_memories.memories_command(_name, *_texts))
        else:
            import_.add_command(import_conversations.conversations_command(_name, *_texts, kept=_kind == "kept"))
