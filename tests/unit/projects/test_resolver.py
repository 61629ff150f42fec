from pathlib import Path

import pytest

from lamella.application.projects.manage import MergeProjects, Moved, SplitProject
from lamella.application.projects.sizes import MeasureProjects, ProjectSize
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN, LackingStorage
from tests.unit.support.tables import cases

ELSEWHERE = Path("/srv/lovelace")


def at(desk: Desk, directory: Path) -> Desk:
    """A desk at another folder over the same storage."""
    return desk.at(directory=directory, default_project=None)


def project_at(desk: Desk, directory: Path) -> Project:
    """The project that lives at a folder."""
    return at(desk, directory).project


def merged(desk: Desk, old: str, new: str) -> Moved:
    return MergeProjects(desk.storage, desk.projects)(desk.call, old, new)


@cases
def test_an_id_is_made_of_name_and_key(name: str, slug: str) -> None:
    id = Location(key="k", name=name, root=HOME).project_id
    assert (id[: len(slug) + 1], len(id)) == (f"{slug}-", len(slug) + 11)


def test_two_places_have_two_ids_and_one_place_has_one() -> None:
    ids = [
        Location(key=key, name="x", root=root).project_id
        for key, root in (("k", HOME), ("k", ELSEWHERE), ("l", HOME))
    ]
    assert (ids[0] == ids[1], ids[0] == ids[2]) == (True, False)


@pytest.mark.parametrize("key", ["git:/caf\udce9/.git", "\ud800"])
def test_a_place_whose_path_is_no_text_has_an_id_too(key: str) -> None:
    assert Location(key=key, name="x", root=HOME).project_id.startswith("x-")


def test_a_call_is_about_the_project_of_the_working_directory() -> None:
    desk = Desk()
    here = desk.made_here
    location = desk.tree.locate(HOME)
    assert (here.project, here.root) == (
        Project(id=location.project_id, name="lovelace", aliases=(f"dir:{HOME}",), created_at=DAWN),
        HOME,
    )
    assert (desk.here.project, desk.project) == (here.project, here.project)


def test_only_the_project_of_the_working_directory_lives_here() -> None:
    desk = Desk().at(default_project="shared")
    here, elsewhere = project_at(desk, HOME), project_at(desk, ELSEWHERE)
    assert [desk.projects.lives_here(desk.call, each) for each in (here, elsewhere, desk.project)] == [
        True,
        False,
        False,
    ]


def test_a_preview_of_a_split_without_a_trail_has_no_number() -> None:
    for storage in (InMemoryStorage(), LackingStorage({Capability.AUDIT})):
        desk = Desk(storage=storage)
        at(desk, Path("/new")).save("new")
        desk.save("old")
        merged(desk, "lovelace", "new")
        storage.registry.home(desk.project.id)[1].audit.clear()
        desk.purge(desk.call, [str(desk.save("gone").id)])
        assert SplitProject(storage, desk.projects).preview("lovelace").merge is None


def test_where_no_conversations_are_kept_none_are_moved() -> None:
    class Silent(InMemoryStorage):
        @property
        def capabilities(self) -> frozenset[Capability]:
            return super().capabilities - {Capability.CONVERSATIONS}

        def conversations(self, project: str) -> Conversations:
            raise AssertionError(project)

    desk = Desk(storage=Silent())
    desk.save("old")
    project_at(desk, Path("/new"))
    assert merged(desk, "lovelace", "new").memories == 1


def test_where_no_conversations_are_kept_none_are_counted() -> None:
    desk = Desk(storage=LackingStorage({Capability.CONVERSATIONS}))
    desk.at(directory=Path("/srv/babbage")).save("engine")
    desk.purge(desk.call, [str(desk.save("one").id)])
    MergeProjects(desk.storage, desk.projects)(desk.call, "babbage", "lovelace")
    babbage, lovelace = MeasureProjects(desk.storage)()
    assert babbage == ProjectSize(project=babbage.project)
    assert (lovelace.live, lovelace.purged, lovelace.messages) == (1, 1, 0)
