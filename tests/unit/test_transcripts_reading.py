"""Transcripts that grow, move and are replaced."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lamella.container import Settings, running
from lamella.domain.conversation import Batch
from lamella_adapters.claude_code.transcripts import BATCH_MESSAGES, ClaudeCodeTranscripts
from tests.fixtures.transcripts.scenario import PORTS

from .transcripts import PROJECTS, batches, only, record, transcript


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
    with running(Settings(data_directory=tmp_path, directory=tmp_path, storage="memory:")) as lamella:
        *_, first = lamella.import_transcripts(tmp_path)
        early.rename(tmp_path / "moved.jsonl")
        *_, again = lamella.import_transcripts(tmp_path)
    assert (first.messages, first.skipped) == (2, {"of another kind": 1})
    assert (again.messages, again.skipped) == (0, {})


def test_reading_again_from_where_it_was_gives_only_what_is_new(tmp_path: Path) -> None:
    file = transcript(tmp_path, record(content="First."))
    transcripts, source = only(file)
    first = transcripts.read(source, "")
    again = transcripts.read(source, first.position)
    assert (again.drafts, again.position, again.complete) == ((), first.position, True)
    transcript(tmp_path, record(content="First."), record(content="Second.", uuid="two"))
    assert [each.text for each in transcripts.read(source, first.position).drafts] == ["Second."]


def test_a_record_that_is_being_written_waits_for_its_end(tmp_path: Path) -> None:
    whole = transcript(tmp_path, record(content="First."), record(content="Second.", uuid="two")).read_bytes()
    file = tmp_path / "a.jsonl"
    transcripts, source = only(file)
    file.write_bytes(whole[:-1])
    half = transcripts.read(source, "")
    assert ([each.text for each in half.drafts], half.complete, half.waiting) == (["First."], True, True)
    file.write_bytes(whole)
    rest = transcripts.read(source, half.position)
    assert ([each.text for each in rest.drafts], rest.complete, rest.waiting) == (["Second."], True, False)


def test_a_transcript_that_is_read_while_it_is_written_is_read_once_and_whole(tmp_path: Path) -> None:
    """The writer lets a reader see every beginning of a record."""
    whole = transcript(tmp_path, *(record(content=f"Message {n}.", uuid=str(n)) for n in range(50))).read_bytes()
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"")
    writer = (
        "import os, sys\n"
        "file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)\n"
        "for byte in sys.stdin.buffer.read(): os.write(file, bytes([byte]))"
    )
    transcripts, source = only(file)
    found: list[Batch] = []
    with subprocess.Popen([sys.executable, "-c", writer, str(file)], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(whole)
        process.stdin.close()
        running = True
        while running:
            running = process.poll() is None
            found += batches(transcripts, source, found[-1].position if found else "")
    assert [draft.text for batch in found for draft in batch.drafts] == [f"Message {n}." for n in range(50)]
    assert not found[-1].waiting


@pytest.mark.parametrize(
    "replacement",
    [[record(content="Other.", uuid="other")], [record(content="Other.", uuid="other")] * 9, []],
    ids=["shorter", "longer", "empty"],
)
def test_a_file_that_was_replaced_is_read_from_its_beginning(tmp_path: Path, replacement: list[Any]) -> None:
    file = transcript(tmp_path, record(content="First."), record(content="Second.", uuid="two"))
    transcripts, source = only(file)
    position = transcripts.read(source, "").position
    transcript(tmp_path, *replacement)
    expected = transcripts.read(source, "")
    assert transcripts.read(source, position) == expected
    assert [each.text for each in expected.drafts] == ["Other."] * len(replacement)


@pytest.mark.parametrize(
    "position",
    ["nonsense", "[]", "{}", '{"before": "", "offset": -1}', '{"before": "", "offset": "3"}', "7" * 5000],
)
def test_a_position_of_another_kind_is_the_beginning(tmp_path: Path, position: str) -> None:
    transcripts, source = only(transcript(tmp_path, record()))
    assert transcripts.read(source, position) == transcripts.read(source, "")


def test_a_long_transcript_comes_in_batches(tmp_path: Path) -> None:
    count = 2 * BATCH_MESSAGES + 1
    file = transcript(
        tmp_path, *(record(content=f"Message {number}.", uuid=str(number)) for number in range(count))
    )
    found = list(batches(*only(file)))
    assert [len(batch.drafts) for batch in found] == [BATCH_MESSAGES, BATCH_MESSAGES, 1]
    assert [batch.complete for batch in found] == [False, False, True]
    assert [each.text for batch in found for each in batch.drafts] == [
        f"Message {number}." for number in range(count)
    ]


def test_a_dry_run_says_how_many_an_import_takes_over(tmp_path: Path) -> None:
    with running(Settings(data_directory=tmp_path, directory=tmp_path, storage="memory:")) as lamella:
        *_, dry = lamella.import_transcripts(PROJECTS, dry_run=True)
        *_, real = lamella.import_transcripts(PROJECTS)
        assert dry.messages == real.messages > 0
