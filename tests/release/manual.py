"""Manual pages of all commands, made of their help.

Usage: python -m tests.release.manual FOLDER
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from tests.release.commands import every_command, inner


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each command."""
    for command, context in every_command():
        name = context.command_path.replace(" ", "-")
        yield f"{name}.1", "\n".join(_page(name, command, context)) + "\n"


def _page(name: str, command: click.Command, context: click.Context) -> Iterator[str]:
    yield f'.TH "{name.upper()}" "1" "" "lamella" "lamella"'
    yield from (".SH NAME", f"{_plain(name)} \\- {_plain(command.get_short_help_str(200).rstrip('.'))}")
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (".SH SYNOPSIS", f".B {_plain(context.command_path)}", _plain(usage), ".SH DESCRIPTION")
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        kept = paragraph.removeprefix("\b\n")
        lines = map(_plain, kept.split("\n"))
        yield from ([".PP", *lines] if kept == paragraph else [".PP", ".nf", *lines, ".fi"])
    yield ".SH OPTIONS"
    parameters = (each for each in command.get_params(context) if isinstance(each, click.Option))
    records = (each.get_help_record(context) for each in parameters)
    for option, text in filter(None, records):
        yield from (".TP", f".B {_plain(option)}", _plain(text))
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for each, below in inner(command, context):
            yield from (".TP", f".BR {_plain(f'{name}-{each}')} (1)", _plain(below.get_short_help_str(200)))


def _plain(text: str) -> str:
    """Return text that troff takes as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def main(folder: Path) -> None:
    """Write all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in pages():
        (folder / file).write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
