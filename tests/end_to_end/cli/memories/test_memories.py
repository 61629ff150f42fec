"""Saving, recalling, purging, restoring, and projects, from the command line."""

import re
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import LISTED_ID, SAVED_ID, CommandLine, Done
from tests.unit.adapters.git.git_repository import Repository, executable
from tests.unit.support.doubles import NOTHING_SAVED


def test_what_is_saved_is_recalled_at_each_level_by_the_id_that_was_printed(lamella: CommandLine) -> None:
    saved = lamella.saved("Pears ripen off the tree.\nPick them hard.", "--source", "decision")
    (short,) = lamella.listed("pears")

    assert saved.startswith(short)
    compact = lamella.run("recall", "--id", short)
    assert compact.out.startswith(f"[1] {short} | Pears ripen off the tree. | - | Pick them hard. | ")
    timeline = lamella.run("recall", "--id", short, "--detail", "timeline")
    assert f" | Pears ripen off the tree. | decision | Pick them hard. | {short}\n" in (timeline.out)
    full = lamella.run("recall", "--id", saved, "--detail", "full")
    assert full.out.startswith(f"--- {short} | Pears ripen off the tree. | ")
    assert "\nPears ripen off the tree.\nPick them hard.\n---\n1 result(s) | " in full.out


def test_text_is_read_from_stdin(lamella: CommandLine) -> None:
    assert lamella.run("save", "-", stdin="Plums, früh — 李\n".encode()).code == 0

    assert "\nPlums, früh — 李\n" in lamella.run("recall", "plums", "--detail", "full").out


def test_what_is_not_utf_8_on_stdin_is_replaced(lamella: CommandLine) -> None:
    assert lamella.run("save", "-", stdin=b"medlar \xff\xfe end").code == 0

    assert "medlar \ufffd\ufffd end" in lamella.run("recall", "medlar", "--detail", "full").out


@pytest.mark.parametrize("blank", [b"", b" \n\t\n"])
def test_blank_stdin_is_refused(lamella: CommandLine, blank: bytes) -> None:
    assert lamella.run("save", "-", stdin=blank) == Done(1, "", "text must be what to remember, not blank.\n")
    assert not lamella.data.exists()


@pytest.mark.parametrize(("size", "named"), [(10_001, "10001 characters"), (5_000_000, "more than 1048576 bytes")])
def test_too_much_stdin_is_refused_and_both_sizes_named(lamella: CommandLine, size: int, named: str) -> None:
    assert lamella.run("save", "-", stdin=b"x" * size) == Done(
        1, "", f"text must be at most 10000 characters, not {named}.\n"
    )
    assert not lamella.data.exists()


def test_a_view_that_is_too_long_can_be_followed(lamella: CommandLine) -> None:
    lamella.saved(" ".join(f"word{number:05}" for number in range(1000)))

    first, _, cursor = lamella.run("recall", "--detail", "full").out.strip().rpartition(" | next: --cursor ")
    assert "| truncated (lamella recall --id ID --detail full shows all of one) |" in first
    assert " tokens | " not in first

    assert "word00999" in lamella.run("recall", "--detail", "full", "--cursor", cursor).out


def test_recall_by_title_ids_and_recency(lamella: CommandLine) -> None:
    first = lamella.saved("On grafting.", "--title", "Grafting 100%")[:8]
    second = lamella.saved("On pruning.", "--title", "Pruning")[:8]

    assert lamella.listed() == [second, first]
    assert lamella.listed("") == [second, first]
    assert lamella.listed("--limit", "1") == [second]
    assert lamella.listed("--title", "100%") == [first]
    assert lamella.listed("--ids", first, "--ids", second) == [first, second]
    assert lamella.listed("--ids", f"{first},{second}, {first}") == [first, second]
    assert lamella.listed("--days-back", "1") == [second, first]


