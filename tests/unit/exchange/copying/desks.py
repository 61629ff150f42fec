"""Machines whose memories are copied into a storage that they share, and back.

Usage: python -m tests.unit.exchange.copying.desks FILE ... writes what sessions print now.

    $ laptop save tea                  what `tests/unit/support/desk_session.py` tells, on one of the machines
    $ laptop@team save tea             the same in a storage that machines share, or in another one of the machine
    $ laptop full                      memories of every kind, in two projects that were merged and a third
    $ laptop edited "first = 1"        a captured edit; all have the same reason
    $ laptop aged                      a day later edits lose their lines
    $ laptop clone /srv/app            a clone of a repository that others have too; from now on in its project
    $ copy laptop laptop@team          copy everything and compare; `talks=no` without conversations
    $ same laptop laptop@back          whether both export the same

A storage is shared if its name is `team`. Ids of the second machine count from 101.
"""

import sys
from datetime import timedelta
from pathlib import Path

from attrs import define, evolve, field

from lamella.application.exchange.copy import CopyAccount, CopyMemories
from lamella.domain.memories.kind import EDITED
from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.ledger import Capture
from lamella_adapters.memory import InMemoryStorage
from tests.end_to_end.support.sessions import Step, write_anew
from tests.unit.exchange.moving import REPOSITORY, exported, full_desk
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, CountingIds, FolderTree, NamedMachine
from tests.unit.support.telling import account, numbers


def server(desk: Desk) -> Desk:
    """Return the same machine with an empty storage shared by machines."""
    return evolve(desk, storage=InMemoryStorage(shared=True))


def copied(here: Desk, there: Desk, *, conversations: bool = True) -> CopyAccount:
    """Return the final account of a copy."""
    *_, last = CopyMemories(here.projects, there.projects)(here.call, conversations=conversations)
    return last


def differing(account: CopyAccount) -> list[str]:
    """Return the kinds that differ between both sides."""
    return [each.kind for each in account.rows if not each.equal]


def clone(desk: Desk, folder: str) -> Project:
    """Return the location of a clone on a machine."""
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
    """Capture edits of a file, in order, for one prompt."""
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


@define
class MachineShell(DeskShell):
    """Interpreter of sessions at several machines."""

    desk: Desk = field(init=False)
    desks: dict[str, Desk] = field(init=False, factory=dict)
    storages: dict[str, InMemoryStorage] = field(init=False, factory=dict)

    def answer(self, step: Step) -> list[str]:
        name, _, typed = step.typed.partition(" ")
        if name in ("copy", "same"):
            self.desk = Desk()
            return super().answer(step)
        self.desk = self._at_the_desk(name)
        told = super().answer(Step(step.prompt, typed))
        self.desks[name] = self.desk
        return told

    def _at_the_desk(self, name: str) -> Desk:
        machine, _, place = name.partition("@")
        if machine not in self.desks:
            ids = CountingIds(last=100 * len({each.partition("@")[0] for each in self.desks}))
            self.desks[machine] = Desk(machine=NamedMachine(machine), ids=ids)
        if name not in self.desks:
            storage = self.storages.setdefault(place, InMemoryStorage(shared=place == "team"))
            self.desks[name] = evolve(self.desks[machine], storage=storage)
        return self.desks[name]

    def _copy(self, source: str, target: str, talks: str = "") -> list[str]:
        here, there = self._at_the_desk(source), self._at_the_desk(target)
        done = copied(here, there, conversations=talks != "no")
        registry = there.storage.registry
        compared = [f"{each.kind} {each.source}/{each.target}" for each in done.rows if each.source or each.target]
        differ = [each.kind for each in done.rows if not each.equal]
        unmerged = [" and ".join(registry.named(id).name for id in pair) for pair in done.unmerged]
        notes = {
            "differ": differ,
            "kept": [numbers(done.comparison.kept)] if done.comparison.kept else [],
            "still there": [numbers(each) for each in done.comparison.still_there.values()],
            "conversations still there": [id for each in done.comparison.sessions_there.values() for id in each],
            "unmerged": unmerged,
        }
        told = [f"{name}: {', '.join(each)}" for name, each in notes.items() if each]
        return [*account(done.taken), ", ".join(compared), *told, *(["equal"] if done.equal else [])]

    def _same(self, one: str, other: str) -> list[str]:
        return ["yes" if exported(self._at_the_desk(one)) == exported(self._at_the_desk(other)) else "no"]

    def _full(self) -> list[str]:
        self.desk = evolve(full_desk(), machine=self.desk.machine)
        return []

    def _edited(self, *lines: str) -> list[str]:
        edited(self.desk, *lines)
        return []

    def _aged(self) -> list[str]:
        self.desk.storage.ledger(self.desk.project.id).age(self.desk.clock.moment + timedelta(days=1), limit=9)
        return []

    def _clone(self, folder: str) -> list[str]:
        self.desk.tree.clones[Path(folder)] = REPOSITORY
        self.desk = self.desk.at(project=clone(self.desk, folder).id)
        return []


if __name__ == "__main__":
    write_anew(sys.argv[1:], lambda _: MachineShell())
