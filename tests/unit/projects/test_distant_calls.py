"""Calls from other machines: they name a project, and reach neither files nor what belongs to somebody else."""

from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.application.projects.recent_looks import REMEMBERED_FOR
from lamella.domain import errors
from lamella.domain.call import Call
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.query import ById, ByText, Recent
from lamella.domain.projects.project import Location
from lamella_adapters.mcp.http.distant import DistantWorkingTree
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import FolderTree

ROOT = Path("/")
TREE = DistantWorkingTree()
TABS = "Indent with tabs."


def distant(project: str | None = "lovelace", *, storage: Any = None, **call: Any) -> Desk:
    """A desk whose calls come from another machine."""
    place = None if project is None else Location(key="distant:", name=project, root=ROOT)
    made = Call(directory=ROOT, default_project=project, location=place, distant=True, **call)
    tree = cast("FolderTree", TREE)
    return Desk(storage=storage or InMemoryStorage(shared=True), call=made, tree=tree)


def test_a_call_that_names_no_project_is_refused() -> None:
    desk = distant(None)
    with pytest.raises(errors.UnnamedProjectError, match="header Lamella-Project"):
        desk.save("lost")
    assert desk.storage.registry.all() == ()


def test_a_project_is_made_by_its_first_save_and_found_by_its_name() -> None:
    desk = distant()
    desk.save("found again", paths=("src/main.c", "./src//main.c", "include/a.h"))
    (kept,) = desk.everything
    assert kept.changes == (CodeChange(path="src/main.c"), CodeChange(path="include/a.h"))
    assert (kept.author, [each.name for each in desk.storage.registry.all()]) == (None, ["lovelace"])
    assert "found again" in desk.recall(ByText("found"))


