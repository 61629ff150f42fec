"""Take over the memories of another program."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lamella.domain.exchange.foreign import untagged, with_tags
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.ports.peers import BROKEN, ForeignMemory, Skipped
from lamella.ports.storage.storage import Capability
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.programs.shelf import Shelf, asked, imported, kept, said
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN, LackingStorage


def test_a_time_to_come_becomes_the_present() -> None:
    (memory,) = kept(Desk(), said(created_at=datetime(9999, 1, 1, tzinfo=UTC)))
    assert memory.occurred_at == DAWN


@pytest.mark.parametrize("records", [[], [BROKEN, BROKEN]])
def test_a_named_file_of_something_else_is_refused(records: list[Skipped]) -> None:
    named, found = (imported(Desk(), Shelf(list(records)), path=each) for each in (HOME, None))
    assert named.unreadable == ["No memories of shelf were found there. Check that it is the right file."]
    assert found.unreadable == []


def test_a_project_that_no_memory_has_is_named() -> None:
    account = imported(
        Desk(), Shelf([said("1", project="a/b")]), projects={"a": "lovelace", "orchrad": "lovelace"}
    )
    assert (account.new.total(), account.unreadable) == (1, ["No memory to import is of the project 'orchrad'."])


@pytest.mark.parametrize("dry_run", [True, False])
def test_what_was_erased_or_purged_here_stays_so(dry_run: bool) -> None:
    desk, shelf = Desk(), Shelf([said("1"), said("2", "Coffee."), said("3", "Milk.")])
    imported(desk, shelf)
    one, two, _ = sorted(desk.everything, key=lambda each: each.sequence)
    desk.observations.erase([one.id], by=signed())
    desk.purge(desk.call, [str(two.id)])
    account = imported(desk, shelf, dry_run=dry_run)
    assert (account.new.total(), account.known, account.purged_here, account.erased) == (0, 2, 1, 1)
    assert len(desk.everything) == 2


def test_parts_without_text_are_counted() -> None:
    assert imported(Desk(), Shelf([said(no_texts=2)])).skipped == {"values that aren't texts": 2}


def test_large_imports_go_in_batches_and_a_dry_run_counts_each_memory_once() -> None:
    desk = Desk()
    shelf = Shelf([said(str(n % 700), f"Text {n % 700}") for n in range(1_400)])
    dry, done = (imported(desk, shelf, dry_run=each) for each in (True, False))
    assert dry.new == done.new == Counter({("lovelace", Kind.NOTE): 700})
    assert dry.known == done.known


def test_a_long_text_is_split_and_nothing_of_it_is_lost() -> None:
    desk = Desk()
    words = [f"word{n}" for n in range(3_000)]
    parts = kept(desk, said(content=" ".join(words), title="Words"))
    assert [each.title for each in parts] == ["Words (1 of 3)", "Words (2 of 3)", "Words (3 of 3)"]
    assert [word for each in parts for word in each.content.split()] == words
    assert max(len(each.content) for each in parts) <= 10_000
    again = imported(desk, Shelf([said(content=" ".join(words), title="Words")]))
    assert (again.split, again.known) == (0, 3)


def test_equal_parts_of_one_text_are_memories_of_their_own() -> None:
    assert imported(Desk(), Shelf([said(content="x" * 25_000)])).split == 3


def test_a_long_title_moves_into_the_text() -> None:
    title = "A long title, " * 20
    (memory,) = kept(Desk(), said(title=title))
    assert memory.content == f"{title.strip()}\n\nTea at noon."
    assert len(memory.title) <= 200


def test_a_store_that_breaks_is_taken_over_as_far_as_it_goes() -> None:
    desk = Desk()
    account = imported(desk, Shelf([said()], breaks=True))
    assert (account.new.total(), account.unreadable) == (1, ["The shelf broke. Mend it."])


def test_a_directory_that_exists_is_its_project(tmp_path: Path) -> None:
    desk = Desk()
    there = said(
        directory=str(tmp_path), project="other", paths=("a.py", f"{tmp_path}/b.py", "/etc/passwd", "../c")
    )
    imported(desk, Shelf([there]))
    (memory,) = desk.at(directory=tmp_path).everything
    assert [change.path for change in memory.changes] == ["a.py", "b.py"]


def test_a_program_may_have_names_of_its_own_for_directories() -> None:
    desk = Desk()
    desk.at(directory=Path("/srv/orchard")).save("Pears")
    shelf = Shelf([said(project="#1"), said("2", project="#2")], folders={"/srv/orchard": "#1", str(HOME): "#2"})
    assert imported(desk, shelf).new == Counter({("orchard", Kind.NOTE): 1, ("lovelace", Kind.NOTE): 1})


def test_a_prompt_in_two_batches_counts_once() -> None:
    shelf = Shelf([asked("1", "Why?"), *[said(str(n), f"Text {n}") for n in range(500)], asked("1", "Why?")])
    assert imported(Desk(), shelf).prompts == 1


def test_a_storage_without_conversations_takes_no_prompts() -> None:
    desk = Desk(storage=LackingStorage({Capability.CONVERSATIONS}))
    assert imported(desk, Shelf([asked("1", "Why?"), said()])).prompts == 0


def test_the_line_with_tags_can_be_removed() -> None:
    assert with_tags("Tea at noon.", ["tea", "noon"]) == "Tea at noon.\n\nTags: tea, noon"
    assert untagged(with_tags("Tea at noon.", ["tea", "noon"])) == "Tea at noon."


def test_an_import_that_was_undone_and_done_again_keeps_its_links() -> None:
    desk = Desk()
    first = said("1", "Tea at noon.", title="Tea"), said("2", "Pears by hand.", title="Fruit")
    later = said("1", "Coffee at noon.", title="Tea"), said("2", "Pears by hand.", title="Pears")
    kept(desk, *first)
    before = {each.id: each.replaced_by for each in kept(desk, *later)}
    for name in (2, 3):
        desk.undo(desk.call, name)
    assert {each.id: each.replaced_by for each in desk.everything} == before
    assert sum(each is not None for each in before.values()) == len(first)


_RENAMED = pytest.mark.parametrize(
    ("first", "second"),
    [
        (said("n/tea.md", title="Tea"), said("nx/tea.md", title="Tea")),
        (said("a", title="Deploy: Tea at noon."), said("b", title="Deployment: Tea at noon.")),
    ],
)


@_RENAMED
@pytest.mark.parametrize("corrected", [True, False])
def test_a_memory_with_another_key_stays_purged_or_corrected(
    first: ForeignMemory, second: ForeignMemory, corrected: bool
) -> None:
    desk = Desk()
    (memory,) = kept(desk, first)
    _changed(desk, memory, corrected=corrected)
    account = imported(desk, Shelf([second]))
    assert (account.new.total(), account.purged_here, account.skipped) == (0, 1, {})
    assert len(desk.everything) == 1 + corrected


@_RENAMED
def test_an_erased_memory_with_another_key_stays_away(first: ForeignMemory, second: ForeignMemory) -> None:
    desk = Desk()
    (memory,) = kept(desk, first)
    desk.observations.erase([memory.id], by=signed())
    account = imported(desk, Shelf([second, said("c", "Green tea.")]))
    assert (account.new.total(), account.erased, len(desk.everything)) == (1, 1, 1)


@pytest.mark.parametrize("text", ["Tea.", "Tea.\n" * 3_000])
def test_an_erased_memory_named_by_its_key_stays_away_with_another_text(text: str) -> None:
    desk = Desk()
    memories = kept(desk, said("tea", text, title="tea"))
    desk.observations.erase([each.id for each in memories], by=signed())
    shelf = Shelf([said("tea", f"{text}Green tea.", title="tea"), said("milk", "Milk.", title="tea")])
    account = imported(desk, shelf)
    assert (account.new.total(), account.erased, account.split) == (1, len(memories), 0)


@pytest.mark.parametrize("corrected", [True, False])
def test_a_text_changed_there_stays_purged_or_corrected_and_is_counted(corrected: bool) -> None:
    desk = Desk()
    (memory,) = kept(desk, said(title="Tea"))
    _changed(desk, memory, corrected=corrected)
    account = imported(desk, Shelf([said(content="Tea at noon.\nGreen.", title="Tea")]))
    assert (account.new.total(), account.purged_here) == (0, 1)
    assert account.skipped == {f"changed there, but {'corrected' if corrected else 'purged'} here": 1}


def _changed(desk: Desk, memory: Observation, *, corrected: bool) -> None:
    if corrected:
        desk.save("Tea at one.", replaces=(str(memory.id),))
    else:
        desk.purge(desk.call, [str(memory.id)])
