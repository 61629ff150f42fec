"""Places at which clients keep their transcripts."""

from pathlib import Path

import pytest

from lamella.entry_points import adapter
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
