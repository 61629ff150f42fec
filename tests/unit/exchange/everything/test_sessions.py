"""Sessions at machines that share everything, as files of `sessions` tell them."""

from pathlib import Path

from tests.end_to_end.support.sessions import Session
from tests.unit.exchange.everything.machines import MachinesShell
from tests.unit.support.tables import each_session


@each_session
def test_what_is_done_is_answered_as_written(session: Session, tmp_path: Path) -> None:
    MachinesShell(tmp_path).play(session)
