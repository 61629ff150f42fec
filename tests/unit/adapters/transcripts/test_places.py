"""Places at which clients keep their transcripts."""

from pathlib import Path

import pytest

from lamella.entry_points import adapter
from tests.unit.adapters.transcripts import samples
from tests.unit.adapters.transcripts.samples import HOME, SESSION, write
from tests.unit.support.tables import cases


@cases
def test_the_place_is_the_clients_own_unless_another_is_named(
    client: str, at_home: str, variable: str, below: str, *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = adapter("transcripts", client)
    kind = type(opened(tmp_path))
    assert opened(tmp_path) == kind(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "named"))
        assert opened(None) == kind(tmp_path / "named" / below, named=False)
        monkeypatch.delenv(variable)
    assert opened(None) == kind(tmp_path / at_home, named=False)
    assert opened(None).sources() == ()


@pytest.mark.parametrize(
    ("client", "beside"), [("codex", "history.jsonl"), ("copilot", f"{SESSION}/checkpoints.jsonl")]
)
def test_sessions_are_found_by_their_names_and_say_where_they_were(
    tmp_path: Path, client: str, beside: str
) -> None:
    getattr(samples, client)(tmp_path, SESSION, ["Why does it cool?"])
    write(tmp_path / beside, {"type": "user.message", "text": "Why does it cool?"})
    (source,) = adapter("transcripts", client)(tmp_path).sources()
    assert (source.id, source.directory) == (SESSION, Path(HOME))
