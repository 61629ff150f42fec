"""Sessions of members of a team, as files of `sessions` tell them."""

from pathlib import Path

from tests.end_to_end.support.sessions import Session
from tests.unit.exchange.sharing.team import ShareShell
from tests.unit.support.tables import each_session


@each_session
def test_what_members_do_is_answered_as_written(tmp_path: Path, session: Session) -> None:
    ShareShell(tmp_path.resolve()).play(session)
