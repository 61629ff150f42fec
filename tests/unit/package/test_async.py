"""Memories for coroutines."""

import asyncio
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import lamella
from lamella.library import asynchronous
from tests.waiting import HANG_SECONDS


def opened(folder: Path) -> Any:
    return lamella.open_async(folder, storage="memory:", data_directory=folder / "data", embedder="none")


def test_every_use_case_can_be_awaited() -> None:
    offered = {name for name in dir(lamella.Memory) if not name.startswith("_")}
    assert offered == {name for name in dir(lamella.AsyncMemory) if not name.startswith("_")}
    assert lamella.AsyncMemory.save.__doc__ == lamella.Memory.save.__doc__


def test_coroutines_save_find_and_read_step_by_step(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as memory:
            texts = [f"zebra {number}" for number in range(60)]
            for text in texts:
                await memory.at(session="s").save(text)
            assert [hit.observation.content async for hit in await memory.search()] == texts[::-1]
            assert (await memory.recall("zebra", session="s")).total == 10
            assert len([line async for line in await memory.export()]) == 63
            with pytest.raises(lamella.UnknownProjectError, match=r"memory\.projects\(\)"):
                await memory.at(project="x").search()
            unread = await memory.export()
        with pytest.raises(lamella.MemoryClosedError):
            await memory.at(session="s").search()
        with pytest.raises(lamella.MemoryClosedError):
            await anext(aiter(unread))

    asyncio.run(work())


class Slow(BytesIO):
    """A file that is read in a while."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.begun, self.go = threading.Event(), threading.Event()

    def readline(self, *size: Any) -> bytes:
        self.begun.set()
        assert self.go.wait(HANG_SECONDS)
        return super().readline(*size)


def test_a_cancelled_task_goes_on_and_what_has_not_begun_is_never_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asynchronous, "_THREADS", 1)

    async def work() -> None:
        async with opened(tmp_path) as memory:
            await memory.save("exported")
            file = Slow(b"".join([line async for line in await memory.export()]))
            reading = asyncio.create_task(memory.import_from(file))
            await asyncio.to_thread(file.begun.wait, HANG_SECONDS)
            waiting = asyncio.create_task(memory.save("never"))
            await asyncio.sleep(0)
            for task in (waiting, reading):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            file.go.set()
            assert [hit.observation.content async for hit in await memory.search()] == ["exported"]

    asyncio.run(work())


def test_what_has_begun_is_completed_before_memories_close_and_the_rest_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asynchronous, "_THREADS", 1)

    async def work() -> None:
        async with opened(tmp_path) as memory:
            await memory.save("exported")
            file = Slow(b"".join([line async for line in await memory.export()]))
            reading = asyncio.create_task(memory.import_from(file))
            await asyncio.to_thread(file.begun.wait, HANG_SECONDS)
            waiting = asyncio.create_task(memory.save("late"))
            await asyncio.sleep(0)
            asyncio.get_running_loop().call_soon(file.go.set)
        assert (await reading).known == 1
        with pytest.raises(lamella.MemoryClosedError):
            await waiting

    asyncio.run(work())