@pytest.mark.parametrize("author", [None, "ada"])
def test_reads_know_projects_that_are_there_for_a_moment(
    author: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = distant(author=author)
    look, resolver = Mock(wraps=desk.storage.registry.look), desk.projects
    monkeypatch.setattr(desk.storage.registry, "look", look)

    def looked() -> int:
        look.reset_mock()
        resolver.find(desk.call)
        return look.call_count

    assert (looked(), looked()) == (1, 1)
    desk.save("first")
    # Another server may save the first memory that holds everywhere.
    assert (looked(), looked()) == ((1, 1) if author else (1, 0))
    if author:
        desk.save("everywhere", everywhere=True)
        assert (looked(), looked()) == (1, 0)
    desk.clock.advance(REMEMBERED_FOR)
    assert (looked(), looked()) == (1, 0)
    monkeypatch.setattr("lamella.application.projects.recent_looks.MOST_LOOKS", 1)
    distant("other", author=author, storage=desk.storage).save("forgets what was known of lovelace")
    resolver.find(evolve(desk.call, default_project="other"))
    assert looked() == 1


@pytest.mark.parametrize("path", ["/etc/passwd", "C:\\main.c", "c:/main.c", "\\\\host\\main.c"])
def test_absolute_paths_are_refused(path: str) -> None:
    with pytest.raises(errors.DistantPathError, match="relative to the project's root"):
        distant().save("text", paths=(path,))


@pytest.mark.parametrize("path", ["..", "../main.c", "src/../../main.c", " ", "a\0b"])
def test_paths_that_lead_out_are_refused(path: str) -> None:
    with pytest.raises(errors.PathOutsideProjectError):
        TREE.relative(ROOT, path)


def test_no_file_of_this_machine_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("secret")
    assert TREE.relative(tmp_path, "./.") == "."
    assert TREE.changes(tmp_path, ["main.c"]) == (CodeChange(path="main.c"),)
    assert TREE.ignored(tmp_path, ["main.c"]) == {"main.c"}
    assert TREE.missing(tmp_path, ["gone.c"]) == frozenset()
    assert TREE.versions(tmp_path, ["main.c"]) == {}
    assert TREE.freshness(tmp_path, [CodeChange(path="main.c", version="1")]) == (None,)
    assert (TREE.checkout(tmp_path), TREE.unmerged(tmp_path, [Checkout("feat", "1" * 40)])) == (Checkout(), {})
    assert TREE.commits_since(tmp_path, [("main.c", TREE.made(tmp_path))]) == (None,)
    assert TREE.files(tmp_path, ".c") == ()
    assert TREE.author(tmp_path, "1" * 40) == ""
    assert (TREE.repository(tmp_path), TREE.past(tmp_path, "."), TREE.text(tmp_path, "main.c")) == (None, None, "")
    assert TREE.touched(tmp_path, "main.c") == TREE.made(tmp_path)
    uncommitted = TREE.uncommitted(tmp_path, since=TREE.made(tmp_path), until=TREE.made(tmp_path))
    assert uncommitted is not None
    assert (uncommitted.changes, uncommitted.more) == ((), ())


def test_a_confined_call_reaches_no_other_project() -> None:
    free = distant("ours", author="ada")
    free.save("ours")
    free.at(default_project="theirs").save("theirs")
    (other,) = (each for each in free.storage.registry.all() if each.name == "theirs")
    confined = free.at(confined=True)
    assert "ours" in confined.recall(Recent())
    (own,) = (each for each in free.storage.registry.all() if each.name == "ours")
    for named in (own.id, own.name, *own.aliases):
        assert "ours" in confined.at(project=named).recall(Recent())
    for named in (other.id, other.name, *other.aliases, "nothing"):
        with pytest.raises(errors.UnknownProjectError):
            confined.at(project=named).recall(Recent())
    with pytest.raises(errors.InvalidValueError, match="the token is for one project"):
        confined.saving(SaveRequest(text=TABS, everywhere=True))


def test_a_confined_call_may_name_its_project_whatever_else_is_called_so() -> None:
    free = distant("ours", author="ada")
    with pytest.raises(errors.UnknownProjectError):
        free.at(confined=True, project="merged").recall(Recent())
    free.save("ours")
    free.at(default_project="merged").save("merged")
    registry = free.storage.registry
    by_name = {each.name: each.id for each in registry.all()}
    signature = free.call.signature(free.clock.now())
    registry.merge(by_name["merged"], by_name["ours"], by=signature)
    for key, name in (("/1", "ours"), ("/2", "twice"), ("/3", "twice")):
        registry.at(Location(key=key, name=name, root=Path(key)), now=signature.at)
    confined = free.at(default_project=by_name["ours"], confined=True)
    assert "ours" in confined.at(project="ours").recall(Recent())
    assert "ours" in confined.at(project="merged").recall(Recent())
    with pytest.raises(errors.UnknownProjectError):
        confined.at(project="twice").recall(Recent())


def test_what_holds_everywhere_belongs_to_the_author() -> None:
    ada = distant(author="ada")
    id = ada.saving(SaveRequest(text=TABS, everywhere=True)).observation.id
    assert TABS in ada.at(default_project="another").recall(ById(str(id)))
    place = f"{TABS} | everywhere"
    for other in (ada.at(author="byron"), ada.at(author=None), ada.at(confined=True)):
        other.save("something")
        with pytest.raises(NothingFoundError):
            other.recall(ById(str(id)))
        assert place not in other.recall(ByText("tabs something"))
    with pytest.raises(errors.InvalidValueError, match="has no author"):
        ada.at(author=None).saving(SaveRequest(text=TABS, everywhere=True))


def test_what_holds_everywhere_for_another_cannot_be_named() -> None:
    ada = distant(author="ada")
    id = ada.saving(SaveRequest(text=TABS, everywhere=True)).observation.id
    (place,) = (each for each in ada.storage.registry.all() if each.name == "everywhere")
    for name in (place.id, place.name, *place.aliases):
        assert TABS in ada.at(project=name).recall(ById(str(id)))
        with pytest.raises(errors.UnknownProjectError):
            ada.at(project=name, author="byron").recall(Recent())
        assert TABS not in ada.at(default_project=name, author=None).recall(Recent())


def test_a_storage_of_one_machine_has_one_user() -> None:
    local = Desk(storage=InMemoryStorage())
    local.saving(SaveRequest(text=TABS, everywhere=True))
    assert TABS in distant(storage=local.storage).recall(ByText("tabs"))


def test_a_machines_own_calls_are_as_before() -> None:
    local = Desk(storage=InMemoryStorage(shared=True))
    local.saving(SaveRequest(text=TABS, everywhere=True))
    assert TABS in local.at(directory=HOME / "elsewhere").recall(ByText("tabs"))
    with pytest.raises(NothingFoundError):
        distant(storage=local.storage, author="laptop's user").recall(ByText("tabs"))
