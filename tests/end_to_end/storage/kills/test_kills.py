"""Work that is killed before some of its statements; `make test-faults` does so before all, and to more work."""

from random import Random

import pytest

from tests.end_to_end.storage.worker import unsynced_folder
from tests.faults.kills import CHANGES, ERASES, MERGES, MIGRATIONS, SAVES, at_each_statement


@pytest.mark.parametrize("work", [*SAVES, *MIGRATIONS, *MERGES, *CHANGES, *ERASES])
def test_what_is_killed_at_any_statement_is_done_or_can_be_repeated(work: tuple[str, str, int]) -> None:
    with unsynced_folder() as folder:
        assert list(at_each_statement([work], every=3)(folder, Random(0)))  # noqa: S311 - it needs none
