"""Settings of the user: the project and the place of its memories. Reading leaves nothing on the disk."""

from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine, Done

GONE = "00000000-0000-4000-8000-000000000000"
NOTHING_SAVED = "No memories saved in this project yet. Save one with: lamella save TEXT\n"
READS = [
    ("recall",),
    ("recall", "words"),
    ("recall", "--title", "words"),
    ("recall", "--id", GONE),
    ("recall", "--ids", GONE, "--include-purged"),
    ("recall", "--path", "src", "--session-only", "--days-back", "1"),
    ("recall", "--project", "orchard"),
    ("purge", GONE),
    ("restore", GONE),
    ("erase", GONE, "--yes"),
    ("project", "list"),
    ("project", "merge", "one", "other"),
    ("project", "split", "one"),
    ("doctor",),
]


@pytest.mark.parametrize("project", [None, "cellar"])
def test_reading_leaves_a_fresh_machine_as_it_is(
    lamella: CommandLine, tmp_path: Path, project: str | None
) -> None:
    environment = {} if project is None else {"LAMELLA_PROJECT": project}
    done = {arguments: lamella.run(*arguments, env=environment) for arguments in READS}

    assert done["recall",] == Done(0, NOTHING_SAVED)
    assert done["recall", "words"] == Done(
        1, "", "No memories found matching 'words'. Try broader search terms or check the ID.\n"
    )
    assert done["recall", "--project", "orchard"].err.startswith("No project is known as 'orchard'.")
    assert done["purge", GONE] == Done(1, "", f"Purged 0/1 memories.\n{GONE}: not found\n")
    assert done["erase", GONE, "--yes"].err.startswith(f"No memories found matching '{GONE}'.")
    assert done["project", "list"] == Done(0, "", "No projects yet. The first memory that is saved makes one.\n")
    assert done["doctor",].code == 0
    assert {path.name for path in tmp_path.rglob("*")} == {"orchard", "home"}


@pytest.mark.parametrize("project", [None, "cellar"])
def test_reading_in_a_new_project_leaves_the_others_alone(lamella: CommandLine, project: str | None) -> None:
    saved = lamella.saved("Apples keep until March.", env={"LAMELLA_PROJECT": "attic"})
    before = lamella.files
    environment = {} if project is None else {"LAMELLA_PROJECT": project}

    for arguments in READS:
        done = lamella.run(*arguments, env=environment)
        assert "Apples" not in done.out
    assert lamella.files == before
    assert lamella.run("purge", saved[:8], env=environment).err.endswith(": not found\n")
    assert lamella.run("project", "list").out.count("\n") == 1
    lamella.saved("Pears keep until January.", env=environment)
    assert lamella.run("project", "list").out.count("\n") == 2


@pytest.mark.parametrize(
    "url", ["sqlite", "sqlite:d8", "sqlite:/d8", "sqlite://d8", "sqlite://", "sqlite:///", "sqlite://./d8"]
)
def test_a_database_is_never_made_where_a_command_happens_to_run(
    lamella: CommandLine, tmp_path: Path, url: str
) -> None:
    for arguments in (("save", "Apples."), ("recall",), ("doctor",)):
        assert lamella.run(*arguments, env={"LAMELLA_STORAGE": url}) == Done(
            1, "", f"LAMELLA_STORAGE must be sqlite: or sqlite:///absolute/folder, not '{url}'.\n"
        )
    assert {path.name for path in tmp_path.rglob("*")} == {"orchard", "home"}


def test_a_url_with_an_absolute_folder_is_that_folder(lamella: CommandLine, tmp_path: Path) -> None:
    assert tmp_path.is_absolute()
    lamella.saved("Apples keep until March.", env={"LAMELLA_STORAGE": f"sqlite://{tmp_path}/cellar"})
    assert (tmp_path / "cellar" / "registry.db").exists()
    assert not lamella.data.exists()


def test_blank_settings_are_none(lamella: CommandLine) -> None:
    names = ("PROJECT", "STORAGE", "TOKENIZER", "SESSION")
    lamella.saved("Apples keep until March.", env={f"LAMELLA_{name}": " \t " for name in names})

    assert len(lamella.listed("apples")) == 1
    assert lamella.run("project", "list").out.split("\t")[1] == "orchard"
    lamella.saved("Pears keep until January.", env={"LAMELLA_PROJECT": " cellar "})
    assert [line.split("\t")[1] for line in lamella.run("project", "list").out.splitlines()] == [
        "cellar",
        "orchard",
    ]


@pytest.mark.parametrize("command", ["recall", "serve"])
def test_a_data_directory_in_an_unknown_home_is_refused(lamella: CommandLine, command: str) -> None:
    done = lamella.run(command, env={"LAMELLA_DATA_DIR": "~no-such-user-as-this/data"})

    assert done == Done(1, "", "LAMELLA_DATA_DIR must be a folder, not one in the home of an unknown user.\n")
