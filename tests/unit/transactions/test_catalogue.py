"""Projects are found, made and merged by one catalogue."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve

from lamella.domain.errors import ProjectChangeError, StorageGoneError, UnknownProjectError
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue

NOW = datetime(2024, 5, 6, tzinfo=UTC)


def project(id: str, *aliases: str, moved_to: str | None = None) -> Project:
    return Project(id=id, name=id, aliases=aliases, created_at=NOW, moved_to=moved_to)


CHAIN = Catalogue.of(
    [project("a", "/a", moved_to="b"), project("b", "/b", moved_to="c"), project("c", "/c"), project("d", "/d")]
)


def test_merges_are_followed_all_the_way() -> None:
    assert [CHAIN.home(id).id for id in "abcd"] == ["c", "c", "c", "d"]
    assert CHAIN.leading_to("c") == {"a", "b"}


def test_a_home_that_is_missing_is_named() -> None:
    with pytest.raises(StorageGoneError, match="The memory file of project z is missing"):
        Catalogue.of([project("a", moved_to="z")]).home("a")


def test_an_unknown_project_is_refused() -> None:
    with pytest.raises(UnknownProjectError):
        CHAIN.known("z")


def test_a_place_of_another_repository_is_nobodys() -> None:
    one, other = (f"repository:{digit * 40}:host/path" for digit in "12")
    known = Catalogue.of([project("a", "/a", one)])
    here = Location(key="/a", name="a", root=Path("/a"))
    owners = [known.owner(evolve(here, repository=each)) for each in (None, one, other)]
    assert [each and each.id for each in owners] == ["a", "a", None]
    assert known.owner(evolve(here, key="/elsewhere")) is None


def test_one_from_elsewhere_is_known_by_its_id_or_an_alias_and_gets_free_ones() -> None:
    assert CHAIN.arriving(project("d", "/a", "/new")) == (evolve(CHAIN.known("d"), aliases=("/new",)), False)
    assert CHAIN.arriving(project("x", "/d", "/new")) == (evolve(CHAIN.known("d"), aliases=("/new",)), False)
    made = project("x", "/a-new", moved_to="y")
    assert CHAIN.arriving(made) == (evolve(made, moved_to=None), True)


@pytest.mark.parametrize(
    ("old", "new", "reason"), [("a", "d", "merged into b already"), ("c", "a", "merged into itself")]
)
def test_senseless_merges_are_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(ProjectChangeError, match=reason):
        CHAIN.merge_target(old, new)


def test_a_merge_that_was_broken_off_goes_on() -> None:
    assert CHAIN.merge_target("b", "c").id == "c"
    assert CHAIN.merge_target("d", "a").id == "c"


def test_only_merged_projects_are_split_off() -> None:
    assert CHAIN.merged_into("a").id == "c"
    with pytest.raises(ProjectChangeError, match="was not merged"):
        CHAIN.merged_into("d")
