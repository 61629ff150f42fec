"""`lamella backup` and `lamella restore-backup`."""

from pathlib import Path

from tests.end_to_end.support.command_line import CommandLine


def test_a_restore_prints_the_command_to_merge_a_project_from_elsewhere(
    lamella: CommandLine, tmp_path: Path
) -> None:
    lamella.saved("Anna prunes the roses.")
    place = tmp_path / "all.zip"
    lamella.run("backup", str(place))
    moved = lamella.directory.rename(tmp_path / "garden")
    other = CommandLine(tmp_path / "elsewhere", moved)
    *_, advice = other.run("restore-backup", str(place), "--yes").out.splitlines()
    told, _, command = advice.partition(": lamella ")
    assert told == "  Its folder is missing. In its present folder, run"
    assert other.run(*command.split()).out.endswith(" into that of this folder.\n")
    assert "Anna prunes the roses." in other.run("recall").out
