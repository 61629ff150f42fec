"""Projects are found, made and merged by one catalogue."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve

from lamella.domain.errors import StorageGoneError
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue

NOW = datetime(2024, 5, 6, tzinfo=UTC)


def project(id: str, *aliases: str, moved_to: str | None = None) -> Project:
    return Project(id=id, name=id, aliases=aliases, created_at=NOW, moved_to=moved_to)


def test_a_home_that_is_missing_is_named() -> None:
    with pytest.raises(StorageGoneError, match="The memory file of project z is missing"):
        Catalogue.of([project("a", moved_to="z")]).home("a")


def test_a_place_of_another_repository_is_nobodys() -> None:
    one, other = (f"repository:{digit * 40}:host/path" for digit in "12")
    known = Catalogue.of([project("a", "/a", one)])
    here = Location(key="/a", name="a", root=Path("/a"))
    owners = [known.owner(evolve(here, repository=each)) for each in (None, one, other)]
    assert [each and each.id for each in owners] == ["a", "a", None]
    assert known.owner(evolve(here, key="/elsewhere")) is None
