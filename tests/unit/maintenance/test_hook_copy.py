"""The copy that hooks read of a storage that they can't read."""

import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import define, evolve

from lamella.application.maintenance import hook_copy
from lamella.application.maintenance.hook_copy import KeepHookCopy
from lamella.application.projects import resolver
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.entry import Signature
from lamella.domain.errors import MemoryOffError, StorageError
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.projects.key import key_of_name
from lamella.ports.hook_reads import ProjectReads
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.sqlite.hook_reads import copy as copy_reads
from lamella_adapters.sqlite.hook_reads.hook_copy import KEPT_FOR, SqliteHookCopy, open_hook_copy
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, FixedClock

URL = "postgresql://ada:secret@host/db?tenant=ours"


@define
class Kept:
    """A storage that machines share, its copy, and a desk at which memories are saved."""

    desk: Desk
    projects: ProjectResolver
    copy: SqliteHookCopy
    data: Path

    def save(self, text: str, **fields: object) -> Observation:
        draft = Draft(content=text, **fields)  # type: ignore[arg-type]
        here = self.projects.find_or_create(self.desk.call)
        return here.observations.add(draft, id=self.desk.ids.new(), now=self.desk.clock.now()).observation

    def by(self) -> Signature:
        return Signature(at=self.desk.clock.now(), actor="user")

    @property
    def keeping(self) -> KeepHookCopy:
        return KeepHookCopy(self.desk.storage, self.projects, self.desk.clock, self.copy)

    def keep(self) -> int:
        """Bring the copy up to date. Return the number of steps."""
        return len(list(self.keeping()))

    def read(self, key: str | None = None, name: str = "") -> list[str]:
        """The notes that a hook reads at the place of the desk."""

        def look(project: ProjectReads) -> list[str]:
            return [each.content for each in project.index(decisions=0, notes=99, summaries=0, files=0).notes]

        reads = copy_reads.open_hook_reads(URL, str(self.data))
        assert reads is not None
        place = self.desk.tree.locate(self.desk.call.directory).key if key is None else key
        with reads.project(place, None, name) as project:
            return look(project)

    def nothing(self, key: str | None = None) -> bool:
        """Return True if a hook finds no project."""
        try:
            self.read(key)
        except Exception:  # noqa: BLE001 - a hook stays silent, whatever is raised
            return True
        return False


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    desk = Desk(storage=InMemoryStorage(shared=True), clock=FixedClock(DAWN)).at(default_project=None)
    with closing(open_hook_copy(URL, tmp_path)) as copy:
        yield Kept(desk, desk.projects, copy, tmp_path)


def test_hooks_read_what_was_saved_purged_restored_and_erased(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_copy, "_ASKED_AT_ONCE", 1)
    one, two = kept.save("one"), kept.save("two")
    memories = kept.projects.find(kept.desk.call).observations
    assert kept.keep() == 1
    assert sorted(kept.read()) == ["one", "two"]
    assert kept.keep() == 0
    memories.purge([one.id], by=kept.by())
    kept.keep()
    assert kept.read() == ["two"]
    memories.restore([one.id], by=kept.by())
    kept.keep()
    assert sorted(kept.read()) == ["one", "two"]
    memories.erase([two.id], by=kept.by())
    kept.keep()
    assert kept.read() == ["one"]
    (project,) = kept.copy.places().values()
    assert kept.copy.ids(project) == [one.id]
    assert not any(b"two" in each.read_bytes() for each in kept.data.rglob("*") if each.is_file())


def test_without_a_copy_nothing_is_done(kept: Kept) -> None:
    kept.save("one")
    assert list(evolve(kept.keeping, hook_copy=None)()) == []
    assert copy_reads.open_hook_reads(URL, str(kept.data)) is None


def test_a_place_without_a_project_makes_no_copy(kept: Kept) -> None:
    assert kept.projects.find(kept.desk.call).project is None
    assert (kept.keep(), kept.copy.places(), kept.copy.refreshed()) == (0, {}, None)


def test_the_copy_is_private_and_does_not_name_the_storage(kept: Kept) -> None:
    kept.save("one")
    kept.keep()
    every = list((kept.data / "copies").rglob("*"))
    assert {each.stat().st_mode & 0o777 for each in every} == {0o700, 0o600}
    assert not any("ada" in str(each) or "secret" in str(each) for each in every)
    other = copy_reads.open_hook_reads(URL.replace("ours", "theirs"), str(kept.data))
    assert other is None


def test_a_project_that_is_set_is_read_under_its_name(kept: Kept) -> None:
    kept.desk = kept.desk.at(default_project="shop")
    kept.save("of the shop")
    kept.keep()
    assert kept.read(name="shop") == kept.read(key_of_name("shop")) == ["of the shop"]
    assert kept.nothing()


def test_a_call_that_names_a_project_says_nothing_of_its_place(kept: Kept) -> None:
    kept.save("one")
    (project,) = kept.desk.storage.registry.all()
    found = kept.desk.projects
    found.find(evolve(kept.desk.call, project=project.id))
    assert found.places == {}


def test_only_so_many_places_are_noted(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolver, "MOST_PLACES", 1)
    for name in ("one", "two"):
        kept.projects.find(evolve(kept.desk.call, default_project=name))
    assert kept.projects.places == {key_of_name("one"): None}


