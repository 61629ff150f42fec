"""A program whose memories are imported, and its account."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from attrs import define, field

from lamella.application.exchange.import_memories import ImportMemories, ImportRequest, MemoriesImported
from lamella.domain.errors import PeerUnreadableError
from lamella.domain.memories.observation import Observation
from lamella.ports.peers import ForeignMemory, ForeignPrompt, Peer, Record, Store
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN

SECRET = "ghp_" + "a" * 36
YESTERDAY = DAWN - timedelta(days=1)


@define
class Shelf(Peer):
    """A program with these records in its only store; it breaks where it should."""

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
    """The last account of an import."""

    def opened(name: str, path: Path | None) -> Peer:
        assert (name, path) == ("shelf", request.get("path"))
        return shelf

    importing = ImportMemories(
        projects=desk.projects, clock=desk.clock, peers=opened, keeps_conversations=keeps_conversations
    )
    accounts = list(importing(desk.call, ImportRequest(peer="shelf", **request)))
    assert all(each is accounts[0] for each in accounts)
    return accounts[-1]


def kept(desk: Desk, *memories: ForeignMemory, **request: Any) -> list[Observation]:
    """What becomes of memories, in order of sequence."""
    imported(desk, Shelf(memories), **request)
    return sorted(desk.everything, key=lambda each: each.sequence)


def at(directory: str, desk: Desk) -> list[str]:
    """The texts in the project of a directory."""
    return [each.content for each in desk.at(directory=Path(directory)).everything]


def asked(key: str, text: str, *, session: str = "s-9", project: str = "lovelace") -> ForeignPrompt:
    """A prompt that a program has kept."""
    return ForeignPrompt(key=key, text=text, session=session, project=project, at=YESTERDAY)
