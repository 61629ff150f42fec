"""Sessions in repositories, as files of `sessions` tell them."""

from pathlib import Path

import pytest

from tests.end_to_end.git.git_session import GitShell
from tests.end_to_end.support.sessions import Session
from tests.unit.support.tables import each_session


@pytest.mark.usefixtures("repository")
@each_session
def test_what_is_typed_is_answered_as_written(
    tmp_path: Path, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    GitShell(tmp_path.resolve()).play(session)
