"""Summaries, which name the conversation that ends with some record."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.settings import Settings
from lamella_adapters.transcripts.claude_code.reader import ClaudeCodeTranscripts
from lamella_adapters.transcripts.claude_code.records import MAX_OPEN_ENDS
from tests.unit.adapters.transcripts.claude_code.samples import only, record, transcript
from tests.unit.support.tables import cases

OWN_CALL = {"type": "tool_use", "id": "call", "name": "mcp__lamella__recall", "input": {}}


def summary(title: Any, last: Any) -> dict[str, Any]:
    return {"type": "summary", "summary": title, "leafUuid": last}


def names(lamella: Lamella, call: Call) -> dict[str, str]:
    return {each.id: each.name for each in lamella.projects.find(call).conversations().sessions()}


@pytest.fixture
def lamella(tmp_path: Path) -> Iterator[Lamella]:
    with running(Settings(data_directory=tmp_path, storage="memory:")) as lamella:
        yield lamella


@pytest.fixture
def call(tmp_path: Path) -> Call:
    return Call(directory=tmp_path)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    return folder


def test_a_summary_names_what_ends_in_another_file(lamella: Lamella, call: Call, place: Path) -> None:
    transcript(place, record(sessionId="early", uuid="last"), name="b.jsonl")
    later = record(sessionId="late", uuid="two", timestamp="2026-01-06T09:00:00Z")
    transcript(place, summary(" Fixed the\nlogin ", "last"), later, name="a.jsonl")
    *_, account = lamella.import_transcripts(call, place)
    assert names(lamella, call) == {"early": "Fixed the login", "late": "Hello."}
    assert (account.messages, account.titles, account.skipped) == (2, 1, {})


def test_summaries_alone_were_recorded_where_the_rest_of_their_folder_was(call: Call, place: Path) -> None:
    there = str(call.directory)
    transcript(place, record(cwd=there, uuid="last"), name="said.jsonl")
    transcript(place, summary("About it", "last"), summary("Another", "other"), name="summaries.jsonl")
    transcript(place, {"type": "mode"}, name="mode.jsonl")
    directories = {Path(each.place).stem: each.directory for each in ClaudeCodeTranscripts(place).sources()}
    assert directories == {"said": call.directory, "summaries": call.directory, "mode": None}
    for number, cwd in enumerate((there, "/elsewhere", "/elsewhere", "/elsewhere")):
        directories = {Path(each.place).stem: each.directory for each in ClaudeCodeTranscripts(place).sources()}
        assert directories["summaries"] == call.directory
        transcript(place, record(cwd=cwd, uuid=f"u{number}"), name=f"{number}.jsonl")
    directories = {Path(each.place).stem: each.directory for each in ClaudeCodeTranscripts(place).sources()}
    assert directories["summaries"] == Path("/elsewhere")


@cases
@pytest.mark.parametrize("known_before", [True, False])
def test_a_summary_finds_its_session_by_any_kind_of_record(
    lamella: Lamella, call: Call, place: Path, last: dict[str, Any], *, known_before: bool
) -> None:
    said = transcript(place, record(content="Said."), {**last, "parentUuid": "one"}, name="said.jsonl")
    named = transcript(place, summary("About it", "last"), name="named.jsonl")
    for file in (said, named) if known_before else (named, said):
        list(lamella.import_transcripts(call, file))
    assert names(lamella, call) == {"session": "About it"}


@cases
def test_a_summary_that_names_nothing_is_skipped(tmp_path: Path, title: Any, last: Any) -> None:
    transcripts, source = only(transcript(tmp_path, record(), summary(title, last)))
    batch = transcripts.read(source, "")
    assert (batch.titles, batch.skipped) == ({}, {"of another kind": 1})


def test_only_records_without_words_that_none_came_after_are_ends(tmp_path: Path) -> None:
    records = [
        record(uuid="said"),
        record("attachment", uuid="passing", parentUuid="said"),
        record("attachment", uuid="end", parentUuid="passing"),
        record("attachment", uuid="x" * 101),
        record("attachment", uuid="nobody's", sessionId=""),
    ]
    file = transcript(tmp_path, *records)
    transcripts, source = only(file)
    first = transcripts.read(source, "")
    assert first.ends == {"end": "session"}
    transcript(tmp_path, *records, record("attachment", uuid="after", parentUuid="end"))
    assert transcripts.read(source, first.position).ends == {"after": "session"}
    many = [record("attachment", uuid=f"end {number}") for number in range(MAX_OPEN_ENDS + 1)]
    transcripts, source = only(transcript(tmp_path, record(), *many))
    assert list(transcripts.read(source, "").ends) == [f"end {number}" for number in range(1, MAX_OPEN_ENDS + 1)]
