"""Projects that were moved, became repositories, or have subfolders, as hooks and commands find them."""

from pathlib import Path

import pytest
from attrs import evolve

from lamella.application.projects.switch import SwitchProject
from lamella.container import running
from tests.end_to_end.hooks.place import Place, unmarked
from tests.end_to_end.support.command_line import CommandLine
from tests.unit.adapters.git.git_repository import Repository

GONE = "The folder of project {id} ({old}) is gone. If it moved here, join them: lamella project merge {id} ."
BEFORE = (
    "Memories of this folder from before it was a repository are in project {id} ({old})."
    " If they belong here, join them: lamella project merge {id} ."
)


@pytest.fixture
def shop(tmp_path: Path) -> Place:
    """A repository with a commit and a memory."""
    repository = Repository.made(tmp_path / "shop")
    repository.commit(a="a = 1\n")
    return saved(Place(tmp_path / "data", repository.root))


def saved(place: Place) -> Place:
    command(place).saved("Staging has the ports 8000 to 8010.")
    return place


def command(place: Place) -> CommandLine:
    return CommandLine(place.data, place.project)


def moved(place: Place, name: str) -> Place:
    new = place.project.rename(place.project.parent / name)
    return evolve(place, project=new)


def said(text: str, place: Place) -> str:
    return text.format(id=place.database.stem, old=place.project)


def started(place: Place, session: str = "a-1") -> str | None:
    told = place.start(session)
    return None if told is None else unmarked(told)


def index_of(sentence: str) -> str:
    return (
        '<lamella-memory mark="MARK">\n'
        f"From lamella: nothing is saved for this folder yet. {sentence} Tell the user.\n"
        "</lamella-memory MARK>"
    )


def test_a_repository_that_was_moved_is_recognised_by_its_first_commit(
    shop: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = moved(shop, "elsewhere")
    gone, run = said(GONE, shop), command(new).run
    assert run("recall").out == f"No memories saved in this project yet. {gone}\n"
    assert run("recall", "ports").err.endswith(f" check the ID. {gone}\n")
    assert gone in " ".join(run("status").out.split())
    monkeypatch.setenv("PATH", f"{Path('.venv/bin').absolute()}:/usr/bin:/bin")
    assert [started(new), started(new)] == [index_of(gone), None]
    moving = gone.partition("join them: lamella ")[2].split()
    assert run(*moving).out == f"Moved 1 memory and 0 messages from {moving[2]} into that of this folder.\n"
    assert "8000" in run("recall", "ports").out
    assert "8000" in str(started(new, "a-2"))
    assert "is gone" not in run("status").out


def test_a_folder_that_became_a_repository_is_recognised(tmp_path: Path) -> None:
    plain = Place(tmp_path / "data", tmp_path / "plain")
    plain.project.mkdir()
    saved(plain)
    Repository.made(plain.project)
    run = command(plain).run
    assert run("recall").out == f"No memories saved in this project yet. {said(BEFORE, plain)}\n"
    assert (
        run("project", "merge", "plain", "plain").out == "Moved 1 memory and 0 messages from plain into plain.\n"
    )
    assert "8000" in run("recall", "ports").out


def test_a_project_with_another_first_commit_is_not_the_one_of_the_same_name(shop: Place, tmp_path: Path) -> None:
    moved(shop, "elsewhere")
    other = evolve(shop, project=Repository.made(tmp_path / "deeper/shop").root)
    Repository(other.project).commit(b="b = 2\n")
    assert command(other).run("recall").out.endswith("Save one with: lamella save TEXT\n")
    assert other.start() is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{old}", "."),
        ("../shop", "{new}"),
        ("shop", "."),
        ("shop", "elsewhere"),
        ("{id}", "{new}/src"),
        ("shop", ".."),
    ],
)
def test_a_merge_takes_every_spelling(shop: Place, old: str, new: str) -> None:
    here = moved(shop, "elsewhere")
    (here.project / "src").mkdir()
    if new == "..":
        here = evolve(here, project=here.project / "src")
    known = {"id": shop.database.stem, "old": shop.project, "new": here.project}
    done = command(here).run("project", "merge", old.format_map(known), new.format_map(known))
    assert done.out.startswith("Moved 1 memory"), done
    assert "8000" in command(here).run("recall", "ports").out


def test_a_subfolder_of_a_folder_belongs_to_its_project(tmp_path: Path) -> None:
    plain = Place(tmp_path / "data", tmp_path / "plain")
    below = evolve(plain, project=plain.project / "deep/below")
    below.project.mkdir(parents=True)
    saved(plain)
    assert "8000" in command(below).run("recall", "ports").out
    assert "8000" in str(below.start())
    command(below).saved("The cellar is below.", "--path", "a.txt")
    assert "deep/below/a.txt" in command(plain).run("recall", "cellar", "--detail", "full").out
    assert len(list((plain.data / "projects").glob("*.db"))) == 1
    with running(plain.settings) as lamella:
        SwitchProject(lamella.storage, lamella.projects, lamella.projects.clock, lamella.spool)(
            plain.call, on=False
        )
    assert below.start("a-2") is None
