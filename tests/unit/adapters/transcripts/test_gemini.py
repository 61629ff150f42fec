import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from lamella_adapters.transcripts.gemini import GeminiTranscripts
from tests.unit.adapters.transcripts.samples import HOME, SESSION, at, drafts, gemini_said, write

HEAD = {"sessionId": SESSION, "startTime": at(0), "kind": "main"}


def recorded(folder: Path, *records: Any) -> GeminiTranscripts:
    """A session with these records."""
    write(folder / "session-1.jsonl", HEAD, *records)
    return GeminiTranscripts(folder)


def called(**more: Any) -> dict[str, Any]:
    """The call of a tool that is done."""
    output = [{"functionResponse": {"response": {"output": "900 °C"}}}]
    return {"id": "read_1", "name": "read_file", "args": {"path": "kiln.py"}, "result": output, **more}


def test_projects_say_where_a_session_was(tmp_path: Path) -> None:
    """Place sessions by the slug of their folder, by the hash of earlier versions, or not at all."""
    other = "/home/ada/glaze"
    hashed = sha256(other.encode()).hexdigest()
    for slug in ("kiln", hashed, "unknown"):
        write(tmp_path / "tmp" / slug / "chats" / "session-1.jsonl", {**HEAD, "sessionId": slug})
    (tmp_path / "projects.json").write_text(json.dumps({"projects": {HOME: "kiln", other: "glaze"}}), "utf-8")
    sources = GeminiTranscripts(tmp_path / "tmp").sources()
    assert {each.id: each.directory for each in sources} == {
        "kiln": Path(HOME),
        hashed: Path(other),
        "unknown": None,
    }


@pytest.mark.parametrize("projects", ["", "[]", "{}", '{"projects": 7}', '{"projects": {"a": 7}}', "[" * 100_000])
def test_projects_that_cannot_be_read_place_nothing(tmp_path: Path, projects: str) -> None:
    write(tmp_path / "tmp" / "kiln" / "chats" / "session-1.jsonl", HEAD)
    (tmp_path / "projects.json").write_text(projects, "utf-8")
    (source,) = GeminiTranscripts(tmp_path).sources()
    assert source.directory is None


def test_what_is_done_since_the_last_import_is_new_and_the_rest_is_known(tmp_path: Path) -> None:
    first = gemini_said(2, "gemini", "I look.", toolCalls=[called(result=None)])
    before = drafts(recorded(tmp_path, first))
    after = drafts(recorded(tmp_path, first, {**first, "toolCalls": [called()]}))
    assert [draft.text for draft in before] == ["I look.", 'read_file {"path":"kiln.py"}']
    assert (after[:2], [draft.text for draft in after[2:]]) == (before, ["900 °C"])
