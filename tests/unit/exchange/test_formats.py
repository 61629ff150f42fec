"""The formats of an export: JSON Lines and Markdown."""

import json
import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.exchange import file_names, front_matter, json_lines, markdown
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.json_lines import MAX_LINE_BYTES, UnreadableExportError  # noqa: F401 - for the table
from lamella.domain.exchange.records import Record, Said, SessionName
from lamella.domain.projects.project import Project
from lamella_adapters.cli.exchange.folder import lines_of
from tests.unit.exchange.wild import ARRIVALS, MESSAGES, PROJECTS, RECORDS, TEXTS
from tests.unit.support.tables import cases

HEADER, END = '{"type":"header","format":"lamella","version":1}', '{"type":"end"}'
PROJECT = '{"type":"project","id":"p","name":"p","created_at":"2024-05-06T07:08:09Z"}'
MEMORY = {
    "type": "memory",
    "project": "p",
    "id": "00000001-0000-4000-8000-000000000000",
    "kind": "note",
    "source": "manual",
    "actor": "agent",
    "created_at": "2024-05-06T07:08:09Z",
    "title": "A title",
    "content": "What it says",
}


def lines(*said: str) -> bytes:
    return "".join(f"{each}\n" for each in said).encode()


def read(content: bytes) -> list[Record]:
    return [record for _, record in json_lines.read(BytesIO(content))]


@given(st.lists(RECORDS, max_size=4))
def test_records_come_back_from_json_lines(records: list[Record]) -> None:
    written = b"".join(json_lines.written(records))
    edited = (written + b"\n", written.removesuffix(b"\n"), b"\xef\xbb\xbf" + written.replace(b"\n", b"\r\n"))
    assert [read(each) for each in (written, *edited)] == [records] * 4
    assert written.count(b"\n") == len(records) + 2


@given(ARRIVALS)
def test_memories_come_back_from_markdown(arrival: Arrival) -> None:
    assert list(markdown.records_in(markdown.memory_file(arrival), "a.md")) == [arrival]


def test_a_text_that_holds_the_line_before_changes_comes_back() -> None:
    text = "One.\n\n<!-- changes -->\n\n~~~diff {}\n~~~"
    change = {"path": "a.py", "additions": 1, "deletions": 0, "hunks": "@@ -0,0 +1 @@\n+<!-- changes 2 -->\n"}
    memory = MEMORY | {"kind": "change", "content": text, "changes": [change]}
    _, arrival = read(lines(HEADER, PROJECT, json.dumps(memory), END))
    assert isinstance(arrival, Arrival)
    file = markdown.memory_file(arrival)
    assert file.count("<!-- changes 3 -->") == 2
    assert list(markdown.records_in(file, "a.md")) == [arrival]


def test_a_byte_order_mark_does_not_hide_a_file_of_lines(tmp_path: Path) -> None:
    (tmp_path / "trail.jsonl").write_bytes(b"\xef\xbb\xbf" + lines(HEADER, PROJECT, END))
    assert [place for place, _ in lines_of(str(tmp_path / "trail.jsonl"), "app")] == ["app, Line 2"]


def test_keywords_are_read_as_they_are_stored() -> None:
    memory = MEMORY | {"keywords": " ship,\n\0release "}
    _, arrival = read(lines(HEADER, PROJECT, json.dumps(memory), END))
    assert isinstance(arrival, Arrival)
    assert arrival.observation.keywords == "ship, \ufffdrelease"


@given(PROJECTS)
def test_projects_come_back_from_markdown(project: Project) -> None:
    assert list(markdown.records_in(markdown.project_file(project), "a.md")) == [project]


@given(st.lists(MESSAGES, max_size=3), st.none() | TEXTS)
def test_conversations_come_back_from_markdown(drafts: list, name: str | None) -> None:  # type: ignore[type-arg]  # of values of `MESSAGES`
    said = [Said("p", draft) for draft in drafts if draft.session == drafts[0].session]
    session = said[0].draft.session if said else "s"
    file = markdown.conversation_head("p", session, name) + "".join(map(markdown.message_part, said))
    named = [] if name is None else [SessionName("p", session, name)]
    assert list(markdown.records_in(file, "a.md")) == [*named, *said]


