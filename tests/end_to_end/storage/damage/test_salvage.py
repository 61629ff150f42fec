"""Files that are broken in the middle: what can still be read comes back, and nothing else does.

Over 300 lines, because every break is made in files that are filled and compared by the same few helpers.
"""

import random
import re
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from uuid import UUID

import apsw
import pytest

from lamella.domain.embeddings.vector import Vector
from lamella.domain.errors import StorageError
from lamella.domain.memories.observation import CodeChange, Kind, Observation
from lamella.domain.memories.query import RecallQuery, Recent
from lamella_adapters.sqlite.doctor.recovery.recover import recover
from lamella_adapters.sqlite.doctor.recovery.table_layout import tables
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.schema import migrations
from tests.end_to_end.storage.worker import (
    NOW,
    Memory,
    Worker,
    assert_sound,
    faults,
    saved_into,
)
from tests.waiting import until

PAGE = 4096
COUNT = 60
REPAIR = "make it anew of what can be read, and keep the broken file"

OTHER_ROWS = """
DELETE FROM unembedded WHERE seq % 2;
INSERT INTO embedding_model VALUES ('static', 64);
INSERT INTO message (key, origin, session, role, at, heading, text, sub, context)
  SELECT 'record' || seq || '/0', origin, session, 'human', created_at, 'human', 'zebra said ' || content, '', ''
  FROM observation;
INSERT INTO session_name (session, name) SELECT DISTINCT session, 'About ' || session FROM observation;
INSERT INTO transcript_position SELECT 'source' || seq, 'position' || seq, origin FROM observation;
INSERT INTO summary SELECT session, 1, seq, seq + 19, 'print' || seq, '[]', '[]' FROM observation;
INSERT INTO erased_message SELECT randomblob(32) FROM observation;
INSERT INTO departed SELECT randomblob(16) FROM observation;
INSERT INTO capture SELECT randomblob(32), origin FROM observation;
INSERT INTO told_removal SELECT seq, randomblob(32) FROM observation;
INSERT INTO activity SELECT 'done' || seq, created_at, 'injected', session, 'prompt', 40, origin FROM observation;
INSERT INTO waiting_title SELECT 'title' || seq, 'A title', origin FROM observation;
INSERT INTO session_end SELECT 'end' || seq, session, origin FROM observation;
"""

DERIVED = {"statistics", "message_statistics", "code_block", "unembedded", "changed_lines", "observation"}
"""What is made of other rows, in whole or in part."""
PARTS = {"observation": {"code_change", "told_removal", "vector"}, "embedding_model": {"vector"}}
"""What nobody can use without the others."""


def structure() -> tuple[list[str], list[str]]:
    """The names of our own tables, and of everything that has pages of its own."""
    with closing(apsw.Connection(":memory:")) as connection:
        for migration in migrations.PROJECT:
            connection.execute(migration).fetchall()
        own = [table.name for table in tables(connection) if table.ours]
        trees = fetch(connection, "SELECT name FROM sqlite_schema WHERE rootpage ORDER BY name")
        return own, [name for (name,) in trees]


