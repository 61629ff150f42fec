"""Machines of one person that share everything through a folder.

Usage: python -m tests.unit.exchange.everything.machines FILE ... writes what sessions print now.

    $ laptop save tea            what `tests/unit/support/desk_session.py` tells, on one of the machines
    $ laptop share edits=yes     share everything; `conversations=yes` and `dry_run=yes`
    $ laptop clone /srv/app      a clone of a repository that others have too; from now on there
    $ laptop edited "first = 1"  a captured edit
    $ laptop keeps "a secret"    a memory that no save would let in
    $ laptop files               names of its files, with the words of a type of records in each
    $ settle                     share on all machines until nothing changes, and say whether all say the same

Ids of the second machine count from 101. Each step takes a minute.
"""

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from attrs import define, field

from lamella.application.exchange.export import ExportMemories
from lamella.application.exchange.import_records import ImportRecords
from lamella.application.exchange.share_everything import EverythingAccount, ShareEverything
from lamella.domain.memories.observation import Draft
from lamella_adapters.cli.exchange.folder import MachineFolder
from tests.end_to_end.support.sessions import Step, write_anew
from tests.unit.exchange.copying.desks import edited
from tests.unit.exchange.moving import REPOSITORY
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import CountingIds, FixedClock, NamedMachine
from tests.unit.support.telling import account

ALL = {"edits": True, "conversations": True}


def sharing(desk: Desk) -> ShareEverything:
    """The use case of a desk."""
    return desk.make(ShareEverything, export=desk.make(ExportMemories), import_records=desk.make(ImportRecords))


def shared(desk: Desk, folder: Path, **options: bool) -> EverythingAccount:
    """The last account of sharing everything."""
    *_, last = sharing(desk)(desk.call, MachineFolder(folder, desk.machine.id()), **options)
    return last


def memories(desk: Desk) -> set[tuple[str, bool, str]]:
    """The text, status and heir of each memory of a machine."""
    stored = desk.storage
    pages = (stored.observations(each.id).page(limit=99) for each in stored.registry.all() if not each.moved_to)
    every = (each.observation for page in pages for each in page)
    return {(each.content, each.purged, str(each.replaced_by)) for each in every}


@define
class MachinesShell(DeskShell):
    """Somebody at several machines."""

    folder: Path
    desk: Desk = field(init=False)
    desks: dict[str, Desk] = field(init=False, factory=dict)
    clock: FixedClock = field(init=False, factory=FixedClock)

    def answer(self, step: Step) -> list[str]:
        if step.typed == "settle":
            return self._settle()
        name, _, typed = step.typed.partition(" ")
        if name not in self.desks:
            ids = CountingIds(last=100 * len(self.desks))
            self.desks[name] = Desk(machine=NamedMachine(name), ids=ids, clock=self.clock)
        self.desk = self.desks[name]
        self.clock.advance(timedelta(minutes=1))
        told = super().answer(Step(step.prompt, typed))
        self.desks[name] = self.desk
        return told

    def _settle(self) -> list[str]:
        rounds = 0
        while sum(
            shared(each, self.folder, edits=True, conversations=True).written for each in self.desks.values()
        ):
            rounds += 1
        first, *others = map(memories, self.desks.values())
        return [f"{rounds} rounds, {'the same' if all(each == first for each in others) else 'different'}"]

    def _share(self, **options: Any) -> list[str]:
        done = shared(self.desk, self.folder, **options)
        return [*account(done.taken), *(each for each in account(done) if each != "nothing")]

    def _clone(self, folder: str) -> list[str]:
        self.desk.tree.repositories |= {Path(folder)}
        self.desk.tree.clones[Path(folder)] = REPOSITORY
        return self._at(folder)

    def _edited(self, *lines: str) -> list[str]:
        edited(self.desk, *lines)
        return []

    def _keeps(self, text: str) -> list[str]:
        self.desk.observations.add(Draft(content=text), id=self.desk.ids.new(), now=self.desk.clock.now())
        return []

    def _files(self, kind: str = "memory") -> list[str]:
        told = []
        for path in sorted((self.folder / self.desk.machine.id()).iterdir()):
            records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            said = [each.get("content") or each.get("text") for each in records if each["type"] == kind]
            told.append(f"{path.stem.rpartition('-')[0]}: {', '.join(map(str, said))}".rstrip())
        return told


if __name__ == "__main__":
    write_anew(sys.argv[1:], MachinesShell)
