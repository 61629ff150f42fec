import os
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.repository import process
from lamella_adapters.git.repository.process import Git
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import executable
from tests.waiting import HANG_SECONDS, until


def program(folder: Path, script: str) -> str:
    return str(executable(folder / "git", script))


def git(program: str, folder: Path) -> Git:
    return Git(program, str(folder), time.monotonic() + HANG_SECONDS)


def time_is_up_after(event: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock until `event` has happened; then exceed the time limit of every git process."""
    happened: list[object] = []

    def monotonic() -> float:
        if not happened:
            happened.append(until(event))
        return time.monotonic() + 2 * HANG_SECONDS

    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=monotonic))


@pytest.mark.parametrize("missing", ["/nonexistent/git", "/dev/null", "a\0b"])
def test_without_git_paths_have_no_counts(tmp_path: Path, missing: str) -> None:
    tree = GitWorkingTree(program=missing)
    assert tree.changes(tmp_path, ["a.py"]) == (CodeChange(path="a.py"),)


@pytest.mark.parametrize("answer", ["exit 1", "echo nonsense", "head -c 9000 /dev/zero", "kill -9 $$"])
def test_where_git_answers_nonsense_paths_have_no_counts(tmp_path: Path, answer: str) -> None:
    tree = GitWorkingTree(program=program(tmp_path, answer))
    assert tree.changes(tmp_path, ["a.py"]) == (CodeChange(path="a.py"),)


@pytest.mark.parametrize("hanging", ["exec sleep 100000", "exec sleep 100000 >&-"])
def test_where_git_hangs_paths_have_no_counts_and_the_wait_is_over(tmp_path: Path, hanging: str) -> None:
    tree = GitWorkingTree(program=program(tmp_path, hanging), patience=0.2)
    assert tree.changes(tmp_path, ["a.py"]) == (CodeChange(path="a.py"),)


def test_what_a_hanging_git_started_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "alive")
    # A pipe's reader sees the end once no process that could write is left.
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    hanging = program(tmp_path, f"exec 9>'{tmp_path}/alive'; sleep 100000 & echo >&9; sleep 100000")
    time_is_up_after(lambda: os.read(reader, 10) == b"\n", monkeypatch)
    assert git(hanging, tmp_path).ask("status") is None
    with os.fdopen(reader, "rb") as pipe:
        assert select.select([pipe], [], [], HANG_SECONDS)[0], "something goes on"
        assert pipe.read() == b""


def test_what_is_printed_on_the_way_to_a_failure_can_be_asked_for(tmp_path: Path) -> None:
    failing = git(program(tmp_path, "echo words; exit 3"), tmp_path)
    assert (failing.ask("x"), failing.ask_anyway("x")) == (None, b"words\n")


def test_reading_stops_at_four_mebibytes(tmp_path: Path) -> None:
    endless = git(program(tmp_path, "exec cat /dev/zero"), tmp_path)
    answer = endless.ask("x")
    assert answer is not None
    assert len(answer) // 2**16 == 64


def test_git_gets_no_input_and_none_of_its_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("LANGUAGE", "de")
    shown = git(program(tmp_path, "cat; env | grep ^GIT_ | sort; echo $LC_ALL"), tmp_path).ask("x")
    assert shown == (
        b"GIT_ALLOW_PROTOCOL=none\nGIT_CONFIG_COUNT=0\nGIT_NO_LAZY_FETCH=1\nGIT_OPTIONAL_LOCKS=0\n"
        b"GIT_TERMINAL_PROMPT=0\nGIT_WORK_TREE=%b\nC\n" % bytes(tmp_path)
    )


def test_no_process_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "pid"
    monkeypatch.setattr(process, "_GRACE_SECONDS", HANG_SECONDS)
    time_is_up_after(lambda: written.read_text().endswith("\n"), monkeypatch)
    git(program(tmp_path, f"echo $$ > '{written}'; exec sleep 100000"), tmp_path).ask("x")
    with pytest.raises(ProcessLookupError):
        os.kill(int(written.read_text()), signal.SIGCONT)
