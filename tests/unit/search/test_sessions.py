"""Searches, as files of `sessions` tell them."""

from tests.end_to_end.support.sessions import Session
from tests.unit.search.search_session import SearchShell
from tests.unit.support.tables import each_session


@each_session
def test_what_is_searched_is_answered_as_written(session: Session) -> None:
    SearchShell().play(session)
