"""A program whose memories are imported, and its account.

Usage: python -m tests.unit.exchange.programs.shelf FILE ... writes what sessions print now. A desk does there what
`tests/unit/support/desk_session.py` tells, and is asked for more:

    $ has 1 "Tea at noon." project=orchard   a memory of a program with this key, by default of our project
    $ asked 1 Why session=s-9                a prompt that it has kept
    $ import dry_run=yes project=mill        take over everything, and print what was done
    $ lacks 1                                the memory is not there any more
    $ maps a /srv/mill                       from now on a project of the program goes there
"""

import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from attrs import define, field

from lamella.application.exchange.import_memories import ImportMemories, ImportRequest, MemoriesImported
from lamella.domain.errors import PeerUnreadableError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.ports.peers import ForeignMemory, ForeignPrompt, Peer, Record, Store
from tests.end_to_end.support.sessions import write_anew
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.telling import account

SECRET = "ghp_" + "a" * 36
YESTERDAY = DAWN - timedelta(days=1)


@define
class Shelf(Peer):
    """A program with one store of these records, which can fail at a given place."""

    records: Sequence[Record] = ()
    breaks: bool = False
    folders: dict[str, str] = field(factory=dict)
    """Names of projects by directory."""

    def stores(self) -> tuple[Store, ...]:
        return (Store(place=Path("/shelf"), records=len(self.records)),)

    def read(self, store: Store) -> Iterator[Record]:
        del store
        yield from self.records
        if self.breaks:
            raise PeerUnreadableError(reason="The shelf broke.", advice="Mend it.")

    def name_of(self, directory: str) -> str:
        return self.folders.get(directory) or super().name_of(directory)


def said(
    key: str = "1", content: str = "Tea at noon.", project: str | None = "lovelace", **more: Any
) -> ForeignMemory:
    """A memory of a program; by default of the project in which the desk stands."""
    return ForeignMemory(key=key, content=content, project=project, **{"created_at": YESTERDAY} | more)


def imported(desk: Desk, shelf: Shelf, *, keeps_conversations: bool = True, **request: Any) -> MemoriesImported:
    """Return the final account of an import. A dry run has the same."""

    def opened(name: str, path: Path | None) -> Peer:
        assert (name, path) == ("shelf", request.get("path"))
        return shelf

    importing = desk.make(ImportMemories, peers=opened, keeps_conversations=keeps_conversations)
    dry, accounts = (
        list(importing(desk.call, ImportRequest(peer="shelf", **request | more)))
        for more in ({"dry_run": True}, {})
    )
    assert all(each is accounts[0] for each in accounts)
    assert accounts[-1] == dry[-1]
    return accounts[-1]


def kept(desk: Desk, *memories: ForeignMemory, **request: Any) -> list[Observation]:
    """Return the imported memories in order of sequence."""
    imported(desk, Shelf(memories), **request)
    return sorted(desk.everything, key=lambda each: each.sequence)


def asked(key: str, text: str, *, session: str = "s-9", project: str = "lovelace") -> ForeignPrompt:
    """A prompt that a program has kept."""
    return ForeignPrompt(key=key, text=text, session=session, project=project, at=YESTERDAY)


@define
class ShelfShell(DeskShell):
    """Somebody at a desk who takes over the memories of a program."""

    shorthand = ("LONG", "word\\x20" * 2_100)
    shelf: Shelf = field(factory=Shelf)
    projects: dict[str, str] = field(factory=dict)

    def _has(self, key: str, content: str = "Tea at noon.", **options: Any) -> list[str]:
        given = dict(options)
        if "kind" in given:
            given["kind"] = Kind(given["kind"])
        if "paths" in given:
            given["paths"] = tuple(given["paths"].split(","))
        if given.get("project") == "":
            given["project"] = None
        others = [each for each in self.shelf.records if "now" not in given or getattr(each, "key", "") != key]
        given.pop("now", None)
        self.shelf.records = [*others, said(key, content, **given)]
        return []

    def _lacks(self, key: str) -> list[str]:
        self.shelf.records = [each for each in self.shelf.records if getattr(each, "key", "") != key]
        return []

    def _asked(self, key: str, content: str, **options: str) -> list[str]:
        self.shelf.records = [*self.shelf.records, asked(key, content, **options)]
        return []

    def _maps(self, name: str, place: str) -> list[str]:
        self.projects[name] = place
        return []

    def _import(self, **options: Any) -> list[str]:
        return account(imported(self.desk, self.shelf, projects=self.projects, **options))


if __name__ == "__main__":
    write_anew(sys.argv[1:], lambda _: ShelfShell(Desk()))
