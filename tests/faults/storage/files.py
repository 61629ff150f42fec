"""Files that somebody deletes, moves, replaces or overwrites while a server has them open."""

import shutil
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import apsw

from lamella.domain.errors import LamellaError
from tests.end_to_end.storage.worker import Memory, assert_sound, saved_into
from tests.faults.fault import Injections


def other_program(path: Path) -> None:
    path.unlink(missing_ok=True)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("CREATE TABLE observation (title); INSERT INTO observation VALUES ('theirs')")
    path.chmod(0o600)


BROKEN: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(b"garbage " * 1_000),
    "empty": lambda path: path.write_bytes(b""),
    "torn": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "of another program": other_program,
}


def _as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _as_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


GONE: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "moved away": lambda path: path.rename(path.with_name("away")),
    "a folder": _as_folder,
    "a link to nothing": _as_link,
}


def _replaced(path: Path, harm: Callable[[Path], object]) -> None:
    """Put something else in the place of a file; whoever has it open keeps the old one."""
    draft = path.with_name("draft")
    shutil.copy(path, draft)
    harm(draft)
    draft.replace(path)


def while_open(folder: Path, noise: Random) -> Injections:
    """Saves are refused or are in the file that is there; and nothing that is none of ours is written to."""
    for number in count():
        here = folder / str(number)
        saved = saved_into(here, *(f"zebra {each}" for each in range(5)), session="s")
        with Memory(here) as memory:
            if noise.random() < 0.7:
                id = memory.save("opened", session="s").id
                saved[id] = "opened"
            sound = here / "sound"
            with closing(apsw.Connection(str(memory.file))) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            shutil.copy(memory.file, sound)
            if noise.random() < 0.5:
                noise.choice(list(GONE.values()))(memory.file)
            else:
                _replaced(memory.file, noise.choice(list(BROKEN.values())))
            before = memory.file.read_bytes() if memory.file.is_file() else None
            try:
                memory.save("while it is harmed", session="s")
            except LamellaError:
                outcome = "refused with a reason"
                assert (memory.file.read_bytes() if memory.file.is_file() else None) == before
            else:
                raise AssertionError("it was saved into nowhere")
            if memory.file.is_dir() and not memory.file.is_symlink():
                memory.file.rmdir()
            sound.replace(memory.file)
            saved[memory.save("put back", session="s").id] = "put back"
            outcome += ", and saved again once the file is back"
        assert_sound(here, saved)
        shutil.rmtree(here)
        yield outcome
