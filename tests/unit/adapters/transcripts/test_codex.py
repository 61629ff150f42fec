from pathlib import Path
from typing import Any

import pytest

from lamella_adapters.transcripts.codex import CodexTranscripts
from tests.unit.adapters.transcripts.samples import SESSION, codex_meta, codex_said, drafts, write


def recorded(folder: Path, *items: dict[str, Any], name: str = "rollout-a.jsonl", **meta: Any) -> CodexTranscripts:
    """A session with these items."""
    write(folder / name, codex_meta(**meta), *items)
    return CodexTranscripts(folder)


def test_ids_of_the_model_that_come_again_make_no_message_a_copy(tmp_path: Path) -> None:
    answers = [codex_said(number, "assistant", f"Answer {number}.", id="msg_1") for number in (1, 2)]
    recorded(tmp_path, *answers)
    recorded(tmp_path, *answers, id="another", name="rollout-b.jsonl")
    keys = [draft.key for draft in drafts(CodexTranscripts(tmp_path))]
    assert sorted(keys) == [f"{SESSION}:2/0", f"{SESSION}:3/0", "another:2/0", "another:3/0"]


def test_a_fork_has_the_messages_that_it_began_with_under_their_keys(tmp_path: Path) -> None:
    asked = codex_said(1, "user", "Why?", id="msg_01a2025f-e5c2-7c01-9568-3fe8ff9c506d")
    recorded(tmp_path, asked)
    recorded(tmp_path, codex_meta(), asked, id="fork", name="rollout-b.jsonl")
    assert {(draft.key, draft.session) for draft in drafts(CodexTranscripts(tmp_path))} == {
        ("msg_01a2025f-e5c2-7c01-9568-3fe8ff9c506d/0", session) for session in (SESSION, "fork")
    }


@pytest.mark.parametrize("end", ["", "\n", "{broken}\n"])
def test_keys_are_the_same_in_two_parts_and_at_once(tmp_path: Path, end: str) -> None:
    items = [codex_said(number, "user", f"Text {number}.") for number in range(1, 4)]
    transcripts = recorded(tmp_path, items[0])
    file = tmp_path / "rollout-a.jsonl"
    file.write_bytes(file.read_bytes().rstrip() + end.encode())
    (source,) = transcripts.sources()
    first = transcripts.read(source, "")
    with file.open("ab") as more:
        more.write(b"\n")
    write(tmp_path / "rest", *items[1:])
    with file.open("ab") as more:
        more.write((tmp_path / "rest").read_bytes())
    rest = transcripts.read(source, first.position)
    assert (*first.drafts, *rest.drafts) == transcripts.read(source, "").drafts
    assert [draft.text for draft in rest.drafts] == ["Text 2.", "Text 3."]
