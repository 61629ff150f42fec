import pytest

from lamella_adapters.hooks.clients.codex import event
from tests.unit.adapters.hooks.clients.recorded import recorded


@pytest.mark.parametrize("response", ["Exit code: 1\nWall time: 0 seconds\n", 7, None])
def test_a_patch_that_failed_is_no_edit(response: object) -> None:
    assert event({**recorded("codex/PostToolUse-patch"), "tool_response": response}, "").edits == []
