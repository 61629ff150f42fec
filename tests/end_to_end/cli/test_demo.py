"""`lamella demo`, as `make demo` runs it."""

import re
import signal
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import LAMELLA, CommandLine, Done
from tests.unit.adapters.git.git_repository import Repository
from tests.waiting import HANG_SECONDS

HEADINGS = [
    "lamella: persistent memory for coding agents, over MCP",
    "1. What an agent is told of the tools",
    "2. Save",
    "3. Recall by words: a compact list",
    "4. Disclose one result level by level, by the id that the list printed",
    "5. Purge it, and recall no longer finds it",
    "6. Restore it, and it is back",
    "7. Everything in full: no reply above 2000 tokens, and a cursor to go on with",
    "Done. To give Claude Code this memory",
]
LAST_LINE = f"claude mcp add --scope user lamella -- {LAMELLA} serve"


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
    assert not lamella.data.exists()
    assert list(temporary.iterdir()) == []
    return done


def replies(done: Done, request: str) -> list[str]:
    """Return the answers to requests that begin so."""
    return [
        part.split("\n", 1)[1].rpartition("\n  (")[0]
        for part in done.out.split("\n\n> ")[1:]
        if part.startswith(request)
    ]


def test_in_a_repository_with_a_single_commit(
    lamella: CommandLine, repository: Repository, tmp_path: Path
) -> None:
    repository.write("rows.txt", "pears\n")
    commit(repository, "Espalier the pear trees\n\nAlong the southern wall.")

    done = demo(lamella, tmp_path)

    assert f"The newest 1 commit(s) of the git repository {lamella.directory.resolve()}.\n" in done.out
    assert re.search(r"\(2 tools, \d{3,4} tokens in all\)", done.out)
    (query,) = set(re.findall(r'^> recall \{"query": "(.*)"\}$', done.out, re.MULTILINE))
    assert set(query.split()) <= {"Espalier", "the", "pear", "trees"}
    found, gone, back = replies(done, 'recall {"query"')
    (short,) = re.findall(r"\[1\] ([0-9a-f]{8}) \| Espalier the pear trees \| ", found)
    assert short not in gone
    assert back == found
    compact, timeline, full = replies(done, f'recall {{"id": "{short}"')
    assert compact.startswith(f"  [1] {short} | Espalier the pear trees | - | ")
    assert f"→ {timeline.partition('→ ')[2][:5]} | Espalier the pear trees | manual | " in timeline
    assert "\n  Along the southern wall.\n" in full
    assert "\n  rows.txt +1 -0\n" in full
    assert replies(done, 'recall {"action": "purge"') == ["  Purged 1/1 memories."]
    assert replies(done, 'recall {"action": "restore"') == ["  Restored 1/1 memories."]
    first, second = replies(done, 'recall {"detail": "full"')
    assert " | truncated (use id for full view) | shown " in first
    assert second != first


def test_in_a_long_history_the_newest_thirty_commits_are_saved(
    lamella: CommandLine, repository: Repository, tmp_path: Path
) -> None:
    for number in range(33):
        repository.write(f"row{number}.txt", f"tree {number}\n" * 20)
        commit(repository, f"Plant row {number}\n\n{'It had been fallow for years. ' * 40}")

    done = demo(lamella, tmp_path)

    assert "The newest 30 commit(s) of the git repository " in done.out
    assert "\n30 memories saved, each in " in done.out
    assert "each of the 30 memories was shown once." in done.out


def test_commits_that_are_all_called_the_same_are_told_apart(
    lamella: CommandLine, repository: Repository, tmp_path: Path
) -> None:
    for _ in range(15):
        commit(repository, "wip")

    done = demo(lamella, tmp_path)

    assert "The newest 15 commit(s)" in done.out


def test_awkward_commits_are_no_obstacle(lamella: CommandLine, repository: Repository, tmp_path: Path) -> None:
    repository.write("with space.txt", "x\n")
    repository.write("früh.bin", b"\x00\xff" * 100)
    (repository.root / "link").symlink_to("/etc/passwd")
    for message in ("...", "\x1b[31mred [bold]markup[/bold] :smile:", "--- | posing | as ours ---", "李" * 300):
        commit(repository, message)

    done = demo(lamella, tmp_path)

    assert "The newest 4 commit(s)" in done.out
    assert "root:x:0" not in done.out


@pytest.mark.usefixtures("repository")
def test_in_a_repository_without_commits_it_says_so(lamella: CommandLine, tmp_path: Path) -> None:
    done = demo(lamella, tmp_path)

    assert f"The git repository {lamella.directory.resolve()} has no commits yet.\n" in done.out
    assert re.search(r"\d+ of lamella's own source files\.\n", done.out)


def test_outside_of_any_repository_it_says_so(lamella: CommandLine, tmp_path: Path) -> None:
    done = demo(lamella, tmp_path)

    assert f"{lamella.directory} is not in a git repository, so there are no commits to save.\n" in done.out
    assert re.search(r"\d+ of lamella's own source files\.\n", done.out)


def test_on_a_terminal_replies_stand_in_panels(lamella: CommandLine) -> None:
    done = lamella.on_terminal("demo")

    assert done.code == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.out)
    assert "╭──" in plain
    assert plain.splitlines()[-1] == LAST_LINE


def test_a_step_that_fails_ends_it_with_a_sentence(lamella: CommandLine) -> None:
    done = lamella.run("demo", env={"LAMELLA_TOKENIZER": "abacus"})

    assert done.code == 1
    assert done.err == (
        "The demo failed: InvalidValueError: LAMELLA_TOKENIZER must be one of chars4, classes, not 'abacus'.\n"
    )


def test_ctrl_c_leaves_nothing_behind(lamella: CommandLine, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # Where nobody reads on, it can't print all that follows, and so can't end.
    process = lamella.started("demo", env=lamella.environment | {"TMPDIR": str(temporary)}, pipesize=4096)
    assert process.stdout is not None
    for line in process.stdout:
        if line == b"== 2. Save ==\n":
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG_SECONDS)

    assert (process.returncode, err.strip()) == (130, b"")
    assert list(temporary.iterdir()) == []
