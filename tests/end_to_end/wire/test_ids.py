"""Hundreds of thousands of ids in one call of the real server: the fault table's row 26."""

import json
from pathlib import Path

from tests.end_to_end.support.raw_client import peak_memory
from tests.end_to_end.support.tools import serving

MEMORY_LIMIT = 64 << 20


def test_more_ids_than_are_allowed_name_the_limit_and_cost_little(tmp_path: Path) -> None:
    ids = ["abcd"] * 500_000
    assert len(json.dumps(ids)) < 4 << 20
    with serving(tmp_path, fresh=True) as memory:
        id = memory.save("A memory of something.")
        before = peak_memory(memory.client.process.pid)
        for action in ("view", "purge"):
            said = memory.refused(ids=ids, action=action)
            assert said == "'ids' must be an array of at most 50 strings, not 500000 of them."
            assert id[:8] in memory.recall(query="something")
            assert peak_memory(memory.client.process.pid) - before <= MEMORY_LIMIT
