"""The clients supported by setup, from `clients.toml`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve

from lamella_adapters.cli.setup.client import Client, Hooks, Instructions, Servers
from lamella_adapters.cli.setup.formats.json_text import JSON
from lamella_adapters.cli.setup.formats.marked_block import MARKED_BLOCK
from lamella_adapters.cli.setup.formats.toml_text import TOML
from lamella_adapters.cli.setup.formats.yaml_text import YAML
from lamella_adapters.process.tables import table

_FORMATS = {"json": JSON, "toml": TOML, "yaml": YAML, "block": MARKED_BLOCK}
_PARTS = (("servers", Servers, "json"), ("hooks", Hooks, "json"), ("instructions", Instructions, "block"))
"""Parts of a client, their classes, and their formats if the table has none."""


def _clients() -> Iterator[Client]:
    for name, written in table(__file__, "clients").items():
        for key, kind, usual in _PARTS:
            if key in written:
                written[key] = _part(kind, **{"format": usual, **written[key]})
        yield Client(name=name, **written)


def _part(kind: type[Any], *, format: str, empty: str = "", **fields: Any) -> Any:
    known = _FORMATS[format]
    return kind(format=evolve(known, empty=empty or known.empty), **fields)


CLIENTS: Final[Mapping[str, Client]] = MappingProxyType({each.name: each for each in _clients()})
"""The clients by name."""
