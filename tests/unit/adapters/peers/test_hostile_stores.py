"""Stores that were made to do harm, or that another program is using."""

import gzip
import json
import os
import sqlite3
from pathlib import Path

import pytest

from lamella.domain.errors import PeerUnreadableError
from lamella.ports.peers import BLANK, Skipped
from lamella_adapters.peers import engram, files, json_records, sqlite_store, values
from lamella_adapters.peers.basic_memory import BasicMemory
from lamella_adapters.peers.claude_code import ClaudeCodeMemory
from lamella_adapters.peers.claude_mem import ClaudeMem
from lamella_adapters.peers.codex import CodexMemory
from lamella_adapters.peers.engram import Engram
from lamella_adapters.peers.files import BROKEN, TOO_LONG
from lamella_adapters.peers.mcp_memory_service import McpMemoryService
from lamella_adapters.peers.mem0 import Mem0
from lamella_adapters.peers.rules import Rules
from lamella_adapters.peers.server_memory import ServerMemory
from lamella_adapters.peers.values import Record
from lamella_adapters.transcripts import files as transcript_files
from tests.unit.adapters.peers import databases, folders
from tests.unit.adapters.peers.making import database, written
from tests.unit.adapters.peers.programs import memories, read
from tests.unit.support.tables import cases


def test_what_is_only_in_the_log_is_read_and_the_log_stays(home: Path) -> None:
    path = databases.claude_mem(home)
    writer = sqlite3.connect(path)
    row = databases.rows_of("claude-mem")["observations"][0] | {"id": 9, "title": "In the log"}
    writer.execute(f"INSERT INTO observations VALUES ({', '.join('?' * len(row))})", list(row.values()))  # noqa: S608
    writer.commit()
    log = path.with_name(f"{path.name}-wal")
    copy = home / "copy"
    for each in (path, log):
        written(copy / each.name, each.read_bytes())
    before = {each.name: each.read_bytes() for each in copy.iterdir()}
    for place in (path, copy):
        assert "In the log" in [each.title for each in memories(ClaudeMem(place))]
    writer.close()
    assert {each.name: each.read_bytes() for each in copy.iterdir()} == before


def test_a_program_that_begins_to_write_meanwhile_is_noticed(home: Path) -> None:
    path = databases.claude_mem(home)
    peer = ClaudeMem(path)
    (store,) = peer.stores()
    records = peer.read(store)
    next(records)
    written(path, path.read_bytes())
    with pytest.raises(PeerUnreadableError, match="another program began to write to it"):
        list(records)


def test_a_damaged_file_gives_what_stands_before_the_damage(home: Path) -> None:
    rows = [databases.mcp_memory_rows()[0] | {"content_hash": str(n), "content": "x" * 900} for n in range(500)]
    path = database(home / "sqlite_vec.db", {"memories": rows})
    content = bytearray(path.read_bytes())
    # Random bytes may pass for a row.
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    path.write_bytes(content)
    peer = McpMemoryService(path)
    keys: list[str] = []
    with pytest.raises(PeerUnreadableError, match="The records before the damage are imported"):
        keys.extend(each.key for store in peer.stores() for each in peer.read(store))  # type: ignore[union-attr]
    assert keys == [str(n) for n in range(len(keys))]
    assert 100 < len(keys) < 500


def test_another_programs_file_is_refused_by_what_it_lacks(home: Path) -> None:
    path = database(home / "other.db", {"observations": [{"id": 1, "text": "x"}]})
    with pytest.raises(PeerUnreadableError, match="it has no column project in its table observations"):
        read(ClaudeMem(path))
    with pytest.raises(PeerUnreadableError, match="it has no table memories"):
        read(McpMemoryService(path))


def test_a_view_is_no_table(home: Path) -> None:
    path = home / "sqlite_vec.db"
    with sqlite3.connect(path) as connection:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS content FROM n"
        connection.execute(f"CREATE VIEW memories AS {endless}")
    connection.close()
    with pytest.raises(PeerUnreadableError, match="it has no table memories"):
        read(McpMemoryService(path))


def test_values_that_are_too_long_are_left_out(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "MAX_VALUE_BYTES", 2_000)
    monkeypatch.setattr(values, "MAX_TEXT_CHARACTERS", 1_000)
    row = databases.mcp_memory_rows()[0]
    long = [row | {"content_hash": str(n), "content": "x" * size} for n, size in enumerate((900, 1_100, 2_100))]
    found = read(McpMemoryService(database(home / "sqlite_vec.db", {"memories": long})))
    assert found[1:] == [TOO_LONG, TOO_LONG]


