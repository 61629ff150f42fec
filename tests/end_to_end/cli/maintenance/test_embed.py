"""`lamella embed`, and searching by meaning from the command line."""

import re
from pathlib import Path

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import CommandLine, Done

STATIC = {"LAMELLA_EMBEDDER": "static"}
MODEL = r"wordllama-l2-supercat-256-[0-9a-f]{12}"
TEXTS = ("Apples keep until March.", "The cellar was flooded in spring.", "Anna prunes the roses.")
BY_WORDS = (
    "Search by meaning is not available: no embedder configured. Search by words instead (mode 'auto'), or install"
    " one and leave LAMELLA_EMBEDDER unset; `lamella status` says how.\n"
)
NO_EMBEDDER = (
    "Search by meaning is not available: no embedder configured. Install"
    " one and leave LAMELLA_EMBEDDER unset; `lamella status` says how.\n"
)
QUESTION = "water in the basement"


@pytest.fixture
def lamella(lamella: CommandLine) -> CommandLine:
    """Return the command line in a project with three memories."""
    for text in TEXTS:
        lamella.saved(text)
    return lamella


def test_all_that_is_pending_is_embedded_once(lamella: CommandLine) -> None:
    first, again = lamella.run("embed", env=STATIC), lamella.run("embed", env=STATIC)

    assert re.fullmatch(rf"Embedded 3 memories with {MODEL}; 3 of 3 are embedded\.\n", first.out), first
    assert again == Done(0, first.out.replace("Embedded 3", "Embedded 0"))
    lamella.saved("One more.")
    assert lamella.run("embed", env=STATIC).out == (
        first.out.replace("Embedded 3", "Embedded 1").replace("3 of 3", "4 of 4")
    )
    assert re.search(rf": 4 of 4 memories embedded by {MODEL}\n", lamella.run("doctor").out)


def test_another_project_is_embedded_by_its_name(lamella: CommandLine, tmp_path: Path) -> None:
    elsewhere = CommandLine(lamella.data, tmp_path / "elsewhere")
    elsewhere.directory.mkdir()

    assert "; 3 of 3 are embedded." in elsewhere.run("embed", "--project", "orchard", env=STATIC).out
    assert "; 0 of 0 are embedded." in elsewhere.run("embed", env=STATIC).out
    assert elsewhere.run("embed", "--project", "vineyard", env=STATIC).err.startswith("No project is known as")


def test_nothing_is_made_where_nothing_was_saved(tmp_path: Path) -> None:
    nobody = CommandLine(tmp_path / "data", tmp_path)

    assert "; 0 of 0 are embedded." in nobody.run("embed", env=STATIC).out
    assert not nobody.data.exists()


def test_progress_is_shown_on_a_terminal(lamella: CommandLine) -> None:
    shown = evolve(lamella, settings=STATIC).on_terminal("embed")

    assert shown.code == 0
    assert "Loading the model" in shown.out
    assert re.search(rf"Embedded 3 memories with {MODEL}; 3 of 3 are embedded\.\n", shown.out)


def test_without_an_embedder_it_says_how_to_get_one(lamella: CommandLine) -> None:
    before = lamella.files

    assert lamella.run("embed") == Done(1, "", NO_EMBEDDER)
    assert lamella.run("recall", QUESTION, "--mode", "semantic") == Done(1, "", BY_WORDS)
    assert lamella.files == before


@pytest.mark.parametrize("mode", ["semantic", "auto"])
def test_a_question_waits_for_the_embedder_and_is_answered_by_meaning(lamella: CommandLine, mode: str) -> None:
    done = lamella.run("recall", QUESTION, "--mode", mode, "--limit", "1", env=STATIC)

    assert re.fullmatch(
        r"\[1\] \w{8} \| The cellar was flooded in spring\. \| 0\.\d\d \| - \| \d{4}-\d\d-\d\d\n"
        r"---\n1 result\(s\) \| detail: compact( \| weak match: try other words)?\n",
        done.out,
    ), done