def test_a_query_that_is_an_id_is_told_how_to_ask_for_it(lamella: CommandLine) -> None:
    short = lamella.saved("On grafting.")[:8]
    refused = lamella.run("recall", short)
    advice = f"A memory has that id: lamella recall --id {short}"
    assert refused == Done(1, "", f"No memories found matching '{short}'. {advice}\n")
    assert lamella.run("recall", "nothing").err.endswith("check the ID.\n")


def test_only_the_present_session(lamella: CommandLine) -> None:
    lamella.saved("Morning.", env={"LAMELLA_SESSION": "one"})
    second = lamella.saved("Evening.", env={"LAMELLA_SESSION": "two"})

    shown = lamella.run("recall", "--session-only", env={"LAMELLA_SESSION": "two"})

    assert LISTED_ID.findall(shown.out) == [second[:8]]


def test_purge_hides_and_restore_brings_back(lamella: CommandLine) -> None:
    lamella.saved("Cherries split in the rain.")
    (short,) = lamella.listed("cherries")

    assert lamella.run("purge", short) == Done(0, "Purged 1/1 memories.\n")
    assert lamella.listed("cherries") == []
    assert lamella.listed("cherries", "--include-purged") == [short]
    assert lamella.run("recall", "--id", short).err.endswith(f" To restore it: lamella restore {short}\n")
    assert lamella.run("purge", short) == Done(1, "", f"Purged 0/1 memories.\n{short}: already purged\n")
    assert lamella.run("restore", short, "ffffffff") == Done(0, "Restored 1/2 memories.\nffffffff: not found\n")
    assert lamella.listed("cherries") == [short]
    assert lamella.run("restore", short) == Done(1, "", f"Restored 0/1 memories.\n{short}: not purged\n")


def test_paths_attach_the_changes_of_their_files(lamella: CommandLine) -> None:
    repository = Repository.made(lamella.directory)
    repository.write("rows.txt", "one\ntwo\n")
    repository.commit()
    repository.write("rows.txt", "one\nthree\nfour\n")

    saved = lamella.saved("Replanted.", "--path", "rows.txt")

    assert "\nrows.txt +2 -1\n" in lamella.run("recall", "--id", saved, "--detail", "full").out
    assert lamella.listed("--path", "rows.txt") == [saved[:8]]
    outside = lamella.run("save", "Elsewhere.", "--path", "../elsewhere.txt")
    assert (outside.code, outside.out) == (1, "")
    assert outside.err.startswith(f"The path '{lamella.directory}/../elsewhere.txt' is outside this project.")


def test_two_directories_of_one_name_are_two_projects_until_merged(lamella: CommandLine, tmp_path: Path) -> None:
    other = CommandLine(lamella.data, tmp_path / "elsewhere" / "orchard")
    other.directory.mkdir(parents=True)
    here, there = lamella.saved("Apples here.")[:8], other.saved("Apples there.")[:8]
    rows = [line.split("\t") for line in lamella.run("project", "list").out.splitlines()]
    ids = {row[4].rpartition(":")[2]: row[0] for row in rows}
    old, new = ids[str(other.directory.resolve())], ids[str(lamella.directory.resolve())]

    assert [row[1] for row in rows] == ["orchard", "orchard"]
    assert lamella.listed("apples") == [here]
    assert lamella.listed("apples", "--project", old) == [there]
    ambiguous = lamella.run("recall", "--project", "orchard")
    assert (ambiguous.code, ambiguous.err.partition(".")[0]) == (1, "Several projects are called 'orchard'")

    merged = f"Moved 1 memory and 0 messages from {old} into {new}.\n"
    assert lamella.run("project", "merge", old, new) == Done(0, merged)
    assert sorted(lamella.listed("apples")) == sorted(other.listed("apples")) == sorted([here, there])
    assert f"\t{new}\t" in lamella.run("project", "list").out

    assert lamella.run("project", "split", old) == Done(0, f"Moved 1 memory and 0 messages back to {old}.\n")
    assert (lamella.listed("apples"), other.listed("apples")) == ([here], [there])
    assert lamella.run("project", "split", old) == Done(1, "", f"{old} was not merged into another project.\n")


