"""Sessions of imports from other programs, as files of `sessions` tell them."""

from tests.end_to_end.support.sessions import Session
from tests.unit.exchange.programs.shelf import ShelfShell
from tests.unit.support.doubles import Desk
from tests.unit.support.tables import each_session


@each_session
def test_what_is_taken_over_is_told_as_written(session: Session) -> None:
    ShelfShell(Desk()).play(session)
