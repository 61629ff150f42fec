from pathlib import Path

import pytest
from attrs import define

from lamella.caller import Caller
from lamella.domain.call import USER, Call
from lamella.ports.sessions import SessionIdentity
from lamella_adapters.process.settings import caller_from
from lamella_adapters.process.system import SystemClock


@define
class Changing(SessionIdentity):
    """A client that begins a new session before each call."""

    calls: int = 0

    def current(self) -> str:
        self.calls += 1
        return f"session {self.calls}"


def test_each_call_is_made_for_the_session_of_that_moment(tmp_path: Path) -> None:
    client = Caller(context=Call(directory=tmp_path, default_project="shop"), sessions=Changing())
    assert client.call() == Call(directory=tmp_path, default_project="shop", session="session 1")
    assert client.call(project="bank", request="r-1") == Call(
        directory=tmp_path, project="bank", default_project="shop", session="session 2", request="r-1"
    )


def test_a_client_is_known_by_what_the_user_and_it_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    environment = {"LAMELLA_DATA_DIR": str(tmp_path / "data"), "LAMELLA_PROJECT": "shop"}
    client = caller_from({**environment, "LAMELLA_SESSION": "mine"}, tmp_path, actor=USER)
    assert client.call() == Call(
        directory=tmp_path, default_project="shop", session="mine", actor=USER, zone=SystemClock().zone()
    )
    named = caller_from({**environment, "CLAUDE_CODE_SESSION_ID": "the client's"}, tmp_path)
    assert named.call().session == "the client's"


@pytest.mark.parametrize(("value", "author"), [(" Ada ", "Ada"), (" ", None), (None, None)])
def test_an_author_is_named_by_the_environment(tmp_path: Path, value: str | None, author: str | None) -> None:
    environment = {"LAMELLA_DATA_DIR": str(tmp_path), **({} if value is None else {"LAMELLA_AUTHOR": value})}
    assert caller_from(environment, tmp_path).call().author == author
