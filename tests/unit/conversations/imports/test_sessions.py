"""Imports of transcripts, as files of `sessions` tell them."""

from tests.end_to_end.support.sessions import Session
from tests.unit.conversations.imports.import_session import ImportShell
from tests.unit.support.tables import each_session


@each_session
def test_what_is_imported_is_told_as_written(session: Session) -> None:
    ImportShell().play(session)
