"""Sessions at several machines, as files of `sessions` tell them."""

from tests.end_to_end.support.sessions import Session
from tests.unit.exchange.copying.desks import MachineShell
from tests.unit.support.tables import each_session


@each_session
def test_what_is_done_is_answered_as_written(session: Session) -> None:
    MachineShell().play(session)
