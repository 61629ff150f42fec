"""Work that is killed at each statement, with checks of what it leaves. It forks, so it is a process of its own.

Usage: python -m tests.end_to_end.storage.kills.statements COMMAND FOLDER [EVERY]; 3 is a third of the kills.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import apsw

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import RecallQuery
from lamella.ports.storage.diagnosis import Severity
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.sqlite.file.backups import back_up, backups_of
from lamella_adapters.sqlite.schema import migrations
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage import worker
from tests.patience import be_patient

OLD, NEW = ("old zebra one", "old zebra two", "old zebra three"), ("new zebra one", "new zebra two")
ERASED = "plinkett"


def before_each_statement(call: Callable[[int], object]) -> None:
    """Pass the number of each statement that this process begins to `call`, on any connection to a file."""
    numbers = count(1)

    def trace(_cursor: apsw.Cursor, _statement: str, _values: object) -> bool:
        call(next(numbers))
        return True

    apsw.connection_hooks.append(lambda opened: opened.set_exec_trace(trace if opened.filename else None))


def left_by_a_kill(folder: Path) -> dict[Path, bytes]:
    """Return all files that a kill would leave in `folder`.

    The memory that SQLite's processes share is left out: whoever opens the database next makes it anew.
    """
    return {
        path: path.read_bytes() if path.is_file() and not path.name.endswith("-shm") else b""
        for path in folder.rglob("*")
    }


def statements(folder: Path, work: Callable[[Path], object]) -> tuple[int, list[int]]:
    """Return the number of statements in `work`, and the ones before which files have changed."""
    seen: dict[Path, bytes] | None = None
    total, telling = 0, list[int]()

    def look(number: int) -> None:
        nonlocal seen, total
        left = left_by_a_kill(folder)
        if left != seen:
            telling.append(number)
        seen, total = left, number

    before_each_statement(look)
    work(folder)
    return total, telling


def in_a_child(call: Callable[[], object]) -> tuple[int, Any]:
    """Run `call` in a fork. Return the child's status, and the result of `call` as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writing, "w") as answer:
            json.dump(call(), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    return os.waitpid(child, 0)[1], json.loads(text or "null")


def kill_everywhere(folder: Path, work: Callable[[Path], object], check: Callable[[Path], object]) -> None:
    """Kill `work` on copies of `folder` before its statements, and check each copy.

    It says what came of each kill, and at last how many statements there are.

    A kill leaves the same before each of several statements in a row that change no file: one stands for all.
    """

    def attempt(name: str, call: Callable[[Path], object]) -> tuple[int, Any]:
        copy = folder.with_name(f"{folder.name}-{name}")
        shutil.copytree(folder, copy)
        answer = in_a_child(lambda: call(copy))
        check(copy)
        shutil.rmtree(copy)
        worker.show_life()
        return answer

    def killed_at(number: int) -> Callable[[Path], None]:
        def kill(here: int) -> None:
            if here == number:
                os.kill(os.getpid(), signal.SIGKILL)

        def broken_off(copy: Path) -> None:
            before_each_statement(kill)
            work(copy)

        return broken_off

    be_patient()
    status, (total, telling) = attempt("whole", lambda copy: statements(copy, work))
    assert status == 0
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for number in telling[::-every]:
        status, _ = attempt(str(number), killed_at(number))
        assert os.WIFSIGNALED(status) or status == 0
        worker.say("done, or can be repeated")
    worker.say(total)


def within(action: Callable[[worker.Memory], object], name: str = "p") -> Callable[[Path], None]:
    """Return work that opens a folder's project, does `action` and closes it."""

    def work(copy: Path) -> None:
        with worker.Memory(copy, name) as memory:
            action(memory)

    return work


def begin(folder: Path) -> None:
    """Save the first memory, and another one."""
    folder.mkdir()

    work = within(lambda memory: [memory.save("first"), memory.save("second")])

    kill_everywhere(folder, work, lambda copy: worker.assert_sound(copy, {}))


def replace(folder: Path) -> None:
    """Check that a replacement is done completely or not at all, and completely after a repetition."""
    saved = worker.saved_into(folder, *OLD, session="s")
    draft = Draft(content="new zebra", session="s", replaces=tuple(saved)[:2])

    work = within(lambda memory: memory.storage.observations(memory.id).add(draft, id=uuid4(), now=worker.NOW))

    def check(copy: Path) -> None:
        with worker.Memory(copy) as memory:
            before = set(memory.find("zebra"))
            assert before in (set(OLD), {"new zebra", OLD[2]})
            assert len(memory.storage.audit(memory.id).entries(limit=10)) == (before != set(OLD))
            work(copy)
            assert set(memory.find("zebra")) == {"new zebra", OLD[2]}
        worker.assert_sound(copy, saved)

    kill_everywhere(folder, work, check)


def undo(folder: Path) -> None:
    """Check that one memory is purged, another one restored and an entry kept, or nothing at all."""
    saved = worker.saved_into(folder, *OLD)
    first, second, _ = saved
    with worker.Memory(folder) as memory:
        memory.storage.observations(memory.id).purge([second], by=signed(worker.NOW))

    def swap(memory: worker.Memory) -> None:
        memory.storage.observations(memory.id).swap(purge=[first], restore=[second], by=signed(worker.NOW))

    def check(copy: Path) -> None:
        with worker.Memory(copy) as memory:
            there = memory.storage.observations(memory.id).get_all(saved)
            latest, *earlier = memory.storage.audit(memory.id).entries(limit=10)
            assert (there[first].purged, there[second].purged) == ((True, False) if earlier else (False, True))
            assert latest.restored == (second,) * bool(earlier)

    kill_everywhere(folder, within(swap), check)


def migrate(folder: Path) -> None:
    """Check that the schema is old or new, rows are unchanged, and each backup is complete."""
    saved = worker.saved_into(folder, *OLD, session="s")
    path = worker.Memory(folder).file
    before, older = told(path), version_and_moods(path)
    newer = (len(migrations.PROJECT) + 1, 1, 1)
    worker.upgrade()

    work = within(lambda memory: memory.find("zebra"))

    def check(copy: Path) -> None:
        now = copy / "projects" / path.name
        for file in (now, *backups_of(now)):
            assert told(file) == before
        assert version_and_moods(now) in (older, newer)
        work(copy)
        assert version_and_moods(now) == newer
        assert {version_and_moods(backup) for backup in backups_of(now)} == {older}
        worker.assert_sound(copy, saved)

    kill_everywhere(folder, work, check)


def told(path: Path) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        return connection.execute("SELECT seq, id, content, session, context FROM observation").fetchall()


def version_and_moods(path: Path) -> tuple[object, ...]:
    """The version of a file's schema, and whether the table and the column of the newer one are there."""
    table = "SELECT count(*) FROM sqlite_schema WHERE name = 'mood'"
    column = "SELECT count(*) FROM pragma_table_info('observation') WHERE name = 'mood'"
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        return tuple(connection.execute(each).get for each in ("PRAGMA user_version", table, column))


def erase(folder: Path) -> None:
    """Check that a repeated erase leaves no byte, even if the memory isn't found any more."""
    saved = worker.saved_into(folder, "before", f"the {ERASED}", "after", session="s")
    secret = list(saved)[1]
    back_up(worker.Memory(folder).file, label="test")

    work = within(lambda memory: memory.storage.observations(memory.id).erase([secret], by=signed()))

    def check(copy: Path) -> None:
        work(copy)
        assert worker.leftovers(copy, ERASED) == []
        worker.assert_sound(copy, {id: content for id, content in saved.items() if id != secret})

    kill_everywhere(folder, work, check)


def embed(folder: Path) -> None:
    """Check that all vectors of a batch are stored or none, and that observations without one are pending."""
    saved = worker.saved_into(folder, *OLD, session="s")
    model = EmbeddingModel("plane", 2)

    def work(copy: Path) -> None:
        with worker.Memory(copy) as memory:
            index = memory.storage.vectors(memory.id, model)
            index.adopt()
            index.put([NewVector.of(each, Vector.of((1, each.sequence))) for each in index.pending(limit=10)])

    def check(copy: Path) -> None:
        with worker.Memory(copy) as memory:
            index = memory.storage.vectors(memory.id, model)
            index.adopt()
            done = index.nearest(Vector.of((1, 0)), RecallQuery(limit=1), compared=list(saved)).similarities
            assert set(done) | {each.id for each in index.pending(limit=10)} == set(saved)
            assert len(done) in (0, len(saved))
            assert [each for each in memory.storage.diagnosis.findings() if each.severity is Severity.FAULT] == []
        worker.assert_sound(copy, saved)

    kill_everywhere(folder, work, check)


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
