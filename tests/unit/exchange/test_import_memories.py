"""Take over the memories of another program."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve

from lamella.domain.errors import InvalidValueError, UnknownProjectError
from lamella.domain.memories.kind import Kind
from lamella.ports.peers import BROKEN, Skipped
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.shelf import SECRET, YESTERDAY, Shelf, at, imported, kept, said
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN


def test_a_memory_comes_as_it_was() -> None:
    (memory,) = kept(
        Desk(), said(title="Tea", source="habit", session="s-9", actor="user", kind=Kind.SUMMARY, paths=("a.py",))
    )
    assert (memory.title, memory.content, memory.source, memory.kind) == (
        "Tea",
        "Tea at noon.",
        "habit",
        Kind.SUMMARY,
    )
    assert (memory.session, memory.actor, memory.author) == ("s-9", "user", "shelf")
    assert (memory.created_at, memory.updated_at, memory.occurred_at) == (YESTERDAY,) * 3
    assert [change.path for change in memory.changes] == ["a.py"]
    assert not memory.purged


def test_what_is_missing_gets_what_a_save_would_give() -> None:
    (memory,) = kept(Desk(), said(content="Tea at noon. Coffee at nine.", created_at=None))
    assert (memory.title, memory.source, memory.created_at) == ("Tea at noon.", "manual", DAWN)


def test_a_time_to_come_becomes_the_present() -> None:
    (memory,) = kept(Desk(), said(created_at=datetime(9999, 1, 1, tzinfo=UTC)))
    assert memory.occurred_at == DAWN


@pytest.mark.parametrize("dry_run", [True, False])
def test_importing_twice_stores_nothing_new(dry_run: bool) -> None:
    desk, shelf = Desk(), Shelf([said("1"), said("2"), said("2"), said("3", "Coffee.", kind=Kind.SUMMARY)])
    first = imported(desk, shelf, dry_run=dry_run)
    assert first.new == Counter({("lovelace", Kind.NOTE): 2, ("lovelace", Kind.SUMMARY): 1})
    assert (first.read, first.known) == (4, 0)
    assert len(desk.everything) == (0 if dry_run else 3)
    imported(desk, shelf)
    again = imported(desk, shelf, dry_run=dry_run)
    assert (again.new, again.known) == (Counter(), 3)
    shelf.records = [*shelf.records, said("1", "Tea at one.")]
    assert imported(desk, shelf, dry_run=dry_run).new.total() == 1


def test_a_memory_is_the_same_whatever_the_file_says_of_its_project() -> None:
    desk = Desk()
    imported(desk, Shelf([said(project=None)]), project="lovelace")
    assert imported(desk, Shelf([said()])).known == 1


@pytest.mark.parametrize("records", [[], [BROKEN, BROKEN]])
def test_a_named_file_of_something_else_is_refused(records: list[Skipped]) -> None:
    named, found = (imported(Desk(), Shelf(list(records)), path=each) for each in (HOME, None))
    assert named.unreadable == ["No memories of shelf were found there. Check that it is the right file."]
    assert found.unreadable == []


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


def test_a_merge_makes_no_memory_new() -> None:
    desk = Desk()
    desk.save("Something.")
    shelf = Shelf([said(directory="/gone/orchard")])
    imported(desk, shelf)
    registry = desk.storage.registry
    registry.merge(registry.named("orchard").id, desk.project.id, by=signed())
    assert imported(desk, shelf).known == 1


def test_large_imports_go_in_batches_and_a_dry_run_counts_each_memory_once() -> None:
    desk = Desk()
    shelf = Shelf([said(str(n % 700), f"Text {n % 700}") for n in range(1_400)])
    dry, done = (imported(desk, shelf, dry_run=each) for each in (True, False))
    assert dry.new == done.new == Counter({("lovelace", Kind.NOTE): 700})
    assert dry.known == done.known


def test_secrets_are_redacted_before_anything_is_stored() -> None:
    desk = Desk()
    memory = said(content=f"key {SECRET}", title=f"About {SECRET}", source=f"by {SECRET}", paths=(f"{SECRET}.py",))
    shelf = Shelf([memory, said("2", "mine <private>alone</private>")])
    assert imported(desk, shelf, dry_run=True).redacted == imported(desk, shelf).redacted == 4
    first, second = sorted(desk.everything, key=lambda each: each.sequence)
    assert (first.title, first.content, first.source) == ("About [redacted]", "key [redacted]", "by [redacted]")
    assert (first.changes[0].path, second.content) == ("[redacted].py", "mine [private]")
    assert imported(desk, shelf).redacted == 0


def test_a_password_in_an_address_given_as_a_path_is_redacted_before_the_path_is_normalised() -> None:
    desk = Desk()
    imported(desk, Shelf([said(paths=("https://ada:x7Kq2mP9vB@git.example/a",))]))
    assert [change.path for each in desk.everything for change in each.changes] == [
        "https:/ada:[redacted]@git.example/a"
    ]


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


def test_what_was_deleted_there_is_skipped_or_purged() -> None:
    desk, shelf = Desk(), Shelf([said(deleted=True), Skipped("odd"), Skipped("odd")])
    assert imported(desk, shelf).skipped == Counter({"deleted there": 1, "odd": 2})
    assert desk.everything == []
    assert imported(desk, shelf, deleted=True).purged == 1
    (memory,) = desk.everything
    assert (memory.purged_at, memory.created_at) == (DAWN, YESTERDAY)


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


@pytest.mark.parametrize("directory", ["/gone/orchard", "/gone/orchard/", "C:\\gone\\orchard"])
def test_a_directory_that_is_gone_is_a_project_of_its_name(directory: str) -> None:
    desk = Desk()
    shelf = Shelf([said(directory=directory, project="o"), said("2", directory="/a\0b")])
    path = directory.rstrip("/")
    name = f"orchard (its folder is gone: {path})"
    for dry_run in (True, False):
        account = imported(desk, shelf, dry_run=dry_run)
        assert account.new == Counter({(name, Kind.NOTE): 1, ("lovelace", Kind.NOTE): 1})
    (project,) = (each for each in desk.storage.registry.all() if each.name == "orchard")
    assert project.aliases == (f"dir:{path}",)


def test_a_name_means_the_only_project_of_that_name() -> None:
    desk = Desk()
    desk.at(directory=Path("/srv/orchard")).save("Pears")
    shelf = Shelf([said(project="orchard", paths=("/srv/orchard/a.py",)), said("2", project="orchard/rows")])
    assert imported(desk, shelf).new == Counter({("orchard", Kind.NOTE): 2})
    assert len(at("/srv/orchard", desk)) == 3
    desk.at(directory=Path("/old/orchard")).save("Plums")
    account = imported(desk, Shelf([said("3", project="orchard"), said("4", project=None)]))
    assert account.unplaced == Counter({"orchard": 1, "": 1})
    # Where several have the name, the one of the working directory is meant.
    imported(desk.at(directory=Path("/old/orchard")), Shelf([said("3", project="orchard")]))
    assert len(at("/old/orchard", desk)) == 2


def test_a_program_may_have_names_of_its_own_for_directories() -> None:
    desk = Desk()
    desk.at(directory=Path("/srv/orchard")).save("Pears")
    shelf = Shelf([said(project="#1"), said("2", project="#2")], folders={"/srv/orchard": "#1", str(HOME): "#2"})
    assert imported(desk, shelf).new == Counter({("orchard", Kind.NOTE): 1, ("lovelace", Kind.NOTE): 1})


def test_the_user_says_where_a_project_goes(tmp_path: Path) -> None:
    desk = Desk()
    (tmp_path / "orchard").mkdir()
    desk.at(directory=Path("/srv/mill")).save("Flour")
    memories = [said(str(n), project=name) for n, name in enumerate(["a", "b/tree", "c", None, "d"])]
    given = {"a": str(tmp_path / "orchard"), "b": "mill", "c": "lovelace"}
    for dry_run in (True, False):
        account = imported(desk, Shelf(memories), projects=given, project="everywhere", dry_run=dry_run)
        assert account.new == Counter(
            {(name, Kind.NOTE): n for name, n in {"orchard": 1, "mill": 1, "lovelace": 1, "everywhere": 2}.items()}
        )
    again = imported(desk, Shelf(memories), projects=given, project="everywhere", dry_run=True)
    assert (again.new.total(), again.known) == (0, 5)


@pytest.mark.parametrize(
    ("given", "error"), [("nowhere", UnknownProjectError), ("./nowhere", InvalidValueError)], ids=str
)
def test_a_project_that_does_not_exist_is_refused_before_anything_is_read(
    given: str, error: type[Exception]
) -> None:
    desk = Desk()
    for request in ({"project": given}, {"projects": {"x": given}}):
        with pytest.raises(error):
            imported(desk, Shelf([said()]), **request)
    assert desk.storage.registry.all() == ()


def test_what_holds_everywhere_can_be_switched_off() -> None:
    with pytest.raises(InvalidValueError, match="LAMELLA_EVERYWHERE"):
        imported(evolve(Desk(), shows_everywhere=False), Shelf([said()]), project="everywhere")
