"""Sessions at a shell, as files of `sessions` tell them."""

from pathlib import Path

import pytest

from tests.end_to_end.support.sessions import Session, sessions
from tests.end_to_end.support.shell_session import FILES, Shell

ALL = [each for file in sorted(FILES.glob("*.txt")) for each in sessions(file)]


@pytest.mark.parametrize("session", ALL, ids=str)
def test_what_is_typed_prints_what_is_written(tmp_path: Path, session: Session) -> None:
    Shell(tmp_path).play(session)
