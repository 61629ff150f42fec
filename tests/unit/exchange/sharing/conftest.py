"""Members of a team who share memories."""

from pathlib import Path

import pytest

from tests.unit.exchange.sharing.team import Member, joined


@pytest.fixture
def ada(tmp_path: Path) -> Member:
    return joined(tmp_path / "ada")


@pytest.fixture
def bob(tmp_path: Path) -> Member:
    return joined(tmp_path / "bob", first_id=100)
