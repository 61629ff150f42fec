"""Settings for every mutant."""

import pytest


@pytest.fixture(autouse=True)
def _short_explanations(monkeypatch: pytest.MonkeyPatch) -> None:
    """In CI pytest compares long values line by line, which takes longer than the clauses that fail here."""
    for name in ("CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)