def test_odd_values_are_no_reason_to_fail(home: Path) -> None:
    row = databases.mcp_memory_rows()[0]
    odd = {"content_hash": "a\0", "tags": 7, "created_at": 1e300, "memory_type": b"\0"}
    rows = [row, row | odd, row | {"content": 5}, row | {"tags": "[1, "}]
    path = database(home / "sqlite_vec.db", {"memories": rows})
    first, second, third, fourth = read(McpMemoryService(path))
    assert (second.created_at, second.source) == (None, "\ufffd")  # type: ignore[union-attr]
    assert third == Skipped("without text")
    assert fourth.content == first.content.partition("\n")[0]  # type: ignore[union-attr]
    assert [each.no_texts for each in (first, second, fourth)] == [0, 1, 1]  # type: ignore[union-attr]


def test_a_row_in_another_encoding_is_skipped_and_named(home: Path) -> None:
    row = databases.mcp_memory_rows()[0]
    rows = [row, row | {"content_hash": "b", "content": b"caf\xe9"}, row | {"content_hash": b"\xff"}]
    first, *skipped = read(McpMemoryService(database(home / "sqlite_vec.db", {"memories": rows})))
    assert not isinstance(first, Skipped)
    names = ("content_hash b", r"content_hash \xff")
    assert skipped == [Skipped(f"not in UTF-8: {each} in table memories") for each in names]


def test_a_skipped_change_does_not_divide_a_memory_of_mem0(home: Path) -> None:
    row = databases.rows_of("mem0")["history"][0] | {"memory_id": "m"}
    texts = ["Tea.", b"caf\xe9", "Milk."]
    rows = [row | {"new_memory": each, "updated_at": f"2026-01-0{n}"} for n, each in enumerate(texts, 1)]
    found = read(Mem0(database(home / "history.db", {"history": rows})))
    assert [getattr(each, "content", each) for each in found] == [
        "Milk.",
        Skipped("not in UTF-8: memory_id m in table history"),
    ]


def test_a_broken_change_of_engram_is_skipped_and_named(home: Path) -> None:
    folder = databases.engram_chunks(home)
    before = read(Engram(folder))
    chunk = folder / ".engram/chunks/bbbb2222.jsonl.gz"
    content = json.loads(gzip.decompress(chunk.read_bytes()))
    broken = {"entity": "observation", "entity_key": "s-9", "payload": '{"content": "Te'}
    content["mutations"] = [*(content.get("mutations") or ()), broken]
    written(chunk, gzip.compress(json.dumps(content).encode()))
    found = read(Engram(folder))
    assert [each for each in found if each not in before] == [
        Skipped("broken change of s-9 in chunk bbbb2222.jsonl.gz")
    ]
    assert len(found) == len(before) + 1


@cases
def test_json_that_breaks_off_gives_what_stands_before(home: Path, content: str) -> None:
    # The sessions behind the damage cannot be read, so nothing is.
    peer = ClaudeMem(written(home / "export.json", content))
    (store,) = peer.stores()
    with pytest.raises(PeerUnreadableError, match="after 0 records of sessions"):
        list(peer.read(store))
    found: list[Record | Skipped] = []
    with pytest.raises(PeerUnreadableError, match="after 1 records of observations"):
        found.extend(json_records.records(store.place, "observations"))
    assert [each["text"] for each in found if not isinstance(each, Skipped)] == ["one"]


def test_lines_that_are_no_records_are_skipped(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript_files, "MAX_RECORD_BYTES", 1_000)
    entity = {"type": "entity", "name": "pear", "observations": [5, None, ["sweet"], "green", {"a": "b"}]}
    long = entity | {"observations": ["x" * 3_000]}
    relation = '{"type": "relation", "from": "pear", "relationType": "is", "to": 5}'
    lines = ["[" * 900, "[]", '"text"', json.dumps(long), json.dumps(entity), relation, ""]
    found = read(ServerMemory(written(home / "memory.jsonl", "\ufeff" + "\n".join(lines))))
    assert found[:4] == [BROKEN, BROKEN, BROKEN, TOO_LONG]
    assert [(each.content, each.no_texts) for each in found[4:-1]] == [("green", 4)]  # type: ignore[union-attr]
    assert found[-1] == BROKEN


def test_what_is_no_record_in_a_list_is_counted(home: Path) -> None:
    good = {"id": "1", "memory": "Tea."}
    listed = [7, good, None, "text", [good], {"memory": "Without id."}, {"id": "2"}, good | {"id": "3"}]
    for whole in (listed, {"other": [1], "results": listed}):
        found = read(Mem0(written(home / "mem0.json", json.dumps(whole))))
        assert [each for each in found if isinstance(each, Skipped)] == [BROKEN] * 5 + [BLANK]
        assert [each.key for each in found if not isinstance(each, Skipped)] == ["1", "3"]


