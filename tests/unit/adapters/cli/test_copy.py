"""Differences of two storages in `lamella copy`."""

from typing import Any

from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.comparing import Compared, Comparison
from lamella.application.exchange.copy import CopyAccount
from lamella_adapters.cli.exchange.copy import _conflicts, _table
from lamella_adapters.memory.storage import InMemoryStorage
from tests.unit.support.tables import cases


@cases
def test_each_difference_is_told(
    taken: dict[str, Any], compared: dict[str, Any], copied: dict[str, Any], told: str
) -> None:
    comparison = Comparison(InMemoryStorage(), InMemoryStorage(), conversations=True, **compared)
    lines = _conflicts(CopyAccount(ImportAccount(**taken), comparison, **copied), "there")
    assert "; ".join(lines) == told


def test_rows_that_differ_show_both_digests() -> None:
    row = Compared(kind="memories", source=2, target=1, digests=("a1", "b2"), equal=False)
    assert list(_table([row]))[1].split() == ["memories", "2", "1", "differs", "a1", "and", "b2"]