TABLES, TREES = structure()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with rows in every table."""
    folder = tmp_path_factory.mktemp("sound")
    with Memory(folder) as memory:
        for number in range(COUNT):
            change = CodeChange(
                path=f"src/{number}.py", additions=1, deletions=1, hunks="@@ -1 +1 @@\n-old\n+new\n"
            )
            text = f"zebra {number} " + f"word{number} " * (number * 13 % 900)
            memory.save(text, session=f"s{number % 7}", changes=(change,))
        path = memory.file
    noise = random.Random(0)  # noqa: S311 - repeatable
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(OTHER_ROWS).fetchall()
        for number in range(1, COUNT, 2):
            vector = noise.randbytes(64)
            connection.execute("INSERT INTO vector VALUES (?, 0, ?, ?)", (number, Vector(vector).code, vector))
    with Memory(folder) as memory:
        memory.storage.observations(memory.id).purge([observation(connection_of(path), 5)], now=NOW)
        assert faults(memory) == []
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """A copy of it to break."""
    return Path(shutil.copytree(sound, tmp_path / "data"))


def connection_of(path: Path) -> apsw.Connection:
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)


def observation(connection: apsw.Connection, number: int) -> UUID:
    with closing(connection):
        return UUID(bytes=connection.execute("SELECT id FROM observation WHERE seq = ?", (number,)).get)


def rows(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """All rows of each of our own tables."""
    with closing(connection_of(path)) as connection:
        return {name: set(connection.execute(f'SELECT * FROM "{name}"').fetchall()) for name in TABLES}  # noqa: S608 - made of our own constants


def pages(path: Path, tree: str) -> list[int]:
    with closing(connection_of(path)) as connection:
        return [number for (number,) in fetch(connection, "SELECT pageno FROM dbstat WHERE name = ?", (tree,))]


def overwrite(path: Path, numbers: list[int], noise: random.Random) -> bytes:
    content = bytearray(path.read_bytes())
    for number in numbers:
        content[(number - 1) * PAGE : number * PAGE] = noise.randbytes(PAGE)
    path.write_bytes(content)
    return bytes(content)


def everything(memory: Memory) -> list[Observation]:
    query = RecallQuery(selector=Recent(), limit=1000, include_purged=True)
    return [hit.observation for hit in memory.storage.search(memory.id).find(query)]


def salvaged(memory: Memory) -> str:
    (finding,) = faults(memory)
    assert finding.repair == REPAIR
    said = memory.storage.diagnosis.repair(finding)
    assert faults(memory) == []
    return said


def kept(path: Path) -> bytes:
    (aside,) = path.parent.glob(f"{path.name}.damaged-*")
    assert aside.stat().st_mode & 0o777 == 0o600
    return aside.read_bytes()


@pytest.mark.parametrize("tree", TREES)
def test_where_one_table_or_index_is_noise_all_others_come_back(folder: Path, tree: str) -> None:
    with Memory(folder) as memory:
        before = rows(memory.file)
        assert all(before[name] for name in TABLES if name != "alias" and not name.startswith("unfinished"))
        broken = overwrite(memory.file, pages(memory.file, tree), random.Random(tree))  # noqa: S311 - repeatable
        salvaged(memory)
        after = rows(memory.file)
        assert kept(memory.file) == broken
        for name in set(TABLES) - {tree} - DERIVED - PARTS.get(tree, set()):
            assert after[name] == before[name], name
        # The registry knows what the file no longer says.
        assert after["project"] == before["project"]
        if tree != "observation":
            assert len(memory.find()) == COUNT - 1
            assert len(memory.find("zebra")) == COUNT - 1
    assert_sound(folder, {})


def test_rows_come_back_from_pages_that_no_other_page_leads_to(folder: Path) -> None:
    with Memory(folder) as memory:
        root = [pages_root(memory.file, "observation")]
        overwrite(memory.file, root, random.Random(1))  # noqa: S311 - repeatable
        said = salvaged(memory)
        assert said.startswith(f"{COUNT} memories, {COUNT} messages, ")
        assert "; none is known to be lost. The broken file is kept as " in said
        assert len(memory.find("zebra", include_purged=True)) == COUNT


def test_the_list_of_tables_may_be_lost_too(folder: Path) -> None:
    with Memory(folder) as memory:
        overwrite(memory.file, pages(memory.file, "sqlite_schema")[1:], random.Random(1))  # noqa: S311 - repeatable
        said = salvaged(memory)
        assert said.startswith(f"{COUNT} memories, {COUNT} messages, ")
        assert len(memory.find("zebra", include_purged=True)) == COUNT
    assert_sound(folder, {})


def pages_root(path: Path, table: str) -> int:
    with closing(connection_of(path)) as connection:
        root: int = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).get
        return root


@pytest.mark.parametrize("seed", range(16))
def test_what_comes_back_is_what_was_saved(folder: Path, seed: int) -> None:
    noise = random.Random(seed)  # noqa: S311 - repeatable
    with Memory(folder) as memory:
        before = {each.id: each for each in everything(memory)}
        content = bytearray(memory.file.read_bytes())
        sound = bytes(content)
        for _ in range(noise.choice([1, 5, 40])):
            at = noise.randrange(1, len(content) // PAGE) * PAGE
            other = noise.randrange(1, len(content) // PAGE) * PAGE
            start, length = at + noise.randrange(PAGE - 500), noise.randrange(1, 500)
            match seed % 4:
                case 0:
                    content[at : at + PAGE] = noise.randbytes(PAGE)
                case 1:
                    content[at : at + PAGE] = bytes(PAGE)
                case 2:
                    content[start : start + length] = noise.randbytes(length)
                case _:
                    content[at : at + PAGE] = sound[other : other + PAGE]
        memory.file.write_bytes(content)
        said = f"{COUNT} memories"
        while found := faults(memory):
            told = memory.storage.diagnosis.repair(found[0])
            if found[0].repair == REPAIR:
                said = told
                assert kept(memory.file) == content
        after = {each.id: each for each in everything(memory)}
        assert len(after) > 0
        assert said.startswith(f"{len(after)} memories")
        assert {id: (each.title, each.content) for id, each in after.items()}.items() <= {
            id: (each.title, each.content) for id, each in before.items()
        }.items()
        again = memory.save("afterwards")
        assert again.sequence == COUNT + 1
    assert_sound(folder, {again.id: "afterwards"})


def harmless(folder: Path) -> None:
    """Breaks what no save and no recall needs."""
    path = Memory(folder).file
    overwrite(path, pages(path, "summary"), random.Random(2))  # noqa: S311 - repeatable


def test_who_has_the_file_open_goes_on_saving_and_loses_nothing(folder: Path) -> None:
    harmless(folder)
    with Memory(folder) as memory, Worker("save", folder, "busy", 0) as worker:
        assert worker.said() == "ready"
        worker.tell()
        said = [worker.said() for _ in range(20)]
        (finding,) = faults(memory)
        assert "memories, " in memory.storage.diagnosis.repair(finding)
        said += [worker.said() for _ in range(20)]
        worker.send(signal.SIGKILL)
        said += worker.rest()
        assert faults(memory) == []
        assert None not in said
    assert_sound(folder, {UUID(hex=id): content for id, content in said})


@pytest.mark.parametrize("files", range(1, 6))
def test_a_salvage_that_is_killed_changes_nothing_or_all(folder: Path, files: int) -> None:
    harmless(folder)
    path = Memory(folder).file
    with Memory(folder) as memory:
        before = {each.id: each.content for each in everything(memory)}
    with Worker("repair", folder) as worker:
        until(lambda: worker.process.poll() is not None or len([*path.parent.glob("*.left-*")]) >= files)
        worker.send(signal.SIGKILL)
    with Memory(folder) as memory:
        for finding in faults(memory):
            memory.storage.diagnosis.repair(finding)
        assert faults(memory) == []
        assert {each.id: each.content for each in everything(memory)} == before
    assert_sound(folder, before)


LIMITED = """
import resource, sys
from pathlib import Path
from tests.end_to_end.storage.worker import Memory, faults
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
with Memory(Path(sys.argv[1])) as memory:
    (finding,) = faults(memory)
    memory.storage.diagnosis.repair(finding)
