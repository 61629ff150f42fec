"""Machines whose memories are copied into a storage that they share, and back."""

from pathlib import Path

from attrs import evolve

from lamella.application.exchange.copy import CopyAccount, CopyMemories
from lamella.domain.memories.kind import EDITED
from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.ledger import Capture
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, FolderTree, NamedMachine


def server(desk: Desk) -> Desk:
    """The same machine, working with an empty storage that machines share."""
    return evolve(desk, storage=InMemoryStorage(shared=True))


def copied(here: Desk, there: Desk, *, conversations: bool = True) -> CopyAccount:
    """The last account of a copy."""
    *_, last = CopyMemories(here.projects, there.projects)(here.call, conversations=conversations)
    return last


def compared(account: CopyAccount) -> dict[str, tuple[int, int]]:
    """The numbers of what there is any of."""
    return {each.kind: (each.source, each.target) for each in account.rows if each.source or each.target}


def differing(account: CopyAccount) -> list[str]:
    """The kinds that are not the same on both sides."""
    return [each.kind for each in account.rows if not each.equal]


def clone(desk: Desk, folder: str) -> Project:
    """The project of a clone on a machine."""
    return desk.storage.registry.at(
        Location(key=f"git:{folder}/.git", name=Path(folder).name, root=Path(folder)), now=DAWN
    )


def of(desk: Desk, project: str) -> dict[str, Observation]:
    """Memories of a project by their text, purged ones too."""
    page = desk.storage.observations(desk.storage.registry.named(project).id).page(limit=99)
    return {each.observation.content: each.observation for each in page}


def machine(name: str, *clones: tuple[str, str]) -> Desk:
    """A machine with clones of repositories."""
    tree = FolderTree(clones={Path(folder): alias for folder, alias in clones})
    return Desk(machine=NamedMachine(name), tree=tree)


def edited(desk: Desk, *lines: str) -> None:
    """Capture edits of a file, one after the other, for one request of the user."""
    ledger = desk.storage.ledger(desk.project.id)
    for line in lines:
        change = CodeChange(path="a.py", additions=1, deletions=0, hunks=f"@@ -0,0 +1 @@\n+{line}")
        draft = Draft(
            content=f"Edited: {line}",
            title="An edit",
            source=EDITED,
            kind=Kind.CHANGE,
            session="s",
            changes=(change,),
            request=line,
        )
        ledger.record([Capture(id=desk.ids.new(), draft=draft, at=desk.clock.moment)])
