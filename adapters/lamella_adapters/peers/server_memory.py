"""Memories of the MCP reference server `server-memory`: a graph in JSON lines.

An entity with its observations and outgoing relations becomes a note. The graph has no timestamps.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers.files import BROKEN, LocatedPeer, in_environment, located, modified, opened
from lamella_adapters.peers.json_records import lines
from lamella_adapters.peers.values import Record, memory, no_texts, text, texts

PROGRAM = "server-memory"

_PACKAGE = "@modelcontextprotocol/server-memory/dist"
_FILES = ("memory.jsonl", "memory.json")
_MODULES = (
    "/usr/lib/node_modules",
    "/usr/local/lib/node_modules",
    "/opt/homebrew/lib/node_modules",
    "~/.npm-global/lib/node_modules",
)
_REMARK = "server-memory keeps no times: each memory gets the time of its file."
_NO_ENTITY = Skipped("related to no known entity")


class ServerMemory(LocatedPeer):
    """The memories of server-memory."""

    def stores(self) -> tuple[Store, ...]:
        """Return the program's files: the configured file, or the default files in folders of its package."""
        found = located(PROGRAM, self.path, _own_files(), _FILES)
        return tuple(Store(place=place, remark=_REMARK) for place in found)

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield a memory for each entity, in the order of the file."""
        with opened(store.place, follow=True) as file:
            changed = modified(file)
            relations = _relations(lines(file))
            for record in lines(file):
                if isinstance(record, Skipped):
                    yield record
                elif record.get("type") == "entity":
                    yield _memory(record, relations.pop(text(record.get("name")), ()), changed)
                elif record.get("type") != "relation" or not _ends(record)[0]:
                    yield BROKEN
            for left in relations.values():
                yield from (_NO_ENTITY for _ in left)


def _own_files() -> Sequence[Path]:
    if file := in_environment("MEMORY_FILE_PATH"):
        return [file]
    cache = in_environment("npm_config_cache") or Path.home() / ".npm"
    versions = in_environment("NVM_DIR") or Path.home() / ".nvm"
    prefix = in_environment("npm_config_prefix")
    folders = [
        *([prefix / "lib/node_modules"] if prefix else []),
        *(Path(each).expanduser() for each in _MODULES),
        *sorted(versions.glob("versions/node/*/lib/node_modules")),
        *sorted(cache.glob("_npx/*/node_modules")),
    ]
    there = [folder / _PACKAGE / name for folder in folders for name in _FILES]
    found = [each for each in there if each.is_file()]
    return found or [*(Path(each) / _PACKAGE / _FILES[0] for each in _MODULES[:2]), cache / "_npx/*/…" / _FILES[0]]


def _relations(records: Iterator[Record | Skipped]) -> dict[str, list[str]]:
    """Return the outgoing relations of each entity as text, keyed by the entity's name."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for each in records:
        if not isinstance(each, Skipped) and each.get("type") == "relation":
            begin, end = _ends(each)
            found[begin].append(f"{text(each.get('relationType')) or 'relates to'} {end}")
    found.pop("", None)
    return dict(found)


def _ends(relation: Record) -> tuple[str, str]:
    """Return the names of both entities of a relation; two empty texts if a name is missing."""
    begin, end = (text(relation.get(name)) for name in ("from", "to"))
    return (begin, end) if begin and end else ("", "")


def _memory(record: Mapping[str, object], relations: Sequence[str], changed: datetime) -> ForeignMemory | Skipped:
    name = text(record.get("name"))
    return memory(
        key=name,
        title=name,
        content="\n".join((*texts(record.get("observations")), *relations)),
        no_texts=no_texts(record.get("observations")),
        source=text(record.get("entityType")),
        created_at=changed,
    )
