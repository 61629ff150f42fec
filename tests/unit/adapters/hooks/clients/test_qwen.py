import pytest

from lamella_adapters.hooks.clients import COMPACTED, END
from lamella_adapters.hooks.clients.qwen import event
from tests.unit.adapters.hooks.clients.recorded import recorded


@pytest.mark.parametrize(("name", "kind"), [("PreCompact", COMPACTED), ("SessionEnd", END)])
def test_the_events_of_its_documentation_are_known_too(name: str, kind: str) -> None:
    assert event({"hook_event_name": name}, "").kind == kind


@pytest.mark.parametrize(("source", "lost"), [("startup", False), ("compact", True)])
def test_a_compaction_loses_the_context(source: str, lost: bool) -> None:
    assert event({**recorded("qwen/SessionStart"), "source": source}, "").context_lost is lost


def test_the_time_of_a_command_is_known() -> None:
    assert event(recorded("qwen/PostToolUse-shell"), "").took == 3


def test_a_failed_edit_is_none() -> None:
    payload = {**recorded("qwen/PostToolUse-edit"), "tool_response": "No match."}
    assert event(payload, "").edits == []
