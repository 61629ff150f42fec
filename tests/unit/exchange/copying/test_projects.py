"""Projects of one storage find their places in another."""

from datetime import timedelta
from pathlib import Path

from attrs import evolve

from lamella.application.projects.manage import SplitProject
from lamella.domain.projects.project import Project
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.copying.desks import clone, copied, machine, of, server
from tests.unit.exchange.moving import REPOSITORY, exported, imported
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, NamedMachine

APP, OTHER = "/home/ada/app", "/srv/other"


def projects(desk: Desk) -> dict[str, tuple[str, ...]]:
    """Names of projects that were not merged, with their aliases."""
    return {each.name: each.aliases for each in desk.storage.registry.all() if each.moved_to is None}


def there_from(here: Desk, there: Desk) -> Desk:
    """Another machine that works with the storage of `there`."""
    return evolve(here, storage=there.storage)


def test_a_repository_is_one_project_wherever_it_was_cloned() -> None:
    laptop, desktop = machine("laptop", (APP, REPOSITORY)), machine("desktop", (OTHER, REPOSITORY))
    laptop.at(project=clone(laptop, APP).id).save("of the laptop")
    desktop.ids.last = 100
    desktop.at(project=clone(desktop, OTHER).id).save("of the desktop")
    team = server(laptop)
    assert copied(laptop, team).equal
    assert copied(desktop, there_from(desktop, team)).equal
    (aliases,) = projects(team).values()
    assert aliases == (f"machine:desktop:git:{OTHER}/.git", f"machine:laptop:git:{APP}/.git", REPOSITORY)
    assert set(of(team, "app")) == {"of the laptop", "of the desktop"}


def test_the_same_path_on_two_machines_is_two_projects() -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    desktop.ids.last = 100
    laptop.save("of the laptop")
    desktop.save("of the desktop")
    team = server(laptop)
    assert copied(laptop, team).equal
    assert copied(desktop, there_from(desktop, team)).equal
    assert len({each.id for each in team.storage.registry.all()}) == 2
    assert [each.content for each in team.everything] == ["of the laptop"]
    back = evolve(desktop, storage=InMemoryStorage())
    assert copied(there_from(desktop, team), back).equal
    assert [each.content for each in back.everything] == ["of the desktop"]
    assert back.project == desktop.project


def test_what_holds_everywhere_is_that_of_its_machine() -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    for number, desk in enumerate((laptop, desktop)):
        desk.ids.last = 100 * number
        everywhere = desk.projects.make_everywhere(desk.call).project
        assert everywhere is not None
        desk.at(project=everywhere.id).save(f"of the {desk.machine.name}")
    team = server(laptop)
    copied(laptop, team)
    copied(desktop, there_from(desktop, team))
    for desk in (laptop, desktop):
        place = there_from(desk, team).projects.everywhere(desk.call)
        assert place is not None
        found = place.observations.page(limit=9)
        assert [each.observation.content for each in found] == [f"of the {desk.machine.name}"]


def test_a_name_means_the_same_on_every_machine() -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    desktop.ids.last = 100
    for desk in (laptop, desktop):
        desk.at(default_project="notes").save(f"of the {desk.machine.name}")
    team = server(laptop)
    copied(laptop, team)
    copied(desktop, there_from(desktop, team))
    assert set(of(team, "notes")) == {"of the laptop", "of the desktop"}


def test_two_clones_on_one_machine_become_one_project_that_can_be_split() -> None:
    here = machine("laptop", (APP, REPOSITORY), (OTHER, REPOSITORY))
    for folder in (APP, OTHER):
        here.at(project=clone(here, folder).id).save(f"in {folder}")
    before = exported(here)
    team = server(here)
    for _ in range(2):
        account = copied(here, team)
        assert (account.equal, account.unmerged, account.disputed) == (True, (), {})
    (merged,) = [each for each in team.storage.registry.all() if each.moved_to]
    assert set(of(team, merged.id)) == {f"in {APP}", f"in {OTHER}"}
    account = copied(team, here)
    assert (account.equal, account.taken.memories, len(account.unmerged)) == (True, 0, 1)
    found = [each for each in exported(here) if not isinstance(each, Project)]
    assert found == [each for each in before if not isinstance(each, Project)]
    SplitProject(team.storage, team.projects)(team.call, merged.id)
    assert list(of(team, merged.id)) == [f"in {(merged.name == 'app' and APP) or OTHER}"]
    account = copied(here, team)
    assert (account.equal, account.taken.memories) == (True, 0)


