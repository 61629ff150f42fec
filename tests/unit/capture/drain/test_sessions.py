"""Drains of the spool, as files of `sessions` tell them."""

from tests.end_to_end.support.sessions import Session
from tests.unit.capture.drain.drain_session import DrainShell
from tests.unit.support.tables import each_session


@each_session
def test_what_is_drained_is_told_as_written(session: Session) -> None:
    DrainShell().play(session)
