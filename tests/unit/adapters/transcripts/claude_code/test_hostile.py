"""Damaged transcripts, which are read as far as possible, without messages that are made up or lost."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lamella.domain.conversations.message import Batch
from lamella.ports.transcripts import Source
from lamella_adapters.transcripts import files
from lamella_adapters.transcripts.claude_code import reader
from lamella_adapters.transcripts.claude_code.reader import ClaudeCodeTranscripts
from lamella_adapters.transcripts.records import is_record
from tests.unit.adapters.transcripts.claude_code.samples import PROJECTS, drafts, only, record, said, transcript
from tests.unit.support.tables import cases

RECORDS_IN_A_PIECE = 20


def pieces_of(path: Path) -> list[bytes]:
    """A transcript in pieces that are quick to read."""
    lines = path.read_bytes().splitlines(keepends=True)
    return [
        b"".join(lines[start : start + RECORDS_IN_A_PIECE]) for start in range(0, len(lines), RECORDS_IN_A_PIECE)
    ]


WHOLE = [piece for path in sorted(PROJECTS.rglob("*.jsonl")) for piece in pieces_of(path)]
"""Real transcripts."""

WORDS = st.text(max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> int:
    """The most bytes of a record, fewer than really, so that longer ones are quick to write."""
    monkeypatch.setattr(files, "_PIECE_BYTES", 1_000)
    monkeypatch.setattr(files, "MAX_RECORD_BYTES", 8_000)
    return 8_000


def read(*states: bytes) -> list[Batch]:
    """The batches of a file that has these contents one after the other, read after each."""
    with tempfile.TemporaryDirectory() as folder:
        file, position, found = Path(folder, "a.jsonl"), "", []
        for state in states:
            file.write_bytes(state)
            transcripts, source = only(file)
            complete = False
            while not complete:
                batch = transcripts.read(source, position)
                found.append(batch)
                position, complete = batch.position, batch.complete
        return found


def account(batches: list[Batch]) -> tuple[list[Any], dict[str, str], dict[str, int]]:
    """Everything that was read: messages, names by session or record, and skipped records."""
    names: dict[str, str] = {}
    skipped: dict[str, int] = {}
    for batch in batches:
        names |= batch.names
        names |= batch.titles
        for reason, count in batch.skipped.items():
            skipped[reason] = skipped.get(reason, 0) + count
    return [draft for batch in batches for draft in batch.drafts], names, skipped


@st.composite
def mutations(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A real transcript, and the same with something cut out and something else put there."""
    whole = draw(st.sampled_from(WHOLE))
    start = draw(st.integers(0, len(whole)))
    end = min(len(whole), start + draw(st.integers(0, 3000)))
    return whole, whole[:start] + draw(st.binary(max_size=20)) + whole[end:]


@given(mutations())
def test_no_change_of_bytes_raises_and_only_what_it_touches_is_another(changed: tuple[bytes, bytes]) -> None:
    whole, mutant = changed
    before, _, _ = account(read(whole))
    after, _, skipped = account(read(mutant))
    lines = set(whole.split(b"\n"))
    touched = sum(line not in lines for line in mutant.split(b"\n"))
    # A broken record may have said when, or which call a result belongs to.
    known = {(draft.key, draft.role, draft.text) for draft in before}
    invented = [draft for draft in after if (draft.key, draft.role, draft.text) not in known]
    assert len(invented) <= touched * 2
    assert len(after) + sum(skipped.values()) <= len(mutant.split(b"\n"))


@given(mutations(), st.data())
def test_reading_something_broken_in_two_parts_is_reading_it_at_once(
    changed: tuple[bytes, bytes], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(changed[1])))
    before, after = changed[1][:at], changed[1][at:]
    # Nobody writes more behind a record that is whole, and who reads it has it.
    assume(not is_record(before.rpartition(b"\n")[2]) or not after.partition(b"\n")[0].strip())
    assert account(read(before, changed[1])) == account(read(changed[1]))


@given(
    st.sampled_from(["user", "assistant", "system", "custom-title", "ai-title", "summary"]),
    st.dictionaries(
        st.sampled_from(
            [*record(), "parentUuid", "content", "isMeta", "origin", "mcpMeta", "summary", "leafUuid"]
        ),
        JSON,
        max_size=4,
    ),
    JSON,
)
def test_no_value_of_any_field_raises(kind: str, fields: dict[str, Any], content: Any) -> None:
    line = json.dumps({**record(kind, content), **fields}).encode() + b"\n"
    messages, names, skipped = account(read(line))
    assert len(names) + bool(messages) + sum(skipped.values()) == 1


@given(st.lists(JSON, max_size=3))
def test_no_part_of_a_message_raises(parts: list[Any]) -> None:
    kinds = ["text", "thinking", "tool_use", "tool_result", "image"]
    named = [
        {**(part if isinstance(part, dict) else {"text": part, "content": part, "input": part}), "type": kind}
        for part in parts
        for kind in kinds
    ]
    for kind in ("user", "assistant"):
        messages, _, skipped = account(read(json.dumps(record(kind, [*parts, *named])).encode() + b"\n"))
        assert bool(messages) + sum(skipped.values()) == 1