def test_projects_that_were_merged_one_into_the_other_are_merged_at_the_target() -> None:
    here = Desk()
    ids = []
    for name in ("a", "b", "c"):
        desk = here.at(directory=Path(f"/srv/{name}"))
        desk.save(f"in {name}")
        ids.append(desk.project.id)
    here.storage.registry.merge(ids[0], ids[1], by=signed())
    here.storage.registry.merge(ids[1], ids[2], by=signed())
    there = server(here)
    for _ in range(2):
        assert copied(here, there).equal
    assert set(of(there, "a")) == {"in a", "in b", "in c"}
    back = evolve(here, storage=InMemoryStorage())
    assert copied(there, back).equal
    assert exported(back) == exported(here)


def two_projects() -> tuple[Desk, Desk, Desk]:
    """Desks at two projects of one storage, and the storage into which they were copied."""
    one = Desk().at(directory=Path("/srv/one"))
    other = one.at(directory=Path("/srv/other"))
    one.save("in one")
    other.save("in other")
    there = server(one)
    copied(one, there)
    return one, other, there


def test_what_was_merged_at_the_source_since_stays_apart_at_the_target_and_is_named() -> None:
    one, other, there = two_projects()
    one.storage.registry.merge(one.project.id, other.project.id, by=signed())
    other.save("later")
    account = copied(one, there)
    names = [[there.storage.registry.named(id).name for id in pair] for pair in account.unmerged]
    assert (account.equal, account.taken.memories, names) == (True, 1, [["one", "other"]])
    assert (list(of(there, "one")), list(of(there, "other"))) == (["in one"], ["in other", "later"])


def test_what_was_merged_at_the_target_since_stays_merged() -> None:
    one, _, there = two_projects()
    ids = {name: there.storage.registry.named(name).id for name in ("one", "other")}
    there.storage.registry.merge(ids["one"], ids["other"], by=signed())
    one.save("later")
    assert copied(one, there).equal
    assert list(of(there, "other")) == ["in other", "in one", "later"]


def test_a_place_that_leads_to_another_project_at_the_target_is_named() -> None:
    here = machine("laptop", (APP, REPOSITORY))
    here.at(project=clone(here, APP).id).save("of the laptop")
    there = server(here)
    for id, alias in (("place-0", f"machine:laptop:git:{APP}/.git"), ("known-0", REPOSITORY)):
        there.storage.registry.take_over(Project(id=id, name=id, aliases=(alias,), created_at=DAWN))
    account = copied(here, there)
    assert account.equal
    assert account.disputed == {f"machine:laptop:git:{APP}/.git": "place-0"}
    assert list(of(there, "known-0")) == ["of the laptop"]


def test_memory_is_off_where_it_is_off_at_the_source() -> None:
    here = Desk()
    here.save("said")
    id, switch = here.project.id, here.storage.registry.switch
    switch(id, on=False, now=DAWN + timedelta(minutes=5))
    there = server(here)
    assert copied(here, there).equal
    (home,) = there.storage.registry.all()
    assert (home.off, list(of(there, home.id))) == (here.storage.registry.named(id).off, ["said"])
    switch(id, on=True, now=DAWN + timedelta(minutes=6))
    switch(id, on=False, now=DAWN + timedelta(minutes=7))
    switch(id, on=True, now=DAWN + timedelta(minutes=8))
    here.save("later")
    assert copied(here, there).equal
    assert there.storage.registry.named(home.id).off == here.storage.registry.named(id).off
    assert list(of(there, home.id)) == ["said", "later"]


def test_where_memory_was_switched_off_at_the_target_nothing_is_copied() -> None:
    here = Desk()
    here.save("said")
    there = server(here)
    copied(here, there)
    (home,) = there.storage.registry.all()
    there.storage.registry.switch(home.id, on=False, now=DAWN + timedelta(minutes=5))
    here.storage.registry.switch(here.project.id, on=False, now=DAWN + timedelta(minutes=6))
    here.at(even_off=True).observations.purge([], by=signed())
    account = copied(here, there)
    assert (account.taken.off, account.equal) == ({"lovelace": 1}, False)
    assert there.storage.registry.named(home.id).off_since == DAWN + timedelta(minutes=5)


def test_an_import_into_a_shared_storage_knows_projects_by_machine() -> None:
    here = Desk()
    here.save("said")
    for name in ("laptop", "desktop"):
        there = evolve(server(here), machine=NamedMachine(name))
        imported(there, exported(here))
        (project,) = there.storage.registry.all()
        assert project.aliases == (f"machine:{name}:dir:{here.call.directory}",)
        assert [each.content for each in there.everything] == ["said"]
