"""Sessions in real repositories, as files of `sessions` tell them."""

from pathlib import Path

import pytest

from tests.end_to_end.support.sessions import Session, sessions
from tests.unit.capture.git_bench import Bench, BenchShell

ALL = [each for file in sorted(Path(__file__).with_name("sessions").glob("*.txt")) for each in sessions(file)]


@pytest.mark.parametrize("session", ALL, ids=str)
def test_what_commands_and_edits_did_is_told_as_written(bench: Bench, session: Session) -> None:
    BenchShell(bench).play(session)