def test_memories_that_hold_everywhere_are_copied_too(kept: Kept) -> None:
    place = kept.projects.make_everywhere(kept.desk.call)
    place.observations.add(Draft(content="always"), id=kept.desk.ids.new(), now=DAWN)
    kept.keep()
    assert kept.read("everywhere:") == ["always"]
    again = kept.desk.projects
    assert again.everywhere(kept.desk.call) is not None
    assert again.places == {"everywhere:": place.id}


def test_where_memory_is_off_the_copy_is_deleted(kept: Kept) -> None:
    kept.save("one")
    kept.keep()
    (project,) = kept.copy.places().values()
    kept.desk.storage.registry.switch(project, on=False, now=DAWN)
    kept.keep()
    assert kept.nothing()
    assert list((kept.copy.folder / "projects").iterdir()) == []
    with pytest.raises(MemoryOffError):
        kept.projects.find(kept.desk.call)
    kept.desk.storage.registry.switch(project, on=True, now=DAWN)
    kept.keep()
    assert kept.read() == ["one"]


def test_a_place_leads_to_the_project_that_another_was_merged_into(kept: Kept) -> None:
    kept.save("of the old")
    (old,) = kept.desk.storage.registry.all()
    kept.keep()
    other = evolve(kept, desk=kept.desk.at(default_project="other"))
    other.save("of the new")
    new = next(each for each in kept.desk.storage.registry.all() if each.id != old.id)
    kept.desk.storage.registry.merge(old.id, new.id, by=kept.by())
    # A process that has not been asked since.
    kept.keep()
    assert sorted(kept.read()) == ["of the new", "of the old"]
    assert set(kept.copy.places().values()) == {new.id}
    kept.desk.storage.registry.split(old.id, by=kept.by())
    kept.projects.find(kept.desk.call)
    kept.keep()
    assert kept.read() == ["of the old"]
    assert kept.read(key_of_name("other")) == ["of the new"]


def test_a_copy_that_is_not_whole_is_not_read_and_goes_on(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_copy, "_PAGE", 1)
    for text in ("one", "two", "three"):
        kept.save(text)
    first = kept.keeping()
    next(first)
    assert kept.nothing()
    (project,) = kept.copy.places().values()
    assert len(kept.copy.ids(project)) == 1
    assert kept.keep() == 2
    assert sorted(kept.read()) == ["one", "three", "two"]
    # What goes on from there changes nothing any more.
    list(first)
    assert kept.keep() == 0
    assert sorted(kept.read()) == ["one", "three", "two"]


def test_what_changes_meanwhile_is_left_to_the_next_look(kept: Kept) -> None:
    kept.save("one")
    copying = kept.keeping()
    next(copying)
    kept.save("two")
    kept.save("three")
    list(copying)
    (project,) = kept.copy.places().values()
    kept.save("four")
    unsettled = kept.keeping()
    next(unsettled)
    kept.save("five")
    kept.projects.find(kept.desk.call).observations.erase([kept.save("six").id], by=kept.by())
    list(unsettled)
    assert kept.copy.copied(project).revision is None
    kept.keep()
    assert sorted(kept.read()) == ["five", "four", "one", "three", "two"]


def test_copies_that_nothing_refreshes_are_deleted(kept: Kept, tmp_path: Path) -> None:
    kept.save("one")
    kept.keep()
    with closing(open_hook_copy("postgresql://another", tmp_path)) as other:
        assert other.refreshed() is None
        (state,) = kept.desk.storage.feed.states(kept.copy.places().values()).values()
        other.lead({"k": state})
        other.refresh(DAWN)
        kept.desk.clock.advance(KEPT_FOR)
        kept.keep()
        assert other.folder.exists()
        kept.desk.clock.advance(timedelta(seconds=1))
        kept.keep()
        assert not other.folder.exists()
    assert kept.copy.refreshed() == kept.desk.clock.now()


def test_an_old_copy_says_how_old_it_is(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.save("one")
    kept.keep()
    reads = copy_reads.open_hook_reads(URL, str(kept.data))
    assert reads is not None
    key = kept.desk.tree.locate(kept.desk.call.directory).key
    now = kept.desk.clock.now().timestamp()
    for age, expected in ((60, None), (copy_reads.LONG_AGO + 1, now * 10**6)):
        monkeypatch.setattr(time, "time", lambda age=age: now + age)
        with reads.project(key, None, "") as project:
            assert project.index(decisions=0, notes=0, summaries=0, files=0).overview.as_of == expected


@pytest.mark.parametrize("file", ["registry.db", "projects/*.db", "."])
def test_a_copy_that_is_damaged_or_gone_is_made_anew(kept: Kept, file: str) -> None:
    kept.save("one")
    kept.keep()
    kept.copy.close()
    if file == ".":
        kept.copy._begin_anew()
    for each in kept.copy.folder.glob(file) if file != "." else ():
        each.write_bytes(b"no database" * 1000)
    with closing(open_hook_copy(URL, kept.data)) as again:
        renewed = evolve(kept, copy=again)
        if file != ".":
            with pytest.raises(StorageError):
                renewed.keep()
        renewed.keep()
        assert renewed.read() == ["one"]
