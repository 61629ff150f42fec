"""Clocks that jump."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tests.end_to_end.storage.worker import Memory, Saved, assert_sound
from tests.faults.fault import Injections

YEARS = (1970, 9999)


def jumps(folder: Path, noise: Random) -> Injections:
    """Save at moments years apart: each is there, and the order is that of saving."""
    saved: Saved = {}
    with Memory(folder / "live") as memory:
        while True:
            now = datetime(noise.randrange(*YEARS), noise.randint(1, 12), 1, noise.randrange(24), tzinfo=UTC)
            made = memory.save(f"zebra {len(saved)}", now=now, session="s")
            saved[made.id] = made.content
            assert made.created_at == now
            latest = list(saved.values())[::-1]
            assert memory.find(limit=20) == latest[:20]
            if len(saved) % 50 == 0:
                assert memory.find(limit=10_000) == latest
                copy = Path(shutil.copytree(folder / "live", folder / str(len(saved))))
                assert_sound(copy, saved)
                shutil.rmtree(copy)
            yield "all are there, in the order of saving"