def test_an_unknown_project_is_named(lamella: CommandLine) -> None:
    lamella.saved("Here.")

    sentence = "No project is known as 'vineyard'. List the known ones with: lamella project list\n"
    for arguments in (
        ("save", "There.", "--project", "vineyard"),
        ("recall", "--project", "vineyard"),
        ("purge", "abcdef", "--project", "vineyard"),
        ("restore", "abcdef", "--project", "vineyard"),
        ("erase", "abcdef", "--yes", "--project", "vineyard"),
        ("project", "merge", "vineyard", "orchard"),
        ("project", "split", "vineyard"),
    ):
        assert lamella.run(*arguments) == Done(1, "", sentence)


def test_projects_are_listed_and_none_are_said_to_be_none(lamella: CommandLine) -> None:
    assert lamella.run("project", "list") == Done(
        0, "", "No projects yet. The first memory that is saved makes one.\n"
    )
    lamella.saved("Here.")

    shown = lamella.on_terminal("project", "list")

    assert shown.code == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.out)
    assert re.match(r"orchard-[0-9a-f]+  orchard, made \d{4}-\d\d-\d\d\n  dir:", plain)


def test_what_holds_everywhere_is_no_project(lamella: CommandLine) -> None:
    lamella.saved("Answer briefly.", "--everywhere")
    assert "registry: 0 project(s)" in lamella.run("doctor").out
    export = lamella.run("export", "--all")
    assert export.err == "Exported 1 memory of what holds everywhere.\n"
    imported = lamella.run("import", "-", stdin=export.out.encode())
    assert imported.out.startswith("Imported 0 memories of what holds everywhere.\n")
    lamella.saved("Here.")
    assert "registry: 1 project(s)" in lamella.run("doctor").out
    shown = lamella.on_terminal("project", "list").out
    assert "\n  what holds in every project" in shown.replace("\r", "")


def editor(folder: Path, script: str) -> dict[str, str]:
    """Return the environment with an editor that runs a shell script on its file, `$1`."""
    return {"VISUAL": "", "EDITOR": str(executable(folder / "editor", script))}


def test_an_edit_takes_the_place_of_a_memory_and_keeps_its_source_and_paths(
    lamella: CommandLine, tmp_path: Path
) -> None:
    (lamella.directory / "a.py").write_text("x = 1\n", "utf-8")
    saved = lamella.run(
        "save", "Ship on Friday.", "--source", "decision", "--path", "a.py", "--title", "Ship day"
    ).out
    old = SAVED_ID.findall(saved)[0]
    look = 'stat -c %a "$1" > seen; cat "$1" >> seen; echo "$1" > file; sed -i s/Friday/Monday/ "$1"'

    done = lamella.run("edit", old[:8], env=editor(tmp_path, look))

    assert (done.code, done.err) == (0, "")
    new = SAVED_ID.findall(done.out)[0]
    assert done.out == f"Memory saved (id: {new})\nTitle: Ship day\nReplaced: {old[:8]}\n"
    assert (lamella.directory / "seen").read_text("utf-8") == "600\nShip day\n\nShip on Friday.\n"
    assert not Path((lamella.directory / "file").read_text("utf-8").strip()).exists()
    shown = lamella.run("recall", "--id", new, "--detail", "full").out
    assert ("Ship on Monday." in shown, "a.py +" in shown) == (True, True)
    assert " | decision | " in lamella.run("recall", "--id", new, "--detail", "timeline").out
    assert lamella.run("recall", "--id", old).err == (
        f"The memory {old[:8]} was replaced by {new[:8]} (Ship day). Recall that one, or restore {old[:8]}.\n"
    )


