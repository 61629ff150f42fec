"""The clients that lamella can be connected to, as `clients.toml` says."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve

from lamella_adapters.cli.setup.client import Client, Hooks, Servers
from lamella_adapters.cli.setup.json_text import JSON
from lamella_adapters.cli.setup.toml_text import TOML
from lamella_adapters.cli.setup.yaml_text import YAML
from lamella_adapters.process.tables import table

_FORMATS = {"json": JSON, "toml": TOML, "yaml": YAML}


def _clients() -> Iterator[Client]:
    for name, written in table(__file__, "clients").items():
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
