"""Power that goes: what was written and not synced is lost, or torn, or neither."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import apsw
from attrs import frozen

from tests.end_to_end.storage.worker import Memory, Saved, assert_sound, saved_into
from tests.faults.fault import Injections

SECTOR = 512
SAVES = 90


@frozen
class Write:
    """Bytes that a file got somewhere."""

    name: str
    offset: int
    content: bytes


@frozen
class Truncation:
    """A file that was cut."""

    name: str
    size: int


@frozen
class Sync:
    """All that a file got before is safe."""

    name: str


Event = Write | Truncation | Sync


class Disk(apsw.VFS):
    """Passes everything on, and remembers what was written to which file and when it was made safe."""

    def __init__(self) -> None:
        super().__init__("remembering", "unix", makedefault=True)
        self.events: list[Event] = []

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - as APSW calls it
        return RememberedFile(self.events, name, flags)


class RememberedFile(apsw.VFSFile):
    """One file of such a disk."""

    def __init__(self, events: list[Event], name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self.events = events
        self.name = str(name.filename() if isinstance(name, apsw.URIFilename) else name)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - as APSW calls it
        super().xWrite(data, offset)
        self.events.append(Write(self.name, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802 - as APSW calls it
        super().xTruncate(size)
        self.events.append(Truncation(self.name, size))

    def xSync(self, flags: int) -> None:  # noqa: N802 - as APSW calls it
        super().xSync(flags)
        self.events.append(Sync(self.name))


@frozen
class History:
    """Events of a disk while memories were saved."""

    before: dict[str, bytes]
    events: Sequence[Event]
    acknowledged: Sequence[tuple[int, UUID, str]]
    """Number of events before the acknowledgement of a save."""

    def after_the_cut(self, cut: int, noise: Random, *, honest: bool) -> dict[str, bytes]:
        """The files as they may be after `cut` events; a disk that is not `honest` has done nothing at a sync."""
        files: dict[str, bytes] = {}
        names = {*self.before, *(event.name for event in self.events[:cut])}
        for name in names:
            mine = [event for event in self.events[:cut] if event.name == name]
            safe = max((place + 1 for place, event in enumerate(mine) if isinstance(event, Sync)), default=0)
            content = bytearray(self.before.get(name, b""))
            for place, event in enumerate(mine):
                certain = honest and place < safe
                match event:
                    case Write(_, offset, written) if certain or noise.random() < 0.5:
                        if not certain and noise.random() < 0.3:
                            written = written[: noise.randrange(0, len(written), SECTOR)]
                        content.extend(bytes(max(0, offset - len(content))))
                        content[offset : offset + len(written)] = written
                    case Truncation(_, size) if certain or noise.random() < 0.5:
                        del content[size:]
            files[name] = bytes(content)
        return files


def recorded(folder: Path) -> History:
    """Record ninety saves, in which the log is emptied more than once."""
    first = saved_into(folder, "the first", session="s")
    before = {str(path): path.read_bytes() for path in folder.rglob("*.db")}
    acknowledged = [(0, id, content) for id, content in first.items()]
    disk = Disk()
    try:
        with Memory(folder) as memory:
            for number in range(SAVES):
                content = f"zebra {number} " + f"word{number} " * 500
                id = memory.save(content, session="s").id
                acknowledged.append((len(disk.events), id, content))
            events = tuple(disk.events)
    finally:
        disk.unregister()
    files = {event.name for event in events if isinstance(event, Sync)}
    assert {Path(name).suffix for name in files} == {".db", ".db-wal"}
    return History(before, events, acknowledged)


def restored(history: History, folder: Path, cut: int, noise: Random, *, honest: bool) -> Saved:
    """Put the files into `folder`, and return what had been acknowledged."""
    for name, content in history.after_the_cut(cut, noise, honest=honest).items():
        old = Path(name)
        path = folder / ("projects" if old.parent.name == "projects" else "") / old.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return {id: content for events, id, content in history.acknowledged if events <= cut}


def losses(folder: Path, noise: Random) -> Injections:
    """Cut the power anywhere in a row of saves."""
    history = recorded(folder / "recorded")
    number = 0
    while True:
        number += 1
        after = folder / str(number)
        saved = restored(history, after, noise.randrange(len(history.events)), noise, honest=True)
        assert_sound(after, saved)
        shutil.rmtree(after)
        yield "every acknowledged save is there"
