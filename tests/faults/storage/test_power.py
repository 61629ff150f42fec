"""The simulated disk can lose something: otherwise its injections would prove nothing."""

from pathlib import Path
from random import Random

from lamella.domain.errors import StorageError
from tests.end_to_end.storage.worker import Memory
from tests.faults.storage.power import recorded, restored


def test_a_disk_that_lies_loses_something(tmp_path: Path) -> None:
    history = recorded(tmp_path / "recorded")
    losses = 0
    for seed in range(10):
        noise = Random(seed)  # noqa: S311 - repeatable
        folder = tmp_path / str(seed)
        saved = restored(history, folder, len(history.events), noise, honest=False)
        with Memory(folder) as memory:
            try:
                losses += set(memory.find()) < set(saved.values())
            except StorageError:
                losses += 1
    assert losses > 5
