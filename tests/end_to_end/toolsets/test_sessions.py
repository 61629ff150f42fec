"""Calls of the tools and their replies, as files of `sessions` tell them; each file is called as its toolsets."""

from pathlib import Path

import pytest

from tests.end_to_end.support.sessions import Session, sessions
from tests.end_to_end.support.tools import Tools, started
from tests.end_to_end.toolsets.caller import Caller

FILES = sorted(Path(__file__).with_name("sessions").glob("*.txt"))


@pytest.mark.parametrize(
    "session", [pytest.param((file.stem, each), id=str(each)) for file in FILES for each in sessions(file)]
)
def test_what_is_called_answers_what_is_written(tmp_path: Path, session: tuple[str, Session]) -> None:
    toolset, played = session
    (tmp_path / "project" / ".git").mkdir(parents=True)
    with started(tmp_path, LAMELLA_TOOLSET=toolset, LAMELLA_SESSION="the-session") as client:
        Caller(Tools(client).answered).play(played)
