"""Everything of one storage in another."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from lamella.application.exchange.taking_over import Portion
from lamella.application.memories.save import SaveRequest
from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.conversations.message import Batch
from lamella.domain.errors import AdvisedError, StorageBusyError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.observations import TakenOver
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.copying.desks import compared, copied, differing, edited, of, server
from tests.unit.exchange.moving import exported, full_desk, imported
from tests.unit.support.doubles import Desk, titles
from tests.unit.support.stand_ins import DAWN, LackingStorage


def test_a_copy_there_and_back_is_the_same_as_at_the_start() -> None:
    here = full_desk()
    there, back = server(here), evolve(here, storage=InMemoryStorage())
    account = copied(here, there)
    assert account.equal
    assert compared(account) == {
        "projects": (3, 3),
        "memories": (9, 9),
        "code changes": (3, 3),
        "purged": (2, 2),
        "log entries": (2, 2),
        "messages": (2, 2),
    }
    assert copied(there, back).equal
    assert exported(back) == exported(here)
    assert titles(back) == titles(there) == titles(here)


def test_who_copies_again_gets_what_is_new_and_nothing_twice() -> None:
    here = full_desk()
    there = server(here)
    copied(here, there)
    assert copied(here, there).taken.memories == 0
    here.save("new")
    there.save("of the team")
    again = copied(here, there)
    assert (again.taken.memories, again.taken.known, again.equal) == (1, 9, True)
    assert {"new", "of the team"} <= of(there, "lovelace").keys()


def test_what_was_done_at_the_source_since_is_done_at_the_target() -> None:
    here = Desk()
    old, gone, back, again = (here.save(text) for text in ("old", "gone", "back", "again"))
    here.purge(here.call, [str(back.id), str(again.id)])
    there = server(here)
    copied(here, there)
    here.saving(SaveRequest(text="new", replaces=(str(old.id),)))
    here.purge(here.call, [str(gone.id)])
    here.restore(here.call, [str(back.id), str(again.id)])
    here.clock.advance(timedelta(minutes=1))
    here.purge(here.call, [str(again.id)])
    account = copied(here, there)
    assert (account.taken.followed, account.taken.restored, account.equal) == (3, 1, True)
    found = of(there, "lovelace")
    assert {text: each.purged for text, each in found.items() if each.purged} == dict.fromkeys(
        ("old", "gone", "again"), True
    )
    assert found["old"].replaced_by == found["new"].id
    assert copied(here, there).taken.followed == 0


def test_an_edit_that_goes_on_at_the_source_goes_on_at_the_target() -> None:
    here = Desk()
    edited(here, "first = 1")
    there = server(here)
    copied(here, there)
    edited(here, "second = 2")
    account = copied(here, there)
    assert (account.taken.amended, account.equal) == (1, True)
    assert list(of(there, "lovelace")) == list(of(here, "lovelace")) == ["Edited: first = 1\n\nEdited: second = 2"]
    assert copied(here, there).taken.amended == 0


@pytest.mark.parametrize("aged_side", [0, 1])
def test_lines_that_age_has_dropped_on_one_side_make_no_difference(aged_side: int) -> None:
    here = Desk()
    edited(here, "first = 1")
    there = server(here)
    copied(here, there)
    desk = (here, there)[aged_side]
    desk.storage.ledger(desk.project.id).age(here.clock.moment + timedelta(days=1), limit=9)
    account = copied(here, there)
    assert (account.taken.amended, account.equal) == (0, True)


@pytest.mark.parametrize(
    ("changed", "differs"), [({"content": "changed by hand"}, "memories"), ({"purged_at": DAWN}, "purged")]
)
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


def test_what_was_changed_at_the_target_later_is_kept_and_named() -> None:
    here = Desk()
    said, erased = here.save("said"), here.save("erased")
    there = server(here)
    copied(here, there)
    there.clock.advance(timedelta(minutes=1))
    there.purge(there.call, [str(said.id)])
    there.observations.erase([erased.id], by=signed())
    account = copied(here, there)
    assert (account.comparison.kept, account.taken.erased, account.equal) == ([said.id], 1, True)
    assert compared(account)["memories"] == (1, 1)
    assert "erased" not in of(there, "lovelace")


def test_what_was_erased_at_the_source_stays_erased_at_the_target() -> None:
    here = Desk()
    gone, later, link = here.save("gone"), here.save("later"), here.save("link")
    before = exported(here)
    here.observations.erase([gone.id], by=signed())
    new = here.saving(SaveRequest(text="new", replaces=(str(link.id),))).observation
    there = server(here)
    account = copied(here, there)
    assert (compared(account)["erased"], account.equal) == ((1, 1), True)
    here.observations.erase([later.id, new.id], by=signed())
    account = copied(here, there)
    assert (compared(account)["erased"], differing(account)) == ((3, 1), ["erased"])
    assert set(account.comparison.still_there) == {later.id, new.id}
    there.observations.erase([later.id, new.id], by=signed())
    account = copied(here, there)
    assert (compared(account)["erased"], account.equal) == ((3, 3), True)
    assert imported(there, before).erased == 2
    assert of(there, "lovelace").keys() == {"link"}


def test_conversations_that_were_erased_stay_erased() -> None:
    here = Desk()
    for session in ("a", "b", "c"):
        here.said("Hello", "Again", session=session)
    here.made_here.conversations().erase("a")
    there = server(here)
    assert copied(here, there).equal
    there.said("Of the target", session="t")
    there.made_here.conversations().erase("b")
    here.made_here.conversations().erase("c")
    here.said("More", "of it", session="d")
    account = copied(here, there)
    assert (account.comparison.erased_there, account.comparison.sessions_there) == (1, ["c"])
    assert differing(account) == ["erased"]
    assert [each.id for each in there.made_here.conversations().sessions()] == ["d", "t", "c"]


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


def test_conversations_stay_where_they_are_unless_they_are_asked_for() -> None:
    here = full_desk()
    there = server(here)
    account = copied(here, there, conversations=False)
    assert (account.messages, account.equal) == (2, True)
    assert there.made_here.conversations().counts(since=[here.clock.moment - timedelta(days=9)]) == (0,)
    assert copied(here, there).taken.messages == 2


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
            def take_over(
                self, arrivals: Sequence[Arrival], *, entry: AuditEntry | None = None
            ) -> tuple[TakenOver, ...]:
                if len(arrivals) > most:
                    raise StorageBusyError(reason="Too much.", advice="Try again.")
                return super().take_over(arrivals, entry=entry)

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


def test_there_has_to_be_something_to_copy() -> None:
    with pytest.raises(AdvisedError, match="There are no memories to copy"):
        copied(Desk(), server(Desk()))


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
