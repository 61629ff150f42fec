"""Desks whose memories are exported and imported.

Usage: python -m tests.unit.exchange.moving FILE ... writes what sessions print now. A desk does in them what
`tests/unit/support/desk_session.py` tells, and is asked for more:

    $ export                                  keep what a folder of Markdown would have of the only project
    $ import 1 "another text" title=Times     import the files, of which one has been edited
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.export import ExportMemories, ExportRequest
from lamella.application.exchange.import_records import ImportRecords
from lamella.application.memories.save import SaveRequest
from lamella.domain.errors import LamellaError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Record
from lamella.domain.memories.observation import CodeChange
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.support.sessions import write_anew
from tests.unit.ledger.test_learn_from_git import commit, learned
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import ToldHistory, numbered
from tests.unit.support.telling import account

EVERYTHING = ExportRequest(every_project=True, include_messages=True)
REPOSITORY = f"repository:{'0' * 40}:example.org/ada/lovelace"
KEY = "AKIA" + "Q" * 16


def exported(desk: Desk, request: ExportRequest = EVERYTHING) -> list[Record]:
    return list(desk.make(ExportMemories)(desk.call, request))


def imported(desk: Desk, records: Sequence[Record | UnreadableExportError], **options: object) -> ImportAccount:
    """Return the final account of an import of records, whose positions are numbers.

    A dry run must have the same account, unless the options say `dry_run=False`.
    """
    placed = [(f"Record {number}", record) for number, record in enumerate(records)]

    def last(**options: Any) -> ImportAccount:
        return list(desk.make(ImportRecords)(desk.call, placed, **options))[-1]

    if "dry_run" in options:
        return last(**options)
    with suppress(LamellaError):
        expected = last(**options, dry_run=True)
    account = last(**options)
    assert account == expected
    return account


def elsewhere() -> Desk:
    """Return another machine without memories."""
    return Desk(call=evolve(Desk().call, directory=Path("/work")))


def full_desk() -> Desk:
    """Return a desk with memories of every kind, in two merged projects and a third one."""
    desk = Desk()
    first = desk.save("first")
    desk.saving(SaveRequest(text="second", replaces=(str(first.id),)))
    desk.purge(desk.call, [str(desk.save("purged").id)])
    desk.tree.known["a.py"] = CodeChange(path="a.py", additions=1, deletions=0, hunks="@@ @@\n+a = 1")
    desk.save("about a file", paths=("a.py",))
    learned(desk, ToldHistory([commit(1), commit(2)]))
    desk.said("A question", "More of it", session="s", name="A name")
    other = desk.at(directory=Path("/srv/other"))
    other.save("of another project")
    third = desk.at(directory=Path("/srv/third"))
    third.save("of a third one")
    desk.storage.registry.merge(other.project.id, desk.project.id, by=signed())
    third.save("saved last")
    return desk


@define
class ExportShell(DeskShell):
    """Interpreter of sessions at a desk, in which files of an export are edited."""

    records: list[Record] = field(factory=list)

    def _export(self) -> list[str]:
        self.records = exported(self.desk, ExportRequest())
        return []

    def _import(self, number: str, content: str = "", **options: Any) -> list[str]:
        changes = {name: options.pop(name) for name in ("title", "keywords") if name in options}
        edited: list[Record] = []
        for each in self.records:
            if isinstance(each, Arrival) and each.observation.id == numbered(int(number)):
                said = evolve(each.observation, content=content or each.observation.content, **changes)
                edited.append(Arrival(observation=said, place="ferry.md"))
            else:
                edited.append(each)
        return account(imported(self.desk, edited, folder=True, **options))


if __name__ == "__main__":
    write_anew(sys.argv[1:], lambda _: ExportShell(Desk()))
