"""A memory opened by a program."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lamella
from lamella import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path) as memory:
        yield memory


def opened(folder: Path, **given: Any) -> Any:
    (folder / "work").mkdir(exist_ok=True)
    given = {"storage": "memory:", "data_directory": str(folder / "data"), **given}
    return lamella.open_memory(folder / "work", **given)
