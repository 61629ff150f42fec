"""Sessions in real repositories, as files of `sessions` tell them."""

from tests.end_to_end.capture.git_bench import Bench, BenchShell
from tests.end_to_end.support.sessions import Session
from tests.unit.support.tables import each_session


@each_session
def test_what_commands_and_edits_did_is_told_as_written(bench: Bench, session: Session) -> None:
    BenchShell(bench).play(session)