"""


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_without_room_for_a_salvage_everything_stays_as_it_is(folder: Path, share: float) -> None:
    harmless(folder)
    path = Memory(folder).file
    before, broken = sorted(path.parent.iterdir()), path.read_bytes()
    limit = str(int(len(broken) * share))

    done = subprocess.run(
        [sys.executable, "-c", LIMITED, folder, limit], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert re.search("File too large|The disk or a file-size limit refused", done.stderr.splitlines()[-1])
    assert path.read_bytes() == broken
    assert [each for each in sorted(path.parent.iterdir()) if each not in before] == []


def never(_: apsw.Connection) -> None:
    raise AssertionError("the file's own row was lost")


def test_a_file_of_an_older_schema_comes_back_in_the_present_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(migrations, "PROJECT", migrations.PROJECT[:1])
        saved = saved_into(tmp_path, *(f"zebra {number}" for number in range(50)), session="s", kind=Kind.CHANGE)
    path = Memory(tmp_path).file
    # So that no migration can be made.
    overwrite(path, [pages_root(path, "code_change")], random.Random(3))  # noqa: S311 - repeatable
    said = recover(path, never)
    assert said.startswith("50 memories, ")
    with Memory(tmp_path) as memory:
        assert faults(memory) == []
        assert {each.id: each.content for each in everything(memory)} == saved
    assert_sound(tmp_path, saved)


def test_erasing_names_the_broken_file_that_was_kept(folder: Path) -> None:
    harmless(folder)
    with Memory(folder) as memory:
        salvaged(memory)
        id = everything(memory)[0].id
        with pytest.raises(StorageError, match="damaged files that were set aside may still hold them"):
            memory.storage.observations(memory.id).erase([id])


def test_what_nothing_speaks_of_any_more_is_counted_and_its_number_not_given_out_again(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        for number in range(20):
            memory.save(f"zebra {number}")
        path = memory.file
    with closing(connection_of(path)) as connection:
        connection.execute("DELETE FROM observation; DELETE FROM sqlite_sequence").fetchall()
    said = recover(path, lambda _: None)
    assert "; at least 20 memories or messages of which nothing is left are lost. The broken file" in said
    with Memory(tmp_path) as memory:
        assert memory.save("horse").sequence == 21


@pytest.mark.parametrize(
    ("text", "found"), [("The build is green \U0001fae8 today", 0), ("It is green \u00e4", 1)]
)
def test_a_character_that_only_some_pythons_know_is_no_fault(tmp_path: Path, text: str, found: int) -> None:
    with Memory(tmp_path) as memory:
        memory.save(text)
        with closing(connection_of(memory.file)) as connection:
            connection.execute("UPDATE observation SET fingerprint = randomblob(32)")
        assert len(faults(memory)) == found
