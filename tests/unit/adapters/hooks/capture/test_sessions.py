"""Hooks, as files of `sessions` tell of them."""

from pathlib import Path

from tests.end_to_end.support.sessions import Session
from tests.unit.adapters.hooks.capture.hook_session import HookShell
from tests.unit.support.tables import each_session


@each_session
def test_what_hooks_write_is_told_as_written(data: Path, session: Session) -> None:
    HookShell(data).play(session)
