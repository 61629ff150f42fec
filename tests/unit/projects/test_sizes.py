"""Sizes of projects, and of what a merge would move."""

from pathlib import Path

import pytest

from lamella.application.projects.manage import MergePreview, MergeProjects
from lamella.application.projects.sizes import MeasureProjects, ProjectSize
from lamella.domain.errors import ProjectChangeError, UnknownProjectError
from lamella.ports.storage.storage import Capability
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import LackingStorage

ELSEWHERE = Path("/srv/babbage")


def two_projects(desk: Desk) -> Desk:
    """Return the desk of a project with a memory, a purged one and a message, beside another project."""
    desk.at(directory=ELSEWHERE).save("engine")
    for text in ("one", "two"):
        desk.save(text)
    desk.purge(desk.call, [str(desk.everything[0].id)])
    return desk


def test_every_project_is_measured() -> None:
    desk = two_projects(Desk())
    desk.said("hello")
    babbage, lovelace = MeasureProjects(desk.storage)()
    assert (babbage.project.name, babbage.live, babbage.purged, babbage.messages) == ("babbage", 1, 0, 0)
    assert (lovelace.project.name, lovelace.live, lovelace.purged, lovelace.messages) == ("lovelace", 1, 1, 1)


def test_a_project_that_was_merged_has_nothing_left() -> None:
    desk = two_projects(Desk(storage=LackingStorage({Capability.CONVERSATIONS})))
    MergeProjects(desk.storage, desk.projects)(desk.call, "babbage", "lovelace")
    babbage, lovelace = MeasureProjects(desk.storage)()
    assert babbage == ProjectSize(project=babbage.project)
    assert (lovelace.live, lovelace.purged, lovelace.messages) == (2, 1, 0)


def test_the_preview_of_a_merge_says_what_would_move_and_moves_nothing() -> None:
    desk = two_projects(Desk())
    merging = MergeProjects(desk.storage, desk.projects)
    preview = merging.preview("lovelace", "babbage")
    babbage, lovelace = MeasureProjects(desk.storage)()
    assert preview == MergePreview(old=lovelace, new=babbage.project)
    assert (preview.old.live, preview.old.purged) == (1, 1)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("lovelace", "lovelace", ProjectChangeError),
        ("lovelace", "nobody", UnknownProjectError),
        ("nobody", "lovelace", UnknownProjectError),
    ],
)
def test_a_merge_that_cannot_be_is_not_previewed(old: str, new: str, error: type[Exception]) -> None:
    desk = two_projects(Desk())
    with pytest.raises(error):
        MergeProjects(desk.storage, desk.projects).preview(old, new)


def test_what_was_merged_already_is_not_previewed() -> None:
    desk = two_projects(Desk())
    merging = MergeProjects(desk.storage, desk.projects)
    merging(desk.call, "lovelace", "babbage")
    with pytest.raises(ProjectChangeError, match="merged already"):
        merging.preview("lovelace", "babbage")
