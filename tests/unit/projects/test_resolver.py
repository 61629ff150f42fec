from pathlib import Path

import pytest

from lamella.application.projects.manage import MergeProjects, Moved, SplitProject
from lamella.domain.audit.entry import Action
from lamella.domain.errors import AmbiguousProjectError, ProjectChangeError, UnknownProjectError
from lamella.domain.memories.query import Recent
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.doubles import HOME, NOTHING_SAVED, Desk, titles
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


def test_the_project_of_the_process_comes_before_the_directory() -> None:
    desk = Desk()
    elsewhere = project_at(desk, ELSEWHERE)
    known_as = [elsewhere.id, elsewhere.aliases[0]]
    assert [desk.at(default_project=name).here.project for name in known_as] == [elsewhere] * 2


def test_a_name_that_is_not_known_makes_a_project_that_every_directory_shares() -> None:
    desk = Desk().at(default_project="shared")
    desk.save("one")
    there = desk.at(directory=ELSEWHERE)
    project = there.project
    assert (titles(there), project.name, project.aliases, there.here.root) == (
        ["one"],
        "shared",
        ("name:shared",),
        ELSEWHERE,
    )


@pytest.mark.parametrize("blank", [None, ""])
def test_a_blank_name_is_none(blank: str | None) -> None:
    desk = Desk().at(default_project=blank)
    here = desk.at(project=blank).made_here
    assert (here.project, desk.at(project=blank).here.project) == (desk.project, desk.project)
    assert desk.project.name == "lovelace"


def test_what_is_said_explicitly_comes_first_and_must_be_known() -> None:
    desk = Desk().at(default_project="shared")
    desk.save("one")
    elsewhere = project_at(desk, ELSEWHERE)
    assert desk.at(project=elsewhere.id).here.project == elsewhere
    assert desk.at(project="lovelace").here.project == elsewhere
    with pytest.raises(UnknownProjectError) as refused:
        desk.at(project="nowhere").here  # noqa: B018 - it raises
    assert refused.value.asked == "nowhere"
    with pytest.raises(UnknownProjectError):
        desk.at(project="nowhere").made_here  # noqa: B018 - it raises


@pytest.mark.parametrize("name", [None, "shared"])
def test_looking_makes_no_project(name: str | None) -> None:
    desk = Desk().at(default_project=name)
    assert desk.recall(Recent()) == NOTHING_SAVED
    for change in (desk.purge, desk.restore, desk.erase):
        assert change(desk.call, ["00000001"]).failures == {"00000001": "not found"}
    assert desk.erase.preview(desk.call, ["00000001"]).missing == ["00000001"]
    assert (desk.here.project, desk.here.root) == (None, HOME)
    assert desk.storage.registry.all() == ()
    desk.save("one")
    assert (titles(desk), desk.here.project) == (["one"], desk.project)


def test_only_the_project_of_the_working_directory_lives_here() -> None:
    desk = Desk().at(default_project="shared")
    here, elsewhere = project_at(desk, HOME), project_at(desk, ELSEWHERE)
    assert [desk.projects.lives_here(desk.call, each) for each in (here, elsewhere, desk.project)] == [
        True,
        False,
        False,
    ]


def test_a_name_that_two_projects_have_is_ambiguous() -> None:
    desk = Desk()
    both = sorted(project_at(desk, directory).id for directory in (HOME, ELSEWHERE))
    for asked in (desk.at(project="lovelace"), desk.at(default_project="lovelace")):
        with pytest.raises(AmbiguousProjectError) as refused:
            asked.here  # noqa: B018 - it raises
        assert (refused.value.asked, refused.value.candidates) == ("lovelace", both)


def test_a_preview_of_a_split_says_how_many_the_merge_moved() -> None:
    desk = Desk()
    new = at(desk, Path("/new"))
    desk.save("old")
    new.purge(new.call, [str(new.save("gone").id)])
    split = SplitProject(desk.storage, desk.projects)
    home = merged(desk, "lovelace", "new") and new.project
    preview = split.preview("lovelace")
    assert (preview.old.name, preview.home.project, preview.home.live, preview.home.purged) == (
        "lovelace",
        home,
        1,
        1,
    )
    assert preview.merge is not None
    assert (preview.merge.action, preview.merge.count) == (Action.MERGE, 1)


def test_a_preview_of_a_split_without_a_trail_has_no_number() -> None:
    for storage in (InMemoryStorage(), LackingStorage({Capability.AUDIT})):
        desk = Desk(storage=storage)
        at(desk, Path("/new")).save("new")
        desk.save("old")
        merged(desk, "lovelace", "new")
        storage.registry.home(desk.project.id)[1].audit.clear()
        desk.purge(desk.call, [str(desk.save("gone").id)])
        assert SplitProject(storage, desk.projects).preview("lovelace").merge is None


def test_a_merge_and_a_split_say_how_many_messages_they_moved() -> None:
    desk = Desk()
    new = at(desk, Path("/new"))
    desk.said("one", "two", "three")
    new.said("four", "five", session="another")
    assert str(merged(desk, "lovelace", "new")) == "0 memories and 3 messages"
    desk.said("six", session="later")
    assert str(SplitProject(desk.storage, desk.projects)(desk.call, "lovelace")) == "0 memories and 3 messages"


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
    assert merged(desk, "lovelace", "new") == Moved(memories=1, messages=0)


def test_a_merge_of_a_name_that_two_projects_have_is_ambiguous_even_if_one_is_merged() -> None:
    desk = Desk()
    both = {project_at(desk, directory).id for directory in (HOME, ELSEWHERE)}
    project_at(desk, Path("/new"))
    merged(desk, f"dir:{HOME}", "new")
    with pytest.raises(AmbiguousProjectError) as refused:
        merged(desk, "lovelace", "new")
    assert set(refused.value.candidates) == both


def test_a_split_of_a_name_that_two_projects_have_is_of_the_one_that_was_merged() -> None:
    desk = Desk()
    desk.save("old")
    project_at(desk, ELSEWHERE)
    project_at(desk, Path("/new"))
    merged(desk, f"dir:{HOME}", "new")
    assert SplitProject(desk.storage, desk.projects)(desk.call, "lovelace") == Moved(memories=1, messages=0)
    assert titles(desk) == ["old"]


def test_a_split_of_a_name_that_two_merged_projects_have_is_ambiguous() -> None:
    desk = Desk()
    for directory in (HOME, ELSEWHERE, Path("/new")):
        project_at(desk, directory)
    for directory in (HOME, ELSEWHERE):
        merged(desk, f"dir:{directory}", "new")
    with pytest.raises(AmbiguousProjectError):
        SplitProject(desk.storage, desk.projects)(desk.call, "lovelace")


@pytest.mark.parametrize(("old", "error"), [("lovelace", ProjectChangeError), ("nowhere", UnknownProjectError)])
def test_a_split_that_makes_no_sense_is_refused(old: str, error: type[Exception]) -> None:
    desk = Desk()
    project_at(desk, HOME)
    split = SplitProject(desk.storage, desk.projects)
    with pytest.raises(error):
        split(desk.call, old)
    with pytest.raises(error):
        split.preview(old)


def test_a_project_is_merged_into_that_of_the_working_directory_whatever_its_name() -> None:
    desk = Desk()
    old = desk.at(directory=Path("/elsewhere/lovelace"))
    old.save("from another machine")
    MergeProjects(desk.storage, desk.projects)(desk.call, old.project.id, ".")
    assert [each.content for each in desk.everything] == ["from another machine"]