@given(TEXTS)
def test_names_of_files_are_safe_everywhere(title: str) -> None:
    _, arrival = read(lines(HEADER, PROJECT, json.dumps({**MEMORY, "title": title}), END))
    assert isinstance(arrival, Arrival)
    name = file_names.memory_file_name(arrival)
    assert not set(name) & set('\\/:*?"<>|\n\r\t\x00')
    assert len(name.encode()) <= 255
    assert name.startswith("2024-05-06 07.08.09")
    assert name.endswith(" 00000001.md")


def test_a_conversation_is_named_by_its_name_else_by_its_session() -> None:
    at = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    said = Said("p", MessageDraft(key="k", session="session/1", role=Role.HUMAN, text="Hello", at=at))
    assert file_names.conversation_file_name(said, "A: name") == "2024-05-06 07.08.09 A name 2a3571cf.md"
    assert file_names.conversation_file_name(said, None) == "2024-05-06 07.08.09 session 1 2a3571cf.md"


@cases
def test_what_is_no_export_is_refused_at_its_line(content: bytes, said: str) -> None:
    with pytest.raises(UnreadableExportError) as refused:
        read(content)
    assert said in str(refused.value)


@cases
def test_what_is_no_memory_is_refused(fields: dict[str, object], said: str) -> None:
    with pytest.raises(UnreadableExportError) as refused:
        read(lines(HEADER, PROJECT, json.dumps({**MEMORY, **fields}), END))
    assert str(refused.value).startswith("Line 3: ")
    assert said in str(refused.value)


@cases
def test_what_is_no_entry_is_refused(fields: dict[str, object], said: str) -> None:
    entry = {"type": "entry", "project": "p", "id": MEMORY["id"], "action": "purge", "at": MEMORY["created_at"]}
    with pytest.raises(UnreadableExportError, match=re.escape(said)):
        read(lines(HEADER, PROJECT, json.dumps({**entry, "actor": "user", **fields}), END))


def test_unstorable_text_is_replaced() -> None:
    _, memory = read(lines(HEADER, PROJECT, json.dumps({**MEMORY, "title": "a\ud800\x00b"}), END))
    assert isinstance(memory, Arrival)
    assert memory.observation.title == "a\ufffd\ufffdb"


def test_a_time_without_zone_is_in_utc() -> None:
    given = json.dumps({**MEMORY, "created_at": "2024-05-06 07:08:09"})
    assert read(lines(HEADER, PROJECT, given, END)) == read(lines(HEADER, PROJECT, json.dumps(MEMORY), END))


FILE = Path(__file__).with_name("memory.txt").read_text("utf-8")
"""A memory as Markdown."""
CHANGE = FILE.replace("kind: note", 'kind: change\nfiles: ["a"]') + "\n<!-- changes -->\n"
TALK = "---\nlamella: 1\ntype: conversation\nproject: p\nid: s\n---\n"
MESSAGE = '\n<!-- {"role": "human", "at": "2024-05-06T07:08:09Z", "key": "k", "characters": 9} -->\n'


@cases
def test_front_matter_is_read_as_editors_write_it(one: str, other: str) -> None:
    read = list(markdown.records_in(FILE, "a.md"))
    assert list(markdown.records_in(FILE.replace(one, other), "a.md")) == read
    assert len(read) == 1


@pytest.mark.parametrize("written", ["[a, b c]", "\n- a\n- b c", "a, b c"])
def test_keywords_may_be_a_list(written: str) -> None:
    (memory,) = markdown.records_in(FILE.replace("kind:", f"keywords: {written}\nkind:"), "a.md")
    assert isinstance(memory, Arrival)
    assert memory.observation.keywords == "a, b c"


