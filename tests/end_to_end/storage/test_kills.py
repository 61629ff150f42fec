"""Work that is killed before any of its statements: the fault table's row 1, and merges."""

import pytest

from tests.end_to_end.storage.worker import Worker, unsynced_folder

STORAGE, CONVERSATIONS = "tests.end_to_end.storage.kills", "tests.end_to_end.storage.conversation_kills"
ANALYSIS = "tests.end_to_end.storage.migrations.older_analysis"
DRAIN = "tests.end_to_end.hooks.drain_kills"


@pytest.mark.parametrize(
    ("module", "work", "least"),
    [
        *((STORAGE, work, 30) for work in ("begin", "migrate")),
        (STORAGE, "replace", 15),
        *((STORAGE, work, 50) for work in ("merge", "split", "erase")),
        (STORAGE, "embed", 20),
        (ANALYSIS, "analyse", 50),
        *((CONVERSATIONS, work, 10) for work in ("add", "merge", "split", "erase")),
        (DRAIN, "all_kinds", 100),
    ],
)
def test_what_is_killed_at_any_statement_is_done_or_can_be_repeated(module: str, work: str, least: int) -> None:
    with unsynced_folder() as folder, Worker(work, folder / "data", module=module) as worker:
        statements = worker.said()
        assert worker.ended_well()
    assert statements > least
