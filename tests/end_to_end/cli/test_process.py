"""The command `lamella` as a process: help, exit codes, signals, terminals, and the server it starts."""

import os
import re
import signal
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest
from attrs import evolve

from tests.end_to_end.support.command_line import LAMELLA, CommandLine, Done
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS

ESCAPE = "\x1b"
ID = "the id of what was saved"


def test_the_version_is_the_distributions(lamella: CommandLine) -> None:
    assert lamella.fresh("--version") == Done(0, f"lamella, version {version('lamella')}\n")


@pytest.mark.parametrize("command", ["", "serve", "save", "import", "project", "project merge", "doctor"])
def test_each_command_describes_itself_and_no_line_of_a_list_is_cut_short(
    lamella: CommandLine, command: str
) -> None:
    narrow = evolve(lamella, settings={**lamella.settings, "COLUMNS": "60"})
    done = narrow.run(*command.split(), "--help")

    assert (done.code, done.err) == (0, "")
    assert narrow.run(*command.split(), "-h") == done
    assert done.out.startswith(f"Usage: lamella {command}".strip() + " ")
    assert "..." not in done.out.partition("Commands:\n")[2]


@cases
def test_arguments_that_make_no_sense_exit_2_and_touch_nothing(
    lamella: CommandLine, arguments: tuple[str, ...]
) -> None:
    done = lamella.run(*arguments)

    assert (done.code, done.out) == (2, "")
    assert "Usage: lamella" in done.err
    assert not lamella.data.exists()


@cases
def test_control_characters_never_reach_a_terminal(
    lamella: CommandLine, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    hostile = CommandLine(lamella.data, tmp_path / f"x{ESCAPE}[31mred\u202e")
    hostile.directory.mkdir()
    saved = hostile.saved(f"a{ESCAPE}]0;owned\x07b", "--title", f"t{ESCAPE}[2Jt")
    given = [saved if each == ID else each for each in arguments]
    shown = re.sub(r"\x1b\[[0-9;]*m", "", hostile.on_terminal(*given).out)
    piped = hostile.run(*given)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", shown + piped.out + piped.err)


def test_ctrl_c_exits_130_and_says_nothing_of_itself(lamella: CommandLine) -> None:
    process = lamella.started("save", "-", stdin=subprocess.PIPE)
    assert process.stdin is not None
    # It reads its stdin for as long as the pipe is open; once it has taken this much, it is in the middle of it.
    process.stdin.write(b"x" * 500_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANG_SECONDS)

    assert process.returncode == 130
    assert (out, err.strip()) == (b"", b"")


def test_a_reader_that_leaves_is_no_error_worth_a_traceback(lamella: CommandLine) -> None:
    lamella.saved("Mulberries stain.")
    process = lamella.started("recall")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()

    with process.stderr:
        assert process.stderr.read() == b""
    process.wait(HANG_SECONDS)


def test_umlauts_are_stored_as_they_are_where_the_encoding_is_ascii(lamella: CommandLine) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0"}
    (lamella.directory / "Übung.md").write_text("Fährt über.\n")
    saved = lamella.fresh("save", "Die Fähre fährt über den Bach.", "--path", "Übung.md", env=ascii_only)
    assert (saved.code, saved.err) == (0, "")
    with lamella.started("save", "-", stdin=subprocess.PIPE, env=lamella.environment | ascii_only) as process:
        out, _ = process.communicate("Grüße".encode(), timeout=HANG_SECONDS)
    assert (process.returncode, "Title: Grüße" in out.decode()) == (0, True)
    lamella.fresh("export", "Märchen.jsonl", env=ascii_only)
    exported = (lamella.directory / "Märchen.jsonl").read_text("utf-8")
    assert [each in exported for each in ("Die Fähre fährt über den Bach.", "Grüße", '"Übung.md"')] == [True] * 3
    assert "Die Fähre fährt über den Bach." in lamella.run("recall", "Fähre").out
    latin = lamella.run("save", os.fsdecode("Grüße".encode("latin-1")))
    assert (latin.code, latin.err.startswith("text must be UTF-8")) == (1, True)


@cases
def test_a_closed_stream_is_an_empty_one(lamella: CommandLine, command: str, closed: str, code: int) -> None:
    lamella.run("save", "A zebra crosses.")
    ran = subprocess.run(
        ["/bin/sh", "-c", f"exec {LAMELLA} {command} {closed}"],
        cwd=lamella.directory,
        env=lamella.environment,
        input=b"",
        capture_output=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert (ran.returncode, "Something went wrong" in ran.stderr.decode()) == (code, False)
    assert b"Traceback" not in ran.stderr
