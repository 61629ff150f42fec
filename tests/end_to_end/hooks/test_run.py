import os
import subprocess
import sys
from pathlib import Path

from tests.unit.support.tables import cases

SCRIPT = """
import os, signal, sys
from lamella_adapters.hooks import run
def happens(*_):
    {what}
run.{where} = happens
{more}
run.run()
"""
TOLD = b'{"hook_event_name": "SessionStart", "session_id": "one", "cwd": "/"}\n'

SAYS_HELLO = "return ('hello', []), ''"


def run(
    where: str, what: str, directory: Path, more: str = "", stdout: int = subprocess.PIPE
) -> tuple[int, bytes | None, bytes]:
    """Return the exit code and the outputs of a hook in which a function is replaced."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(where=where, what=what, more=more)],
        input=TOLD,
        env={**os.environ, "LAMELLA_DATA_DIR": str(directory), "CLAUDE_PID": str(os.getpid())},
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


ERRORS = ("raise ValueError", "raise MemoryError", "raise SystemExit(2)", "raise KeyboardInterrupt", "happens()")


@cases
def test_whatever_happens_a_hook_ends_well(tmp_path: Path, where: str, what: str) -> None:
    assert run(where, what, tmp_path) == (0, b"", b"")


@cases
def test_a_hook_that_hangs_gives_up(tmp_path: Path, where: str, stuck: str) -> None:
    assert run(where, stuck, tmp_path, "run.SECONDS = 1") == (0, b"", b"")


def test_what_is_said_is_said_by_a_whole_process(tmp_path: Path) -> None:
    said = b'{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "hello"}}'
    assert run("_context", SAYS_HELLO, tmp_path, "run.SECONDS = 300") == (0, said, b"")


def test_nobody_who_listens_is_no_failure(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run("_context", SAYS_HELLO, tmp_path, "run.SECONDS = 300", writing) == (0, None, b"")
    finally:
        os.close(writing)