def test_what_is_no_record_in_a_chunk_is_counted(home: Path) -> None:
    folder = databases.engram_chunks(home)
    before = read(Engram(folder))
    chunks = list((folder / ".engram/chunks").iterdir())
    for chunk in chunks:
        content = json.loads(gzip.decompress(chunk.read_bytes()))
        for name in ("sessions", "observations", "mutations"):
            content[name] = [None, *(content.get(name) or ())]
        written(chunk, gzip.compress(json.dumps(content).encode()))
    manifest = json.loads((folder / ".engram/manifest.json").read_text("utf-8"))
    written(folder / ".engram/manifest.json", json.dumps(manifest | {"chunks": [None, *manifest["chunks"]]}))
    found = read(Engram(folder))
    assert [each for each in found if each != BROKEN] == before
    assert found.count(BROKEN) == len(chunks) * len(("observations", "mutations"))


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00bad", "Tea.".encode("utf-16-be"), b"\xfe\xff\x4e\x2d", b"a\0", b"caf\xe9"]
)
def test_notes_in_another_encoding_are_skipped(home: Path, content: bytes) -> None:
    for make, peer in (
        (folders.basic_memory, BasicMemory),
        (folders.claude_code_memory, ClaudeCodeMemory),
        (folders.rules, Rules),
    ):
        folder = make(home)
        before = read(peer(folder))
        bad = folder / (".claude/rules/bad.md" if peer is Rules else "bad.md")
        written(bad, content)
        found = read(peer(folder))
        skipped = Skipped(f"not in UTF-8: {files.shown(bad)}")
        assert found.count(skipped) == 1
        assert [each for each in found if each != skipped] == before


def test_a_key_twice_in_front_matter_is_named(home: Path) -> None:
    folder = home / "notes"
    written(folder / "a.md", "---\ntags:\n- a\n- a\ntitle: Tea\nother:\n  title: Milk\n---\ntitle: Tea\n")
    path = written(folder / "b.md", "---\ntitle: Tea\n# a\n# a\ntitle: Milk\n...\nText.")
    found = read(BasicMemory(folder))
    assert [getattr(each, "title", "") for each in found] == ["Tea", ""]
    assert found[1] == Skipped(f"with a key twice in its front matter: {files.shown(path)}, line 5: title")


def test_a_bomb_of_a_chunk_is_left_out_and_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engram, "_MAX_BYTES", 100_000)
    folder = databases.engram_chunks(home)
    whole = len(memories(Engram(folder)))
    chunk = folder / ".engram/chunks/bbbb2222.jsonl.gz"
    written(chunk, gzip.compress(b" " * 200_000))
    assert Skipped("broken chunk bbbb2222.jsonl.gz") in read(Engram(folder))
    assert len(memories(Engram(folder))) == whole
    written(chunk.with_name("aaaa1111.jsonl.gz"), b"\x1f\x8b not compressed")
    chunk.unlink()
    chunk.symlink_to("aaaa1111.jsonl.gz")
    assert {type(each) for each in read(Engram(folder))} == {Skipped}
    written(folder / ".engram/manifest.json", "{}")
    with pytest.raises(PeerUnreadableError, match="it lists no chunks"):
        read(Engram(folder))


def test_pipes_and_folders_are_no_stores(home: Path) -> None:
    pipe = home / "memory.jsonl"
    os.mkfifo(pipe)
    for place in (pipe, home / "nowhere"):
        with pytest.raises(PeerUnreadableError, match="cannot be read"):
            read(ServerMemory(place))


def test_a_folder_of_notes_has_bounds(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folders.basic_memory(home)
    os.mkfifo(folder / "pipe.md")
    written(folder / "large.md", "x" * 2_000)
    monkeypatch.setattr(files, "MAX_NOTE_BYTES", 1_000)
    found = read(BasicMemory(folder))
    assert TOO_LONG in found
    assert Skipped(f"unreadable: {files.shown(folder / 'pipe.md')}") in found
    monkeypatch.setattr(files, "_MAX_ENTRIES", 2)
    with pytest.raises(PeerUnreadableError, match="it has more than 2 entries"):
        BasicMemory(folder).stores()


def test_a_handbook_has_bounds(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folders.codex_memory(home)
    monkeypatch.setattr("lamella_adapters.peers.files.MAX_NOTE_BYTES", 10)
    with pytest.raises(PeerUnreadableError, match="too large to be a file of Codex"):
        read(CodexMemory(path))


def test_a_handbook_in_another_encoding_is_refused(home: Path) -> None:
    path = folders.codex_memory(home)
    path.write_bytes(b"# caf\xe9")
    with pytest.raises(PeerUnreadableError, match="it is not a text in UTF-8"):
        read(CodexMemory(path))
