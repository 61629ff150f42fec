"""Sessions of projects, as files of `sessions` tell them."""

from tests.end_to_end.support.sessions import Session
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk
from tests.unit.support.tables import each_session


@each_session
def test_what_is_done_is_answered_as_written(session: Session) -> None:
    DeskShell(Desk()).play(session)
