"""Texts of an export that are too long to be saved."""

from attrs import evolve

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.project import Project
from tests.unit.exchange.moving import elsewhere, exported, imported
from tests.unit.support.doubles import Desk


def test_a_text_that_is_too_long_to_be_saved_is_split_by_every_import() -> None:
    desk, there = Desk(), elsewhere()
    desk.tree.known["a.py"] = CodeChange(path="a.py", additions=1, deletions=0, hunks="@@ @@\n+a = 1")
    desk.save("short", paths=("a.py",))
    project, arrival = exported(desk)
    assert isinstance(arrival, Arrival)
    long = evolve(arrival, observation=evolve(arrival.observation, title="Long", content="word " * 60_000))
    account = imported(there, [project, long], dry_run=True)
    assert (account.memories, account.split) == (30, 30)
    assert imported(there, [project, long]) == account
    assert isinstance(project, Project)
    home = there.storage.registry.named(project.name).id
    kept = [each.observation for each in there.storage.observations(home).page(limit=500)]
    assert {len(each.content) for each in kept} <= set(range(9_000, 10_001))
    assert " ".join(each.content for each in kept).split() == ["word"] * 60_000
    assert [each.title for each in (kept[0], kept[1], kept[-1])] == [f"Long ({n} of 30)" for n in (1, 2, 30)]
    assert (kept[0].id, kept[0].changes) == (arrival.observation.id, arrival.observation.changes)
    assert kept[1].changes == (CodeChange(path="a.py"),)
    # Again, and edited: the same parts are known.
    again = imported(there, [project, long], edits=True)
    assert (again.memories, again.known, again.edited) == (0, 30, 0)
    said = evolve(long.observation, content=f"changed {long.observation.content}")
    edited = imported(there, [project, evolve(long, observation=said)], edits=True)
    assert (edited.memories, edited.known) == (1, 30)


def test_a_title_that_is_too_long_to_be_saved_moves_into_the_text() -> None:
    desk, there = Desk(), elsewhere()
    desk.save("short")
    project, arrival = exported(desk)
    assert isinstance(arrival, Arrival)
    imported(there, [project, evolve(arrival, observation=evolve(arrival.observation, title="word " * 60))])
    assert isinstance(project, Project)
    (kept,) = there.storage.observations(there.storage.registry.named(project.name).id).page(limit=9)
    assert len(kept.observation.title) <= 200
    assert kept.observation.content == f"{'word ' * 59}word\n\nshort"
