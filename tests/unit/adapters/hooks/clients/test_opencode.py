import pytest

from lamella_adapters.hooks.clients import COMPACTED, START, kilo
from lamella_adapters.hooks.clients.opencode import event
from tests.unit.adapters.hooks.clients.recorded import recorded


def test_the_conversation_is_where_data_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/else")
    assert event({"session_id": "ses_1"}, "").transcript == "/else/opencode/opencode.db/ses_1"
    assert kilo.event({"session_id": "ses_1"}, "").transcript == "/else/kilo/kilo.db/ses_1"
    assert event({}, "").transcript == ""


def test_a_compaction_loses_the_context() -> None:
    assert event({"hook_event_name": "session.compacted"}, "").kind == COMPACTED
    again = event({**recorded("opencode/session.start"), "compacted": True}, "")
    assert (again.kind, again.context_lost) == (START, True)
    assert not event(recorded("opencode/session.start"), "").context_lost


def test_what_a_sub_agent_does_is_its_own() -> None:
    assert event({**recorded("opencode/tool.execute.after-edit"), "agent": "ses_2"}, "").agent == "ses_2"


def test_a_relative_path_is_made_absolute() -> None:
    payload = recorded("opencode/tool.execute.before-edit")
    payload["args"]["filePath"] = "main.c"
    assert [edit.path for edit in event(payload, "").edits] == ["/home/dev/project/main.c"]


@pytest.mark.parametrize("tool", ["edit", "write", "todowrite"])
def test_a_tool_without_a_file_edits_none(tool: str) -> None:
    for name in ("tool.execute.before", "tool.execute.after"):
        happened = event({"hook_event_name": name, "tool_name": tool}, "")
        assert [edit.hunks for edit in happened.edits if edit.hunks] == []
