"""Sessions at a shell over PostgreSQL, as the file `sessions.txt` tells them."""

from pathlib import Path

import pytest

from tests.end_to_end.support.sessions import Session, sessions
from tests.end_to_end.support.shell_session import Shell


@pytest.mark.parametrize("session", [*sessions(Path(__file__).with_name("sessions.txt"))], ids=str)
def test_what_is_typed_prints_what_is_written(tmp_path: Path, url: str, session: Session) -> None:
    Shell(tmp_path, {"LAMELLA_STORAGE": url}).play(session)