@cases
def test_a_broken_line_is_counted_and_the_next_one_read(tmp_path: Path, line: bytes) -> None:
    file = transcript(tmp_path, record())
    file.write_bytes(line + b"\n" + file.read_bytes())
    transcripts, source = only(file)
    batch = transcripts.read(source, "")
    assert [draft.text for draft in batch.drafts] == ["Hello."]
    assert batch.skipped == {"broken": 1}


def test_arguments_nested_too_deep_to_be_written_are_counted_as_broken(tmp_path: Path) -> None:
    depths = range(100, 1100, 10)
    file = tmp_path / "a.jsonl"
    for depth in depths:
        call = '{"type": "tool_use", "name": "Bash", "input": ' + "[" * depth + "]" * depth + "}"
        line = json.dumps(record("assistant", ["call"])).replace('"call"', call)
        file.write_text(line + "\n", "utf-8")
        (batch,) = read(file.read_bytes())
        assert len(batch.drafts) + batch.skipped.get("broken", 0) == 1


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    file = transcript(tmp_path, record(content="Hello."))
    file.write_bytes(file.read_bytes().replace(b"Hello.", b"H\xff\xfello, \\u0000 \\ud800."))
    (draft,) = drafts(file)
    assert draft.text == "H��llo, � �."


def test_a_line_ending_of_windows_and_blank_lines_are_no_records(tmp_path: Path) -> None:
    file = transcript(tmp_path, record())
    file.write_bytes(b"\r\n\n  \n" + file.read_bytes().replace(b"\n", b"\r\n"))
    transcripts, source = only(file)
    batch = transcripts.read(source, "")
    assert ([draft.text for draft in batch.drafts], batch.skipped) == (["Hello."], {})


def test_a_record_that_is_too_large_is_counted_and_the_next_one_read(tmp_path: Path, longest: int) -> None:
    frame = len(json.dumps(record(content="")).encode()) + 1
    limit = longest - frame
    file = transcript(
        tmp_path,
        record(content="x" * limit, uuid="one"),
        record(content="x" * (limit + 1), uuid="two"),
        record(content="x" * (3 * limit), uuid="six"),
        record(uuid="three"),
    )
    messages, _, skipped = account(read(file.read_bytes()))
    assert [draft.key for draft in messages] == ["one/0", "three/0"]
    assert skipped == {"too large": 2}


def test_a_record_that_is_too_large_already_waits_for_its_end(tmp_path: Path, longest: int) -> None:
    whole = transcript(tmp_path, record(content="x" * 2 * longest), record(uuid="two")).read_bytes()
    half = whole[: longest + 5]
    first, *rest = read(half, whole)
    assert (first.read, first.waiting, first.complete) == (0, True, True)
    assert account(rest)[2] == {"too large": 1}
    assert [draft.key for draft in account(rest)[0]] == ["two/0"]


def test_of_a_message_in_endless_parts_the_first_thousand_are_read(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "a"}] * 1500
    assert len(drafts(transcript(tmp_path, record("assistant", parts)))) == 1000


def test_calls_of_memory_without_results_are_forgotten_at_last(tmp_path: Path) -> None:
    calls: list[Any] = [
        {"type": "tool_use", "id": id, "name": "mcp__lamella__recall", "input": {}}
        for id in [*map(str, range(100)), "x" * 1000, "", None]
    ]
    transcripts, source = only(transcript(tmp_path, record("assistant", calls)))
    position = json.loads(transcripts.read(source, "").position)
    assert position["open_calls"] == [str(number) for number in range(36, 100)]


def test_tags_without_number_take_no_longer_than_their_text(tmp_path: Path) -> None:
    """Read a text for which quadratic time would take hours."""
    opening, closing = "<system-reminder>", "</system-reminder>"
    tags = [opening * 100_000, (opening + closing) * 50_000, "\x1b[0" * 500_000 + "m"]
    file = transcript(tmp_path, *(record(content=f"{tag}z", uuid=tag[:20]) for tag in tags))
    assert [text[-1] for _, text in said(file)] == ["z", "z", "z"]


def test_a_head_that_never_says_where_it_was_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_HEAD_BYTES", 256_000)
    silent = {"type": "mode", "text": "x" * 1000}
    _, source = only(transcript(tmp_path, *[silent] * 300, record()))
    assert (source.id, source.directory) == ("a.jsonl", None)


def test_ids_that_are_no_text_are_made_text(tmp_path: Path) -> None:
    (tmp_path / "\udcff.jsonl").write_bytes(b"")
    transcripts = ClaudeCodeTranscripts(tmp_path)
    (source,) = transcripts.sources()
    assert source.id == "�.jsonl"
    assert transcripts.read(source, "").source == source.id


def said_behind(length: int, folder: Path) -> Source:
    """Return the owner that a transcript names behind a first record with a text of so many bytes."""
    attachment = {"type": "attachment", "text": "x" * length}
    place = {"type": "user", "sessionId": "s", "cwd": "/home/dev/project"}
    return only(transcript(folder, attachment, place))[1]


def test_the_owner_of_a_conversation_is_found_behind_long_and_oversized_records(
    longest: int, tmp_path: Path
) -> None:
    for length in (3 * longest // 4, 3 * longest):
        source = said_behind(length, tmp_path)
        assert (source.id, source.directory) == ("s", Path("/home/dev/project"))