@pytest.mark.parametrize(
    ("script", "title"),
    [
        ('sed -i s/Friday/Monday/ "$1"', "Ship on Monday."),
        ("sed -i '3 s/Friday/Monday/' \"$1\"", "Ship on Monday."),
        ("printf 'When\\n\\nShip on Monday.' > \"$1\"", "When"),
    ],
)
def test_a_title_that_was_made_of_the_text_follows_it(
    lamella: CommandLine, tmp_path: Path, script: str, title: str
) -> None:
    id = SAVED_ID.findall(lamella.run("save", "Ship on Friday.").out)[0]
    done = lamella.run("edit", id, env=editor(tmp_path, script))
    assert done.out.splitlines()[1] == f"Title: {title}"


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ("true", 0, "Unchanged: nothing was saved.\n"),
        ('touch "$1"', 0, "Unchanged: nothing was saved.\n"),
        (': > "$1"', 0, "The text is empty: nothing was changed.\n"),
        ('echo title > "$1"', 0, "The text is empty: nothing was changed.\n"),
        ("exit 1", 1, ""),
    ],
)
def test_an_edit_that_says_nothing_new_changes_nothing(
    lamella: CommandLine, tmp_path: Path, script: str, code: int, said: str
) -> None:
    id = SAVED_ID.findall(lamella.run("save", "Ship on Friday.").out)[0]
    done = lamella.run("edit", id, env=editor(tmp_path, script))
    assert (done.code, done.out) == (code, said)
    assert lamella.run("recall", "--include-purged").out.startswith(f"[1] {id[:8]}")


def test_an_edit_needs_an_editor_of_the_user_and_a_memory(lamella: CommandLine, tmp_path: Path) -> None:
    (lamella.directory / ".git").mkdir()
    none = {"VISUAL": " ", "EDITOR": ""}
    assert lamella.run("edit", "ffffffff", env=none).err == (
        "No editor is set. Set EDITOR, such as: EDITOR=nano lamella edit ID\n"
    )
    refused = lamella.run("edit", "ffffffff", env=editor(tmp_path, "true"))
    assert refused.err.startswith("No memories found matching 'ffffffff'.")


def test_what_holds_everywhere_is_shown_and_edited_in_other_projects(lamella: CommandLine, tmp_path: Path) -> None:
    other = CommandLine(lamella.data, tmp_path / "other")
    other.directory.mkdir()
    id = SAVED_ID.findall(lamella.run("save", "--everywhere", "Indent with tabs.").out)[0]
    assert other.run("recall", "tabs").out.splitlines()[0].endswith(" | everywhere")
    edited = other.run("edit", id[:8], env=editor(tmp_path, 'sed -i s/tabs/spaces/ "$1"'))
    assert edited.code == 0
    assert lamella.run("recall").out.splitlines()[0].endswith(" | everywhere")
    assert lamella.run("recall", env={"LAMELLA_EVERYWHERE": "off"}).out == (
        f"{NOTHING_SAVED} Save one with: lamella save TEXT\n"
    )


def test_recall_filters_by_kind_source_author_and_dates(lamella: CommandLine) -> None:
    ada = lamella.saved("Ship on Monday.", "--source", "decision", env={"LAMELLA_AUTHOR": "Ada"})[:8]
    other = lamella.saved("Ship the red crate.")[:8]
    assert lamella.listed("ship", "--source", "decision") == [ada]
    assert lamella.listed("--author", "Ada", "--kind", "note") == [ada]
    assert lamella.listed("--since", "2020-01-31", "--until", "2200-01-31") == [other, ada]
    refused = lamella.run("recall", "--since", "x")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.endswith("Invalid value for '--since': 'x' is no day such as 2026-01-31.\n")
    assert lamella.run("recall", "--kind", "change").out == "No memories match these filters.\n"
    assert lamella.run("recall", "--until", "2020-01-31").out == "No memories match these filters.\n"
