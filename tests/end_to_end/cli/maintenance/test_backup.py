"""`lamella backup` and `lamella restore-backup`."""

import json
import re
import stat
import zipfile
from pathlib import Path

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import CommandLine

OUT_OF_REACH = "An erase cannot reach that file: erased memories stay in it. Delete it if it must not keep them.\n"


def listed(lamella: CommandLine) -> list[list[str]]:
    return [line.split("\t") for line in lamella.run("restore-backup").out.splitlines()]


def test_what_has_changed_is_copied_and_listed(lamella: CommandLine) -> None:
    assert lamella.run("restore-backup").err == "No copies yet. To make some: lamella backup\n"
    lamella.saved("The cellar was flooded.")
    first, again = lamella.run("backup"), lamella.run("backup")
    place = next((lamella.data / "projects" / "backups").glob("*.db"))
    assert re.fullmatch(
        rf"orchard: 1 memory, \d+ kB\n  {re.escape(str(place))}\nCopied and verified 1 project\.\n",
        first.out,
    ), first
    assert again.out == "Copied and verified 0 projects; 1 have not changed since their latest copy.\n"
    ((name, project, _, label, size, memories, messages),) = listed(lamella)
    assert (name, project, label, memories, messages) == (place.name, "orchard", "manual", "1", "0")
    assert int(size) == place.stat().st_size
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_a_copy_is_previewed_and_restored_and_what_was_there_is_kept(lamella: CommandLine) -> None:
    lamella.saved("Anna prunes the roses.")
    lamella.run("backup")
    name = listed(lamella)[0][0]
    lamella.saved("The cellar was flooded.")
    done = lamella.run("restore-backup", name, "--yes")
    before, gone, restored, kept = done.out.splitlines()
    assert (before, gone, restored) == (
        "orchard: 2 memories now, 1 in the backup",
        "  1 would be gone: The cellar was flooded.",
        "Restored orchard: 1 memory, purged ones included.",
    )
    assert Path(kept.removeprefix("  What was there is kept: ")).exists()
    assert "flooded" not in lamella.run("recall").out
    lamella.run("restore-backup", listed(lamella)[-1][0], "--yes")
    assert "flooded" in lamella.run("recall").out
    assert lamella.run("doctor").code == 0


def test_one_file_holds_all_and_restores_an_empty_machine(lamella: CommandLine, tmp_path: Path) -> None:
    lamella.saved("Anna prunes the roses.")
    written = lamella.run("backup", "all.zip")
    place = lamella.directory / "all.zip"
    assert re.match(r"orchard: 1 memory\nWrote and verified 1 project, \d+ kB: ", written.out)
    assert written.out.endswith(f"{place}\n{OUT_OF_REACH}")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    with zipfile.ZipFile(place) as archive:
        assert json.loads(archive.read("manifest.json"))["format"] == 1
    other = evolve(lamella, data=tmp_path / "elsewhere")
    done = other.run("restore-backup", str(place), "--yes")
    assert done.out.splitlines() == [
        "orchard: nothing now, 1 in the backup",
        "  1 would come back: Anna prunes the roses.",
        "Restored orchard: 1 memory, purged ones included.",
    ]
    assert "Anna prunes the roses." in other.run("recall").out
    assert other.run("doctor").code == 0


def test_a_project_that_lies_elsewhere_is_merged_by_the_command_that_a_restore_prints(
    lamella: CommandLine, tmp_path: Path
) -> None:
    lamella.saved("Anna prunes the roses.")
    place = tmp_path / "all.zip"
    lamella.run("backup", str(place))
    moved = lamella.directory.rename(tmp_path / "garden")
    other = CommandLine(tmp_path / "elsewhere", moved)
    *_, advice = other.run("restore-backup", str(place), "--yes").out.splitlines()
    told, _, command = advice.partition(": lamella ")
    assert told == "  Its folder is not here. In the one that it has now, run"
    assert other.run(*command.split()).out.endswith(" into that of this folder.\n")
    assert "Anna prunes the roses." in other.run("recall").out


@pytest.mark.parametrize(("typed", "comes_back"), [("y\n", True), ("n\n", False)])
def test_it_asks_before_it_restores(lamella: CommandLine, typed: str, comes_back: bool) -> None:
    lamella.saved("Anna prunes the roses.")
    lamella.run("backup")
    name = listed(lamella)[0][0]
    lamella.saved("The cellar was flooded.")
    done = lamella.on_terminal("restore-backup", name, typed=typed)
    assert "Restore 1 project?" in done.out
    assert ("flooded" not in lamella.run("recall").out) is comes_back


def test_what_cannot_be_restored_is_said(lamella: CommandLine) -> None:
    lamella.saved("Anna prunes the roses.")
    (lamella.directory / "notes.txt").write_text("no backup")
    refused = lamella.run("restore-backup", "notes.txt", "--yes")
    assert refused.code == 1
    assert refused.err.startswith("This file is no backup of lamella's, or it is damaged; nothing was changed. ")
    missing = lamella.run("restore-backup", "nowhere.zip", "--yes")
    assert (missing.code, "There is no backup" in missing.err) == (2, True)
    lamella.run("backup")
    unasked = lamella.run("restore-backup", listed(lamella)[0][0])
    assert (unasked.code, unasked.err) == (
        1,
        "Nobody can be asked here. To restore without a question, add --yes.\n",
    )


def test_a_file_that_cannot_be_written_is_said_and_leaves_nothing(lamella: CommandLine) -> None:
    lamella.saved("Anna prunes the roses.")
    done = lamella.run("backup", "nowhere/all.zip")
    assert done.code == 1
    assert done.err
    assert not (lamella.directory / "nowhere").exists()


@pytest.mark.parametrize(("name", "value"), [("LAMELLA_LINES_DAYS", "soon"), ("LAMELLA_LINES_DAYS", "-1")])
def test_a_wrong_setting_is_named(lamella: CommandLine, name: str, value: str) -> None:
    done = lamella.run("status", env={name: value})
    assert (done.code, name in done.err) == (1, True)
