"""Values of options."""

from datetime import time

import pytest

from lamella_adapters.cli.exchange.export import export


@pytest.mark.parametrize("given", ["yesterday", "today", "2026-01-31"])
def test_a_day_begins_at_midnight(given: str) -> None:
    (since,) = [each for each in export.params if each.name == "since"]
    assert since.type.convert(given, since, None).time() == time()
