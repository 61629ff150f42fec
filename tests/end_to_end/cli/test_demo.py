"""`lamella demo` on a terminal, and broken off; `sessions/demo.txt` has what it prints."""

import re
import signal
from pathlib import Path

from attrs import evolve

from tests.end_to_end.support.command_line import LAMELLA, CommandLine
from tests.waiting import HANG_SECONDS


def test_on_a_terminal_it_fits_on_one_screen(lamella: CommandLine) -> None:
    narrow = evolve(lamella, settings={"COLUMNS": "80"})
    done = narrow.on_terminal("demo")

    assert done.code == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.out)
    assert len(plain.splitlines()) <= 60
    assert plain.splitlines()[-2:] == [f"{LAMELLA} setup", f"{LAMELLA} web"]


def test_ctrl_c_leaves_nothing_behind(lamella: CommandLine, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # Where nobody reads on, it can't print all that follows, and so can't end.
    process = lamella.started("demo", env=lamella.environment | {"TMPDIR": str(temporary)}, pipesize=4096)
    assert process.stdout is not None
    for line in process.stdout:
        if line == b"== 2. Ask in other words ==\n":
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG_SECONDS)

    assert (process.returncode, err.strip()) == (130, b"")
    assert list(temporary.iterdir()) == []
