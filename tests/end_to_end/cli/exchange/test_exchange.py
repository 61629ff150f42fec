"""Moving memories to a second machine, and into files that people read and edit."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import SAVED_ID, CommandLine

FORMATS = ("jsonl", "markdown")


def repository(folder: Path) -> Path:
    """Make a repository with a commit and a remote."""
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("a = 1\n")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (
        ("init", "--quiet"),
        ("remote", "add", "origin", "https://example.org/ada/app.git"),
        ("add", "."),
        (*who, "commit", "--quiet", "-m", "Add a"),
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.fixture
def here(tmp_path: Path) -> CommandLine:
    """A machine with a repository, of which something was saved, corrected, purged and learned."""
    line = CommandLine(tmp_path / "here" / "data", repository(tmp_path / "here" / "app"))
    old = SAVED_ID.search(line.run("save", "Retries: three attempts").out)
    assert old is not None
    line.run("save", "Retries: four attempts", "--path", "a.py", "--replaces", old[1])
    line.run("ledger", "--backfill")
    gone = SAVED_ID.search(line.run("save", "Never mind: '--- # [x]'", "--title", 'Gone: "now"').out)
    assert gone is not None
    line.run("purge", gone[1])
    return line


def there(here: CommandLine, name: str = "there") -> CommandLine:
    """Another machine, with a clone of the repository at another path."""
    top = here.data.parents[1] / name
    top.mkdir()
    subprocess.run(["git", "clone", "--quiet", str(here.directory), str(top / "clone")], check=True)
    remote = ("git", "remote", "set-url", "origin", "git@example.org:ada/app.git")
    subprocess.run(remote, cwd=top / "clone", check=True)
    return CommandLine(top / "data", top / "clone")


def files(top: Path) -> dict[str, bytes]:
    if top.is_file():
        return {"": top.read_bytes()}
    return {str(each.relative_to(top)): each.read_bytes() for each in top.rglob("*") if each.is_file()}


@pytest.mark.parametrize("format_", FORMATS)
def test_an_export_comes_back_on_an_empty_machine(here: CommandLine, tmp_path: Path, format_: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    options = ("--format", format_, "--conversations")
    exported = here.run("export", str(first), *options)
    assert (exported.code, exported.out) == (0, "Exported 4 memories and 0 messages of 1 project.\n")
    other = there(here)
    dry = other.run("import", "--dry-run", str(first))
    assert dry.out == "Would import 4 memories of 1 project.\n  app: 1 change, 3 notes\n"
    assert not other.data.exists()
    assert other.run("import", str(first)).out == "Imported 4 memories of 1 project.\n  app: 1 change, 3 notes\n"
    other.run("export", "--all", str(second), *options)
    assert files(second) == files(first)
    assert (
        other.run("import", str(first)).out
        == "Imported 0 memories of 1 project.\nHere already: 4 memories, of which purged: 2.\n"
    )
    # A clone at another path finds them, and learns no commit again.
    assert "four attempts" in other.run("recall", "retries").out
    assert "Learned from 0 commit(s); 1 of the latest 1 are known." in other.run("ledger", "--backfill").out
    assert other.run("import", str(first)).out.endswith("Here already: 4 memories, of which purged: 2.\n")
    for path in (first, *first.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0


def test_a_text_that_is_too_long_is_split_and_the_import_says_so(here: CommandLine, tmp_path: Path) -> None:
    here.run("export", str(tmp_path / "all"))
    lines = [json.loads(line) for line in (tmp_path / "all").read_text("utf-8").splitlines()]
    next(each for each in lines if each["type"] == "memory")["content"] = "zebra " * 5_000
    (tmp_path / "all").write_text("".join(f"{json.dumps(each)}\n" for each in lines), "utf-8")
    told = there(here).run("import", str(tmp_path / "all")).out
    assert told.endswith("Parts of texts that are too long for one memory: 4.\n")


def test_an_export_can_be_piped(here: CommandLine) -> None:
    exported = here.run("export")
    kinds = [json.loads(line)["type"] for line in exported.out.splitlines()]
    assert kinds == ["header", "project", *["memory"] * 4, *["entry"] * 2, "end"]
    assert there(here).run("import", "-", stdin=exported.out.encode()).out.startswith("Imported 4 memories of 1 ")


def test_a_second_import_repeats_purges_and_edits_but_no_erasure(here: CommandLine, tmp_path: Path) -> None:
    doomed, wrong, gone = (here.saved(f"About {what}.") for what in ("pears", "apples", "figs"))
    other = there(here)
    other.run("save", "Local")
    here.run("export", str(tmp_path / "first"))
    other.run("import", str(tmp_path / "first"))
    here.run("purge", doomed)
    here.run("save", "About quinces.", "--replaces", wrong)
    here.run("erase", gone, "--yes")
    here.run("export", str(tmp_path / "second"))
    for dry in (("--dry-run",), ()):
        told = other.run("import", str(tmp_path / "second"), *dry).out
        assert f"Purged or replaced there since, {'would be ' if dry else ''}purged here too: 2." in told
        assert "Erased there, which is not repeated: 1. What is here of them stays." in told
    found = other.run("recall").out
    shown = ["Local" in found, "quinces" in found, "pears" in found, "apples" in found, "figs" in found]
    assert shown == [True, True, False, False, True]
    assert "erase" not in other.run("log").out


def test_an_edited_file_replaces_the_memory(here: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    here.run("export", "--format", "markdown", str(folder))
    (folder / "mine.md").write_text("# My own note\n")
    (file,) = folder.rglob("*four attempts*.md")
    file.write_text(
        file.read_text("utf-8")
        .replace("four attempts", "five attempts", 1)
        .replace("\nRetries: four", "\nRetries: five")
    )
    tried = here.run("import", "--dry-run", str(folder)).out.splitlines()
    assert tried[1:] == [
        "Here already: 4 memories, of which purged: 2.",
        "Edited in their files, and would replace those here: 1.",
    ]
    assert here.run("import", str(folder)).out.splitlines()[1:] == [
        "Here already: 4 memories, of which purged: 2.",
        "Edited in their files, and replaced: 1.",
    ]
    found = here.run("recall", "retries").out
    assert ("five attempts" in found, "four attempts" in found) == (True, False)
    assert (
        here.run("import", str(folder)).out
        == "Imported 0 memories of 1 project.\nHere already: 4 memories, of which purged: 3.\n"
    )


def test_an_edit_that_was_undone_and_a_second_one_are_taken_over(here: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    here.run("export", "--format", "markdown", str(folder))
    (file,) = folder.rglob("*four attempts*.md")
    text = file.read_text("utf-8")
    for attempts, undoes in (("five", True), ("five", False), ("six", False)):
        file.write_text(text.replace("\nRetries: four", f"\nRetries: {attempts}"))
        done = here.run("import", str(folder))
        assert (done.code, done.out.splitlines()[2]) == (0, "Edited in their files, and replaced: 1.")
        assert f"{attempts} attempts" in here.run("recall", "retries").out
        if undoes:
            here.run("undo")
            assert "four attempts" in here.run("recall", "retries").out


@pytest.mark.parametrize("name", ["", "notes.md"])
def test_a_folder_without_an_export_is_refused(here: CommandLine, tmp_path: Path, name: str) -> None:
    (tmp_path / "other").mkdir()
    if name:
        (tmp_path / "other" / name).write_text("# My own\n")
    done = here.run("import", str(tmp_path / "other"))
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "other has no file of an export in it. Give the folder that lamella export has made, or name the program:"
        " lamella import PROGRAM\n"
    )


def test_a_cut_file_is_taken_over_up_to_its_last_line_and_can_be_resumed(
    here: CommandLine, tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    here.run("export", str(whole))
    lines = whole.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[:4]) + lines[4][:50])
    other = there(here)
    done = other.run("import", str(cut))
    assert (done.code, done.err) == (1, "Line 5: it is cut off.\n")
    assert done.out == "Imported 2 memories of 1 project.\n  app: 2 notes\n"
    assert other.run("import", str(whole)).out == (
        "Imported 2 memories of 1 project.\n  app: 1 change, 1 note\n"
        "Here already: 2 memories, of which purged: 1.\n"
    )
    assert other.run("export", "--all").out.encode() == whole.read_bytes()


def test_a_file_of_something_else_is_refused_with_what_to_do(here: CommandLine, tmp_path: Path) -> None:
    here.run("backup", str(tmp_path / "b.zip"))
    (tmp_path / "text").write_text("No export.\n")
    backup, database = tmp_path / "b.zip", here.project_file
    for file, said in {
        backup: f"b.zip is no export. If it is a backup of lamella: lamella restore-backup {backup}\n",
        database: f"{database.name} is no export. If it is another program's, name the program:"
        f" lamella import PROGRAM {database}\n",
        tmp_path / "text": "Line 1: this is no export of lamella.\n",
    }.items():
        refused = here.run("import", str(file))
        assert (refused.code, refused.out, refused.err) == (1, "", said)


def test_everything_can_go_into_one_project(here: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    here.run("export", str(tmp_path / "file"))
    line = CommandLine(tmp_path / "data", folder)
    imported = line.run("import", str(tmp_path / "file"), "--project", "work")
    assert imported.out == "Imported 4 memories of 1 project.\n  work: 1 change, 3 notes\n"
    refused = line.run("import", str(tmp_path / "file"), "--project", "nowhere")
    assert (refused.code, refused.err.split(".")[0]) == (1, "No project is known as 'nowhere'")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("export", "--all", "--project", "app"), 2, "Give either --project or --all."),
        (("export", "--since", "2024-05-06", "--days-back", "1"), 2, "Give either --since or --days-back."),
        (("export", "--format", "markdown"), 2, "Markdown needs a FOLDER to be written into."),
        (("export", "a.py"), 1, "a.py exists. Export into a new file."),
        (("export", "--format", "markdown", "."), 1, "is not empty. Export into a new folder."),
        (("export", "--path", "../x"), 1, "is outside this project."),
        (("import", "nothing.jsonl"), 2, "No such command or file 'nothing.jsonl'."),
        (("import", "a.py"), 1, "Line 1: this is no export of lamella."),
    ],
)
def test_what_makes_no_sense_is_refused(
    here: CommandLine, arguments: tuple[str, ...], code: int, said: str
) -> None:
    refused = here.run(*arguments)
    assert (refused.code, said in refused.err) == (code, True)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (("--kind", "change"), 1),
        (("--source", "git"), 1),
        (("--path", "a.py"), 2),
        (("--days-back", "1"), 4),
        (("--since", "2999-01-01"), 0),
        (("--session", "none"), 0),
        (("--without-purged",), 2),
        (("--project", "app", "--path", "a.py"), 2),
        (("--all",), 4),
    ],
)
def test_an_export_can_be_a_part(here: CommandLine, options: tuple[str, ...], count: int) -> None:
    assert (
        here.run("export", *options).err == f"Exported {count} memor{'y' if count == 1 else 'ies'} of 1 project.\n"
    )


def test_a_file_of_no_utf_8_is_left_alone_by_its_name(here: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    here.run("export", "--format", "markdown", str(folder))
    (folder / "broken.md").write_bytes(b"\xff")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "passed over.md").write_bytes(b"\xff")
    done = here.run("import", str(folder))
    assert (done.code, done.err) == (1, "Left alone: broken.md: it is no UTF-8.\n")
    assert done.out.startswith("Imported 0 memories of 1 project.\n")


@pytest.mark.parametrize("format_", FORMATS)
def test_on_a_terminal_progress_is_shown(here: CommandLine, tmp_path: Path, format_: str) -> None:
    exported = here.on_terminal("export", "--format", format_, str(tmp_path / "export"))
    assert "Exported 4 memories of 1 project." in exported.out
    imported = there(here).on_terminal("import", str(tmp_path / "export"))
    assert "Imported 4 memories of 1 project." in imported.out
    assert "Importing" in imported.out or "4 memories" in imported.out
