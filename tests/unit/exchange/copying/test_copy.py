"""Everything of one storage in another."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from lamella.application.exchange.importing import Portion
from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.conversations.message import Batch
from lamella.domain.errors import StorageBusyError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited
from lamella.domain.memories.observation import Draft
from lamella.domain.projects.project import Project
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.copying.desks import clone, copied, differing, machine, of, server
from tests.unit.exchange.moving import REPOSITORY, exported, full_desk, imported
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, LackingStorage, NamedMachine
from tests.unit.support.tables import cases


@cases
def test_a_text_or_a_status_that_is_another_one_differs(changed: dict[str, Any], differs: str) -> None:
    here = Desk()
    said = here.save("said")
    there = server(here)
    copied(here, there)
    storage = there.storage
    assert isinstance(storage, InMemoryStorage)
    row = storage.registry.data_of[there.project.id].rows[said.id]
    row.observation = evolve(row.observation, **changed)
    account = copied(here, there)
    assert (differing(account), account.equal) == ([differs], False)


def test_a_message_that_is_lost_differs() -> None:
    class Forgetful(InMemoryConversations):
        def add(self, batch: Batch) -> int:
            return len(batch.drafts)

    class Losing(InMemoryStorage):
        def conversations(self, project: str) -> Conversations:
            return Forgetful(self._scope(project))

    here = Desk()
    here.said("Hello")
    assert differing(copied(here, evolve(here, storage=Losing()))) == ["messages"]


def test_a_storage_that_keeps_less_takes_what_it_keeps() -> None:
    here = full_desk()
    there = evolve(here, storage=LackingStorage(set(Capability) - {Capability.ERASE}))
    account = copied(here, there)
    assert (account.taken.memories, account.messages, account.equal) == (9, 2, True)
    assert len(account.unmerged) == 1


def test_a_commit_that_was_learned_at_the_target_too_is_there_once() -> None:
    here = full_desk()
    there, other = server(here), evolve(Desk(), ids=evolve(here.ids, last=900))
    full = evolve(other, storage=there.storage)
    copied(here, there)
    assert full.project == there.project
    learned = [each for each in here.everything if each.learned]
    there.observations.erase([learned[0].id], by=signed())
    storage = there.storage
    assert isinstance(storage, InMemoryStorage)
    shelf = storage.registry.data_of[there.project.id]
    shelf.archive.marks.clear()
    account = copied(here, there)
    assert (account.taken.new.total(), account.equal) == (0, True)


class Slow(InMemoryStorage):
    """Takes too long for more than some memories at a time, and for none of them when it is away."""

    most = 3

    def observations(self, project: str) -> InMemoryObservations:
        most = self.most

        class Observations(InMemoryObservations):
            def insert_new(
                self, arrivals: Sequence[Arrival], *, entry: AuditEntry | None = None
            ) -> tuple[ImportResult, ...]:
                if len(arrivals) > most:
                    raise StorageBusyError(reason="Too much.", advice="Try again.")
                return super().insert_new(arrivals, entry=entry)

        return Observations(project, self.registry)


def test_a_slow_server_gets_less_at_a_time() -> None:
    here = full_desk()
    there = evolve(server(here), storage=Slow(shared=True))
    account = copied(here, there)
    assert (account.equal, account.taken.memories, account.taken.messages) == (True, 9, 2)
    away = Slow(shared=True)
    away.most = 0
    with pytest.raises(StorageBusyError):
        copied(here, evolve(there, storage=away))


def test_what_belongs_to_no_memories_is_divided_too() -> None:
    entries = [each.entry for each in exported(full_desk()) if isinstance(each, Audited)]
    portion = Portion(full_desk().project, entries=entries, names={"s": "A name"})
    first, second = portion.halved()
    assert (first.entries + second.entries, first.names, second.names) == (entries, {}, {"s": "A name"})


def test_a_memory_from_the_future_is_named() -> None:
    here = Desk()
    said = here.observations.add(
        Draft(content="early"), id=here.ids.new(), now=here.clock.moment + timedelta(days=9)
    )
    with pytest.raises(
        UnreadableExportError, match=f"Memory {said.observation.id}: the memory is from the future"
    ):
        copied(here, server(here))


def test_the_trail_says_who_copied_and_what() -> None:
    here = full_desk()
    there = server(here)
    copied(here, there)
    (entry,) = [each for each in there.made_here.audit().entries(limit=9) if each.action is Action.IMPORT]
    assert (entry.count, entry.by.author) == (7, "laptop's user")
    assert not any(each.entry.action is Action.IMPORT for each in exported(there) if isinstance(each, Audited))


APP, OTHER = "/home/ada/app", "/srv/other"


def test_a_place_that_leads_to_another_project_at_the_target_is_named() -> None:
    here = machine("laptop", (APP, REPOSITORY))
    here.at(project=clone(here, APP).id).save("of the laptop")
    there = server(here)
    for id, alias in (("place-0", f"machine:laptop:git:{APP}/.git"), ("known-0", REPOSITORY)):
        there.storage.registry.upsert(Project(id=id, name=id, aliases=(alias,), created_at=DAWN))
    account = copied(here, there)
    assert account.equal
    assert account.disputed == {f"machine:laptop:git:{APP}/.git": "place-0"}
    assert list(of(there, "known-0")) == ["of the laptop"]


def test_an_import_into_a_shared_storage_knows_projects_by_machine() -> None:
    here = Desk()
    here.save("said")
    for name in ("laptop", "desktop"):
        there = evolve(server(here), machine=NamedMachine(name))
        imported(there, exported(here))
        (project,) = there.storage.registry.all()
        assert project.aliases == (f"machine:{name}:dir:{here.call.directory}",)
        assert [each.content for each in there.everything] == ["said"]
