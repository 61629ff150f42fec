"""A user who may not write in the data directory, or not even look into it; and places where none can be."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.cli.nobody import Machine, machine

NOTHING_SAVED = "No memories saved in this project yet. Save one with: lamella save TEXT\n"
MAY_NOT = "This user has no permission to use the memory folder."
NOT_MADE = "fault   data directory: it does not exist, and this user cannot create it"


@pytest.fixture
def others() -> Iterator[Machine]:
    with machine() as made:
        yield made


def in_another_folder(others: Machine) -> None:
    """Save a memory in another project than nobody's working directory."""
    others.own.saved("Apples keep until March.", env={"LAMELLA_PROJECT": "cellar"})


@pytest.mark.parametrize("mode", [0o000, 0o400, 0o100], ids=["closed", "listed only", "entered only"])
@pytest.mark.parametrize("what", ["everything", "projects"])
def test_a_data_directory_that_may_not_be_used_is_said_so(others: Machine, mode: int, what: str) -> None:
    in_another_folder(others)
    others.give_away(0o700)
    (others.data if what == "everything" else others.data / "projects").chmod(mode)

    doctor = others.run("doctor")

    assert (doctor.code, doctor.err) == (1, "")
    assert f": {MAY_NOT}" in doctor.out or (what, mode) == ("everything", 0o100)
    assert str(others.folder) not in doctor.out
    for arguments in (("recall",), ("project", "list"), ("save", "More."), ("purge", "abcd")):
        done = others.run(*arguments, LAMELLA_PROJECT="cellar")
        assert str(others.folder) not in done.out + done.err
        assert "Something went wrong" not in done.err
        if (what, mode) == ("everything", 0o000):
            assert (done.code, done.out) == (1, "")
            assert done.err == f"{MAY_NOT} Check its permissions with: lamella doctor\n"


def test_in_a_read_only_directory_an_unknown_project_is_recalled_as_an_empty_one(others: Machine) -> None:
    in_another_folder(others)
    others.give_away(0o500)
    before = others.paths()

    assert others.run("recall").out == NOTHING_SAVED
    assert others.run("recall", LAMELLA_PROJECT="attic").out == NOTHING_SAVED
    assert others.run("recall", "apples").err.startswith("No memories found matching 'apples'.")
    assert others.run("purge", "abcd").err == "Purged 0/1 memories.\nabcd: not found\n"
    assert "Apples keep" in others.run("recall", LAMELLA_PROJECT="cellar").out
    assert others.run("save", "More.").code == 1
    assert others.paths() == before


def test_in_a_read_only_directory_without_a_registry_everything_is_read(others: Machine) -> None:
    in_another_folder(others)
    (others.data / "registry.db").unlink()
    others.give_away(0o500)
    before = others.paths()

    assert "Apples keep" in others.run("recall", LAMELLA_PROJECT="cellar").out
    assert "\tcellar\t" in others.run("project", "list").out
    assert others.run("recall").out == NOTHING_SAVED
    assert others.paths() == before


def test_doctor_checks_no_index_in_a_read_only_directory(others: Machine) -> None:
    in_another_folder(others)
    others.give_away(0o500)

    done = others.run("doctor")

    lines = done.out.splitlines()
    assert (done.code, done.err) == (1, "")
    assert [line for line in lines if line.startswith("fault")] == [
        "fault   data directory: it is read-only for this user"
    ]
    (warning,) = (line for line in lines if line.startswith("warning"))
    assert warning.startswith("warning project cellar-")
    assert warning.endswith(": search index not checked: read-only")


@pytest.mark.parametrize("below", ["x", "x/y/z"])
def test_doctor_tells_a_data_directory_that_nobody_could_make(others: Machine, below: str) -> None:
    done = others.run("doctor", LAMELLA_DATA_DIR=str(others.folder / below))

    assert (done.code, done.err) == (1, "")
    assert NOT_MADE in done.out.splitlines()
    assert others.own.run("doctor", env={"LAMELLA_DATA_DIR": str(others.folder / below)}).code == 0
    assert not (others.folder / "x").exists()


@pytest.mark.parametrize("kind", ["a device", "a file", "a link to nowhere"])
def test_doctor_tells_a_data_directory_that_cannot_be(others: Machine, tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    if kind == "a file":
        place.write_text("")
    elif kind == "a link to nowhere":
        place.symlink_to(tmp_path / "nowhere")
    data = {"a device": Path(os.devnull) / "x"}.get(kind, place)

    for environment in ({"LAMELLA_DATA_DIR": str(data)}, {"LAMELLA_STORAGE": f"sqlite://{data}"}):
        done = others.own.run("doctor", env=environment)
        assert done.code == 1
        (fault,) = (line for line in done.out.splitlines() if line.startswith("fault"))
        assert fault.startswith("fault   data directory: ")
        assert done.out.endswith("\n1 fault.\n")
        assert others.own.run("save", "More.", env=environment).code == 1


@pytest.mark.parametrize("what", ["registry.db", "projects/*.db"])
def test_a_file_that_its_owner_may_not_read_is_said_so_and_mended(others: Machine, what: str) -> None:
    in_another_folder(others)
    others.give_away(0o700)
    for path in others.data.glob(what):
        path.chmod(0o000)

    for arguments in (("recall",), ("save", "More.")):
        done = others.run(*arguments, LAMELLA_PROJECT="cellar")
        assert done.err.startswith("The memory database cannot be opened; nothing was saved.")
    assert "can't be read by the owner" in others.run("doctor").out
    assert others.run("doctor", "--repair", "--yes").code == 0
    assert "Apples keep" in others.run("recall", LAMELLA_PROJECT="cellar").out
