from pathlib import Path

import pytest

from lamella_adapters.hooks.clients import COMPACTED, START, kilo
from lamella_adapters.hooks.clients.opencode import event
from lamella_adapters.hooks.context.edit_warning import edited
from tests.unit.adapters.hooks.clients.recorded import recorded

NOTES = "One.\nTwo: Überprüfung ✓.\n"


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


def test_before_an_edit_the_texts_of_its_files_are_known(tmp_path: Path) -> None:
    main = tmp_path / "main.c"
    main.write_text("int main(void) {\n    return 0;\n}\n")
    payload = recorded("opencode/tool.execute.before-edit")
    payload["cwd"], payload["args"]["filePath"] = str(tmp_path), "main.c"
    (edit,) = event(payload, "").edits
    assert edited(edit) == (main.read_text(), "int main(void) {\n    return 1;\n}\n")
    patched, _ = event({**recorded("opencode/tool.execute.before-patch"), "cwd": str(tmp_path)}, "").edits
    assert edited(patched) == edited(edit)
    (notes,) = event(recorded("opencode/tool.execute.before-write-create"), "").edits
    assert edited(notes) == ("", NOTES)


@pytest.mark.parametrize("tool", ["edit", "write", "todowrite"])
def test_a_tool_without_a_file_edits_none(tool: str) -> None:
    for name in ("tool.execute.before", "tool.execute.after"):
        happened = event({"hook_event_name": name, "tool_name": tool}, "")
        assert [edit.hunks for edit in happened.edits if edit.hunks] == []
