"""The clients that lamella can be connected to, as `clients.toml` says."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve

from lamella_adapters.cli.setup.client import Client, Hooks, Servers
from lamella_adapters.cli.setup.json_text import JSON
from lamella_adapters.cli.setup.toml_text import TOML
from lamella_adapters.cli.setup.yaml_text import YAML

_FORMATS = {"json": JSON, "toml": TOML, "yaml": YAML}


def _clients() -> Iterator[Client]:
    table = Path(__file__).with_name("clients.toml").read_text("utf-8")
    for name, written in tomllib.loads(table).items():
        for key, kind in (("servers", Servers), ("hooks", Hooks)):
            if key in written:
                written[key] = _listed(kind, **written[key])
        yield Client(name=name, **written)


def _listed(
    kind: type[Servers | Hooks], *, format: str = "json", empty: str = "", **fields: Any
) -> Servers | Hooks:
    known = _FORMATS[format]
    return kind(format=evolve(known, empty=empty or known.empty), **fields)


CLIENTS: Final[Mapping[str, Client]] = MappingProxyType({each.name: each for each in _clients()})
"""The clients by name."""
