import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from lamella_adapters.sqlite.file import write_queue
from lamella_adapters.sqlite.file.write_queue import WriteQueue
from tests.waiting import HANG_SECONDS


@pytest.fixture
def note(tmp_path: Path) -> str:
    (tmp_path / "p.count").touch()
    return str(tmp_path / "p.count")


@contextmanager
def waiting(note: str) -> Iterator[None]:
    """Let another process wait for the write lock within the block."""
    queue = WriteQueue(note)
    with queue.turn(time.monotonic()):
        queue.join()
        queue.join()
        yield


def test_a_newcomer_lets_those_go_first_that_wait(note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paused = threading.Event()
    monkeypatch.setattr(write_queue, "pause", paused.set)
    monkeypatch.setattr(write_queue, "_LONGEST_SECONDS", HANG_SECONDS)
    left: list[bool] = []

    def come() -> list[bool]:
        with WriteQueue(note).turn(time.monotonic() + HANG_SECONDS):
            return list(left)

    with ThreadPoolExecutor(1) as threads:
        with waiting(note):
            coming = threads.submit(come)
            assert paused.wait(HANG_SECONDS)
            left.append(True)
        assert coming.result(HANG_SECONDS) == [True]


def test_a_newcomer_goes_ahead_when_its_time_is_up(note: str) -> None:
    with waiting(note), WriteQueue(note).turn(time.monotonic()) as gone_ahead:
        assert gone_ahead is None


def test_those_who_wait_do_not_wait_for_each_other(note: str) -> None:
    with waiting(note), waiting(note):
        pass
    with WriteQueue(note).turn(time.monotonic() + HANG_SECONDS):
        pass


def test_only_a_turn_is_queued_for(note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AssertionError("there is nobody to wait for")

    WriteQueue(note).join()
    monkeypatch.setattr(write_queue, "pause", fail)
    with WriteQueue(note).turn(time.monotonic() + HANG_SECONDS):
        pass


def test_without_a_note_there_is_no_queue(tmp_path: Path) -> None:
    with waiting(str(tmp_path / "missing.count")), WriteQueue(str(tmp_path / "missing.count")).turn(0):
        pass
    assert list(tmp_path.iterdir()) == []
