"""Places that are searched for transcripts."""

import os
from pathlib import Path
from typing import Any

import pytest

from lamella.domain.conversations.message import Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella_adapters.transcripts.claude_code.reader import ClaudeCodeTranscripts
from tests.unit.adapters.transcripts.claude_code.samples import only, record, said, transcript


def test_where_claude_code_keeps_nothing_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "nowhere"))
    assert ClaudeCodeTranscripts.opened(None).sources() == ()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(transcript(tmp_path)))
    with pytest.raises(TranscriptsUnreadableError, match=r"^projects cannot be read: Not a directory\."):
        ClaudeCodeTranscripts.opened(None).sources()


def test_a_place_that_is_not_there_is_an_error_that_names_no_path(tmp_path: Path) -> None:
    with pytest.raises(TranscriptsUnreadableError) as refused:
        ClaudeCodeTranscripts(tmp_path / "projects").sources()
    assert str(refused.value) == (
        "projects cannot be read: No such file or directory. "
        "Check that it exists and that you may read it, then try again."
    )


def test_a_file_that_is_named_may_be_a_link_and_have_any_name(tmp_path: Path) -> None:
    file = transcript(tmp_path, record())
    link = tmp_path / "link"
    link.symlink_to(file)
    assert said(link) == [(Role.HUMAN, "Hello.")]


def test_what_cannot_be_read_is_listed_and_says_why_when_it_is_read(tmp_path: Path) -> None:
    outside, place = tmp_path / "outside", tmp_path / "place"
    for folder in (outside, place, place / "folder.jsonl"):
        folder.mkdir()
    (place / "link.jsonl").symlink_to(transcript(outside, record()))
    (place / "linked").symlink_to(outside)
    (place / "nowhere.jsonl").symlink_to(tmp_path / "nothing")
    os.mkfifo(place / "pipe.jsonl")
    transcript(place / "folder.jsonl", record(uuid="two"), name="b.jsonl")
    (place / "notes.txt").write_text("not one")
    transcripts = ClaudeCodeTranscripts(place)
    readable, *others = transcripts.sources()
    assert [each.text for each in transcripts.read(readable, "").drafts] == ["Hello."]
    reasons = {}
    for source in others:
        with pytest.raises(TranscriptsUnreadableError) as refused:
            transcripts.read(source, "")
        reasons[source.id] = refused.value.reason
    linked = "cannot be read: it is a symbolic link, and those are not followed."
    assert reasons == {
        "link.jsonl": f"link.jsonl {linked}",
        "linked": f"linked {linked}",
        "nowhere.jsonl": f"nowhere.jsonl {linked}",
        "pipe.jsonl": "pipe.jsonl cannot be read: it is not a regular file.",
    }


def test_a_folder_that_cannot_be_looked_into_is_listed_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir()
    look = os.scandir

    def refuse(folder: Path) -> Any:
        # Nothing is closed to the administrator, who may be running this.
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return look(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    transcripts, source = only(tmp_path)
    assert source.id == "closed"
    with pytest.raises(TranscriptsUnreadableError, match=r"^closed cannot be read: it is not a regular file"):
        transcripts.read(source, "")


def test_an_empty_file_is_a_source_without_messages(tmp_path: Path) -> None:
    transcripts, source = only(transcript(tmp_path))
    assert (source.id, source.size, source.directory) == ("a.jsonl", 0, None)
    batch = transcripts.read(source, "")
    assert (batch.drafts, batch.complete, batch.waiting, batch.skipped) == ((), True, False, {})


@pytest.mark.parametrize("cwd", ["", "project", "/a\0b", "/" + "a" * 5000, 7, None])
def test_a_directory_that_cannot_be_one_is_none(tmp_path: Path, cwd: Any) -> None:
    _, source = only(transcript(tmp_path, record(cwd=cwd)))
    assert source.directory is None
