"""Decisions about places, arrivals, switches, merges and splits of projects."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve

from lamella.domain.errors import AmbiguousProjectError, ProjectChangeError, UnknownProjectError  # noqa: F401 - for the table
from lamella.domain.projects.key import EVERYWHERE  # noqa: F401 - for the table
from lamella.domain.projects.project import Location, OffPeriod, Project
from lamella.domain.text.printing import MAX_KEY_CHARACTERS, stored_key  # noqa: F401 - for the table
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook, look_for
from lamella.domain.transactions.merging import Move, decide_merge, decide_split  # noqa: F401 - for the table
from lamella.domain.transactions.registry import (
    KeepOff,
    LeadTo,
    MakeProject,
    decide_arrival,
    decide_place,
    decide_switch,
    look_for_arrival,
)
from tests.unit.support.tables import cases

NOW = datetime(2024, 5, 6, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
UPSTREAM, FORK = (f"repository:{'0' * 40}:host/{owner}" for owner in ("ada", "fork"))


def project(id: str, *aliases: str, name: str = "", moved_to: str | None = None) -> Project:
    return Project(id=id, name=name or id, aliases=aliases, created_at=NOW, moved_to=moved_to)


def place(key: str, repository: str | None = None) -> Location:
    return Location(key=key, name="app", root=Path("/"), repository=repository)


CHAIN = Catalogue.of([project("a", "/a", moved_to="b"), project("b", "/b", moved_to="c"), project("c", "/c")])


LONG = "/" * (MAX_KEY_CHARACTERS + 1)


@cases
def test_a_place_is_looked_for_by_its_repository_and_its_key_and_names_with_it(
    there: Location, called: tuple[str | None, ...], look: ProjectLook
) -> None:
    assert look_for(there, None, called=called) == look


def test_a_new_place_is_a_new_project_and_two_of_one_name_are_two() -> None:
    one, two = place("/a-new"), place("/b-new", UPSTREAM)
    for here in (one, two):
        made = Project(id=here.project_id, name="app", aliases=(here.alias,), created_at=NOW)
        assert decide_place(here, CHAIN, now=NOW) == ((MakeProject(made),), made.id)
    assert one.project_id != two.project_id


def test_a_place_that_gets_a_remote_keeps_its_project_which_learns_the_alias() -> None:
    here = place("/a", UPSTREAM)
    assert CHAIN.settled_at(place("/a")) == CHAIN.known("c")
    assert CHAIN.settled_at(here) is None
    assert decide_place(here, CHAIN, now=NOW) == ((LeadTo("a", (UPSTREAM,)),), "a")


CLONES = Catalogue.of(
    [
        project("a", UPSTREAM),
        project("b", "/here", UPSTREAM.replace("ada", "eve")),
        project("c", "machine:laptop:/app"),
    ]
)


@cases
def test_clones_are_one_project_and_a_fork_or_another_machine_is_another(
    there: Location, settled: str | None, living: str | None
) -> None:
    found = (CLONES.settled_at(there), CLONES.living_at(there))
    assert [each and each.id for each in found] == [settled, living]


def test_an_id_goes_before_an_alias_and_that_before_a_name() -> None:
    known = Catalogue.of([project("a", "/a"), project("b", name="a"), project("c", name="/a")])
    assert [known.named(asked).id for asked in ("a", "/a", "b")] == ["a", "a", "b"]


def test_names_are_taken_exactly_and_may_be_ambiguous_unless_merges_made_them_one() -> None:
    known = Catalogue.of([project("a", name="App"), project("b", name="App"), project("c", name="app")])
    for asked in ("APP", "ap", "App ", ""):
        with pytest.raises(UnknownProjectError):
            known.named(asked)
    with pytest.raises(AmbiguousProjectError) as raised:
        known.named("App")
    assert (raised.value.asked, list(raised.value.candidates)) == ("App", ["a", "b"])
    merged = Catalogue.of([project("a", name="App"), project("b", name="App", moved_to="a")])
    assert merged.named("App") == merged.known("a")


def test_a_project_from_elsewhere_is_made_or_gets_the_aliases_that_are_free() -> None:
    made = project("x", "/new", "/a", moved_to="y")
    assert look_for_arrival(made) == ProjectLook(ids=("x",), aliases=("/new", "/a"))
    assert decide_arrival(made, CHAIN) == ((LeadTo("a", ("/new",)),), "a")
    assert decide_arrival(project("c", "/c"), CHAIN) == ((), "c")
    new = evolve(made, aliases=("/new",))
    assert decide_arrival(new, CHAIN) == ((MakeProject(evolve(new, moved_to=None)),), "x")


def test_a_merged_project_is_switched_where_its_memories_are() -> None:
    off = evolve(CHAIN.known("c"), off=(OffPeriod(NOW),))
    assert decide_switch("a", CHAIN, on=False, now=NOW) == ((KeepOff(off),), off)
    known = Catalogue.of([off])
    assert decide_switch("c", known, on=False, now=LATER) == ((), off)
    again = evolve(off, off=(OffPeriod(NOW, LATER),))
    assert decide_switch("c", known, on=True, now=LATER) == ((KeepOff(again),), again)


FOUR = Catalogue.of([*CHAIN.projects.values(), project("d")])


@cases
def test_a_merge_follows_earlier_merges_and_a_split_takes_merged_projects_along(decided: Move, move: Move) -> None:
    assert decided == move


@cases
def test_senseless_changes_and_those_of_unknown_projects_are_refused(
    change: Callable[[Catalogue], object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        change(FOUR)
