"""Callers and tokens that a server over HTTP remembers."""

from types import SimpleNamespace

import pytest

from lamella.domain.access.grant import Grant
from lamella_adapters.mcp.http import rates

GRANT = Grant(tenant="orchard", scopes=frozenset(), name="token")


def test_the_oldest_callers_and_tokens_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "_MOST_CALLERS", 1)
    monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=lambda: 0.0))
    limit = rates.Rates(0.5)
    assert [limit.wait(caller) > 0 for caller in "aabaa"] == [False, True, False, False, True]
    refusals = rates.Refusals(limit)
    for token in "xy":
        refusals.accept(token, GRANT)
    assert [refusals.known(token) for token in "xy"] == [None, GRANT]
    refusals.refuse(None, "y")
    assert refusals.known("y") is None
