"""Transcripts that grow, move and are replaced."""

import json
import os
from pathlib import Path

import pytest
from attrs import evolve

from lamella.container import running
from lamella.domain.call import Call
from lamella.domain.conversations.message import Batch
from lamella.settings import Settings
from lamella_adapters.transcripts.claude_code.reader import ClaudeCodeTranscripts
from tests.fixtures.transcripts.scenario import PORTS
from tests.unit.adapters.transcripts.claude_code.samples import PROJECTS, only, record, transcript


def test_a_moved_transcript_is_still_the_same_and_read_on(tmp_path: Path) -> None:
    file = tmp_path / "here.jsonl"
    file.write_bytes((PROJECTS / "-home-dev-project" / f"{PORTS}.jsonl").read_bytes())
    transcripts, source = only(file)
    position = transcripts.read(source, "").position
    moved = file.rename(tmp_path / "there.jsonl")
    transcripts, found = only(moved)
    assert found.id == source.id
    assert transcripts.read(found, position).drafts == ()


def test_two_files_of_one_session_have_a_position_each(tmp_path: Path) -> None:
    early = transcript(tmp_path, record("mode"), record(content="Early."), name="early.jsonl")
    transcript(tmp_path, record(content="Late.", uuid="two", timestamp="2026-01-06T09:00:00Z"), name="late.jsonl")
    ids = [each.id for each in ClaudeCodeTranscripts(tmp_path).sources()]
    assert ids == ["session/one", "session/two"]
    with running(Settings(data_directory=tmp_path, storage="memory:")) as lamella:
        *_, first = lamella.import_transcripts(Call(directory=tmp_path), tmp_path)
        early.rename(tmp_path / "moved.jsonl")
        *_, again = lamella.import_transcripts(Call(directory=tmp_path), tmp_path)
    assert (first.messages, first.skipped) == (2, {"of another kind": 1})
    assert (again.messages, again.skipped) == (0, {})


@pytest.mark.parametrize("ending", [b"\n", b" \r\n", b"", b'{"type": "mode"}\n'])
def test_a_last_record_that_is_whole_needs_no_line_end(tmp_path: Path, ending: bytes) -> None:
    file = transcript(tmp_path, record(content="First."), record(content="Second.", uuid="two"))
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))
    transcripts, source = only(file)
    last = transcripts.read(source, "")
    assert ([each.text for each in last.drafts], last.waiting) == (["First.", "Second."], False)
    assert last.read == file.stat().st_size
    with file.open("ab") as more:
        more.write(ending + json.dumps(record(content="Third.", uuid="three")).encode())
    rest = transcripts.read(source, last.position)
    other = {"of another kind": 1} if b"mode" in ending else {}
    assert ([each.text for each in rest.drafts], rest.skipped, rest.waiting) == (["Third."], other, False)
    assert transcripts.read(source, rest.position) == Batch(
        source=source.id, position=rest.position, read=rest.read
    )


def test_a_transcript_of_one_record_is_known_before_its_line_ends(tmp_path: Path) -> None:
    file = transcript(tmp_path, record())
    whole = only(file)[1]
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))
    assert only(file)[1] == evolve(whole, size=whole.size - 1)


def test_records_between_which_a_line_end_was_lost_are_all_read(tmp_path: Path) -> None:
    first, *rest = (json.dumps(record(content=f"{each}.", uuid=each)).encode() for each in ("one", "two", "three"))
    file = tmp_path / "session.jsonl"
    file.write_bytes(first + b"\n" + rest[0])
    transcripts, source = only(file)
    before = transcripts.read(source, "")
    file.write_bytes(first + b"\n" + rest[0] + b" " + rest[1] + b"\n")
    after, whole = transcripts.read(source, before.position), transcripts.read(source, "")
    assert [[draft.text for draft in each.drafts] for each in (before, after, whole)] == [
        ["one.", "two."],
        ["three."],
        ["one.", "two.", "three."],
    ]
    assert (after.skipped, whole.skipped) == ({}, {})


@pytest.mark.parametrize("rest", [b'{"type": "us', b"[1]", b"}"])
def test_a_record_with_anything_else_behind_it_is_broken(tmp_path: Path, rest: bytes) -> None:
    whole = json.dumps(record(content="Whole.", uuid="two")).encode()
    file = transcript(tmp_path, record(content="First."))
    file.write_bytes(file.read_bytes() + whole + rest + b"\n")
    transcripts, source = only(file)
    batch = transcripts.read(source, "")
    assert ([draft.text for draft in batch.drafts], batch.skipped) == (["First."], {"broken": 1})


@pytest.mark.parametrize("half", [b"{", b'{"type": "user"', b'{"a": {}', b"[{}]", b"7", b"tru", b'"}'])
def test_what_is_no_whole_record_waits(tmp_path: Path, half: bytes) -> None:
    file = transcript(tmp_path, record())
    file.write_bytes(file.read_bytes() + half)
    batch = ClaudeCodeTranscripts(file).read(only(file)[1], "")
    assert (batch.waiting, batch.read) == (True, file.stat().st_size - len(half))


def test_copies_of_a_session_have_a_position_each(tmp_path: Path) -> None:
    records = [record(uuid=f"{number}", content=f"Message {number}.") for number in range(3)]
    for name, count in (("backup", 2), ("session", 3), ("early", 1)):
        transcript(tmp_path, *records[:count], name=f"{name}.jsonl")
    transcripts = ClaudeCodeTranscripts(tmp_path)
    assert {Path(each.place).stem: each.id for each in transcripts.sources()} == {
        "session": "session/0",
        "backup": "session/0/2",
        "early": "session/0/3",
    }
    with running(Settings(data_directory=tmp_path, storage="memory:")) as lamella:
        *_, first = lamella.import_transcripts(Call(directory=tmp_path), tmp_path)
        conversations = lamella.import_transcripts.projects.find(Call(directory=tmp_path)).conversations()
        positions = [conversations.position(each.id) for each in transcripts.sources()]
        *_, again = lamella.import_transcripts(Call(directory=tmp_path), tmp_path)
        assert [conversations.position(each.id) for each in transcripts.sources()] == positions
    assert (first.messages, again.messages) == (3, 0)
    for source, position in zip(transcripts.sources(), positions, strict=True):
        assert transcripts.read(source, position).drafts == ()


def test_an_unchanged_transcript_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = transcript(tmp_path, record())
    transcripts, source = only(file)
    position = transcripts.read(source, "").position
    with monkeypatch.context() as patched:
        patched.setattr("lamella_adapters.transcripts.recorded.opened", None)
        same = transcripts.read(source, position)
    assert same == Batch(source=source.id, position=position, read=file.stat().st_size)
    # The same length at another time.
    transcript(tmp_path, record(content="Other."))
    os.utime(file, ns=(0, 0))
    assert [each.text for each in transcripts.read(source, position).drafts] == ["Other."]


def test_a_shorter_file_in_the_place_of_another_is_read_from_its_beginning(tmp_path: Path) -> None:
    file = transcript(tmp_path, record(content="First."), record(content="Second.", uuid="two"))
    transcripts, source = only(file)
    position = transcripts.read(source, "").position
    transcript(tmp_path, record(content="Other.", uuid="other"))
    assert [each.text for each in transcripts.read(source, position).drafts] == ["Other."]