@cases
def test_a_broken_file_is_refused_by_its_name(one: str, other: str, said: str) -> None:
    with pytest.raises(UnreadableExportError) as refused:
        list(markdown.records_in(FILE.replace(one, other), "a.md"))
    assert said in str(refused.value)


@cases
def test_files_of_others_are_passed_over(text: str) -> None:
    assert list(markdown.records_in(text, "a.md")) == []


@cases
def test_a_change_or_message_that_was_cut_is_refused(text: str, said: str) -> None:
    with pytest.raises(UnreadableExportError, match=said):
        list(markdown.records_in(text, "a.md"))


def test_hostile_files_of_megabytes_are_read_in_one_pass() -> None:
    """Each would take days if a long space or fence were gone through again for each of its characters."""
    space = " " * 5_000_000
    values = front_matter.parsed(f"---\na: b{space}c\nd:\n  - e{space}f\ng:{space}\n---\n")
    assert values == ({"a": f"b{space}c", "d": [f"e{space}f"], "g": []}, "")
    for hostile in ("~" * 5_000_000, "~~~diff {" * 500_000):
        (record,) = markdown.records_in(f"{CHANGE}{hostile}\n", "a.md")
        assert isinstance(record, Arrival)
        assert record.observation.changes == ()


def test_words_of_yaml_are_quoted() -> None:
    values = {"a": "true", "b": "No", "c": "2024", "d": "plain", "e": "a: b", "f": ["x", "y: z"], "g": "\u2028"}
    printed = front_matter.printed(values)
    assert printed == (
        '---\na: "true"\nb: "No"\nc: "2024"\nd: plain\ne: "a: b"\nf: ["x", "y: z"]\ng: "\\u2028"\n---\n'
    )
    assert front_matter.parsed(printed) == (values, "")


@pytest.mark.parametrize("hex", ["xy", "00", "0" * 17])
def test_what_holds_no_fingerprints_is_refused(hex: str) -> None:
    change = f'\n<!-- changes -->\n\n~~~diff {{"path": "a", "went": "{hex}"}}\n~~~\n'
    with pytest.raises(UnreadableExportError, match="`went` is not a list of fingerprints"):
        list(markdown.records_in(FILE.replace("kind: note", 'kind: change\nfiles: ["a"]') + change, "a.md"))


def test_other_programs_may_have_any_front_matter() -> None:
    assert not list(markdown.records_in("---\na:\n  b: c\na: d\n---\nText.", "a.md"))


def test_what_are_no_marks_is_refused() -> None:
    with pytest.raises(UnreadableExportError, match="`marks` is not a list of erasure marks"):
        read(lines(HEADER, PROJECT, '{"type":"erased","project":"p","marks":["xy"]}', END))


def test_every_record_has_a_file_with_the_full_id_if_its_name_is_taken() -> None:
    project, arrival = read(lines(HEADER, PROJECT, json.dumps(MEMORY), END))
    assert isinstance(arrival, Arrival)
    at = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    said = Said("p", MessageDraft(key="k", session="s", role=Role.HUMAN, text="Hello", at=at))
    taken = set[str]()
    files = markdown.MarkdownFiles(taken.__contains__)
    records = [project, arrival, arrival, SessionName("p", "s", "Greeting"), said, said]
    found = []
    for record in records:
        found.append(files.placed(record))
        taken.update(found[-1][:1] if found[-1] else ())
    folder, part = arrival.observation.project, markdown.message_part(said)
    assert isinstance(project, Project)
    names = [file_names.memory_file_name(arrival, digits=digits) for digits in (8, 32)]
    talk = f"p/conversations/{file_names.conversation_file_name(said, 'Greeting')}"
    assert found == [
        (f"{project.id}/project.md", markdown.project_file(project)),
        *((f"{folder}/{name}", markdown.memory_file(arrival)) for name in names),
        None,
        (talk, markdown.conversation_head("p", "s", "Greeting") + part),
        (talk, part),
    ]
