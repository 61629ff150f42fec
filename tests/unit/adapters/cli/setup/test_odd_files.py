"""Files as people have them, in the place of each file that setup edits, are as they were once lamella is out."""

from collections.abc import Sequence
from pathlib import Path

from lamella_adapters.cli.setup.changes import FileChange, Remark, Setup
from lamella_adapters.cli.setup.client import CLIENTS, Client
from lamella_adapters.cli.setup.entries import Format
from lamella_adapters.cli.setup.formats.json_text import JSON
from lamella_adapters.cli.setup.formats.marked_block import MARKED_BLOCK
from lamella_adapters.cli.setup.formats.toml_text import TOML
from lamella_adapters.cli.setup.formats.yaml_text import YAML
from tests.unit.adapters.cli.setup.conftest import files
from tests.unit.support.tables import cases

FORMATS = {"json": JSON, "toml": TOML, "yaml": YAML, "block": MARKED_BLOCK}


@cases
def test_an_odd_file_is_as_it_was_once_lamella_is_out(format_: str, text: str, home: Path, here: Setup) -> None:
    ours = [(client, path) for client in CLIENTS.values() for path in edited(here, client, FORMATS[format_])]
    # Texts of JSON take turns, as there are many files of it.
    for client, path in ours[len(text) % 4 :: 4] if format_ == "json" else ours:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode(errors="surrogateescape"))
        before = files(home)
        found = [*here.changes(client)]
        made(found)
        refused = any(isinstance(each, Remark) and each.trouble for each in found)
        assert (files(home) == before) == refused, path
        made([*here.changes(client, remove=True)])
        assert files(home) == before, path
        path.unlink()


def edited(here: Setup, client: Client, format_: Format) -> list[Path]:
    return [path for path, (known, _) in here.configurations(client).items() if known.parsed is format_.parsed]


def made(found: Sequence[object]) -> None:
    for each in found:
        if isinstance(each, FileChange):
            each.make()
