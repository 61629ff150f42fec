"""Sizes in `lamella status`."""

from collections.abc import Mapping

from lamella.ports.storage.diagnosis import Space
from lamella_adapters.cli.maintenance.status import _spaced
from tests.unit.support.tables import cases


@cases
def test_the_listed_sizes_add_up_to_the_total(space: Mapping[Space, int], told: str) -> None:
    assert _spaced(space) == told
