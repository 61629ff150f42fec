"""`lamella demo`, as `make demo` runs it."""

import re
import signal
from pathlib import Path

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import LAMELLA, CommandLine, Done
from tests.unit.adapters.git.git_repository import Repository
from tests.waiting import HANG_SECONDS

HEADINGS = [
    "1. Save",
    "2. Recall: ask in other words",
    "3. No reply above 2000 tokens, and a cursor to go on with",
    "4. Purge hides a memory, restore brings it back",
    "5. Code that was removed comes back",
    "To give Claude Code this memory",
]
SCREEN_LINES = 60
LAST_LINE = f"claude mcp add --scope user lamella -- {LAMELLA} serve"


RETRY = """
def fetch_often(url, attempts):
    for attempt in range(attempts):
        try:
            return get(url)
        except RateLimited:
            time.sleep(2 ** attempt)
"""


@pytest.fixture
def repository(lamella: CommandLine) -> Repository:
    """Return a repository without commits, in which the command is run."""
    return Repository.made(lamella.directory)


def commit(repository: Repository, message: str) -> None:
    """Commit all that there is."""
    repository.git("add", ".")
    repository.git("commit", "--allow-empty", "-m", message)


def demo(lamella: CommandLine, tmp_path: Path) -> Done:
    """Plays it, and checks what has to be true wherever it is played."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()

    done = lamella.run("demo", env={"TMPDIR": str(temporary)})

    assert (done.code, done.err) == (0, "")
    assert re.findall(r"^== (.*) ==$", done.out, re.MULTILINE) == HEADINGS
    assert done.out.splitlines()[-1] == LAST_LINE
    assert "\x1b" not in done.out
    assert len(done.out.splitlines()) <= SCREEN_LINES
    assert not lamella.data.exists()
    assert list(temporary.iterdir()) == []
    return done


def replies(done: Done, request: str) -> list[str]:
    """Return the answers to requests that begin so."""
    parts = [part.partition("\n") for part in done.out.split("\n> ")[1:]]
    return [answer for asked, _, answer in parts if asked.startswith(request)]


def test_in_a_repository_with_a_single_commit(
    lamella: CommandLine, repository: Repository, tmp_path: Path
) -> None:
    repository.write("rows.txt", "pears\n")
    commit(repository, "Espalier the pear trees\n\nAlong the southern wall.")

    done = demo(lamella, tmp_path)

    assert f"The newest 1 commit of the git repository {lamella.directory.resolve()}.\n" in done.out
    assert re.search(r"An agent gets 2 tools for \d{3,4} tokens: save_memory, recall\.\n", done.out)
    (found,) = replies(done, 'recall {"query"')
    (short,) = re.findall(r"\[1\] ([0-9a-f]{8}) \| Espalier the pear trees \| ", found)
    (gone,) = replies(done, 'recall {"action": "purge"')
    assert gone.startswith("  Purged 1/1 memories.\n  The question no longer finds it.")
    assert f'> recall {{"action": "purge", "ids": ["{short}"]}}' in done.out
    (back,) = replies(done, 'recall {"action": "restore"')
    assert back.startswith("  Restored 1/1 memories.\n  The question finds it again.")
    first, second = replies(done, 'recall {"detail": "full"')
    assert " | truncated (use id for full view) | shown " in first
    assert second != first
    assert "\nNone of them removed code that is still gone, so there is nothing to warn of.\n" in done.out


def test_a_question_is_in_other_words_and_removed_code_is_warned_of(
    lamella: CommandLine, repository: Repository, tmp_path: Path
) -> None:
    repository.write("fetch.py", "def fetch(url):\n    return get(url)\n" + RETRY)
    commit(repository, "Fetch pages over the wire")
    repository.write("fetch.py", "def fetch(url):\n    return get(url)\n")
    commit(repository, "Remove the retry loop in fetch\n\nIt hid rate limits from callers.")

    done = demo(lamella, tmp_path)

    assert 'Saved: "Remove the retry loop in fetch". Asked: "delete retries loops fetches"\n' in done.out
    removed, _, told = done.out.partition("An agent is about to write it again. Before the edit it is told:\n")
    assert (
        '"Remove the retry loop in fetch", removed from fetch.py:\n  -def fetch_often(url, attempts):\n' in removed
    )
    assert told.startswith("  This edit brings back code that was removed on ")
    assert (lamella.directory / "fetch.py").read_text("utf-8").endswith("return get(url)\n")


def test_in_a_long_history_the_newest_thirty_commits_are_saved(
    lamella: CommandLine, repository: Repository, tmp_path: Path
) -> None:
    for number in range(33):
        repository.write(f"row{number}.txt", f"tree {number}\n" * 20)
        commit(repository, f"Plant row {number}\n\n{'It had been fallow for years. ' * 40}")

    done = demo(lamella, tmp_path)

    assert "The newest 30 commits of the git repository " in done.out
    assert "30 memories saved, each in " in done.out
    assert "each of the 30 memories was shown once." in done.out


def test_awkward_commits_are_no_obstacle(lamella: CommandLine, repository: Repository, tmp_path: Path) -> None:
    repository.write("with space.txt", "x\n")
    repository.write("früh.bin", b"\x00\xff" * 100)
    (repository.root / "link").symlink_to("/etc/passwd")
    for message in ("...", "\x1b[31mred [bold]markup[/bold] :smile:", "--- | posing | as ours ---", "李" * 300):
        commit(repository, message)

    done = demo(lamella, tmp_path)

    assert "The newest 4 commits" in done.out
    assert "root:x:0" not in done.out


@pytest.mark.usefixtures("repository")
def test_in_a_repository_without_commits_it_says_so(lamella: CommandLine, tmp_path: Path) -> None:
    done = demo(lamella, tmp_path)

    assert f"The git repository {lamella.directory.resolve()} has no commits yet.\n" in done.out
    assert re.search(r"\d+ of lamella's own source files\.\n", done.out)


@pytest.mark.usefixtures("repository")
def test_on_a_terminal_it_fits_on_one_screen(lamella: CommandLine) -> None:
    narrow = evolve(lamella, settings={"COLUMNS": "80"})
    done = narrow.on_terminal("demo")

    assert done.code == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.out)
    assert len(plain.splitlines()) <= SCREEN_LINES
    assert plain.splitlines()[-1] == LAST_LINE


def test_ctrl_c_leaves_nothing_behind(lamella: CommandLine, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # Where nobody reads on, it can't print all that follows, and so can't end.
    process = lamella.started("demo", env=lamella.environment | {"TMPDIR": str(temporary)}, pipesize=4096)
    assert process.stdout is not None
    for line in process.stdout:
        if line == b"== 1. Save ==\n":
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG_SECONDS)

    assert (process.returncode, err.strip()) == (130, b"")
    assert list(temporary.iterdir()) == []
