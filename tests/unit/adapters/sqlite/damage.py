"""Functions that damage a file in a folder."""

from collections.abc import Callable
from pathlib import Path


def without(find: Callable[[Path], Path]) -> Callable[[Path], None]:
    return lambda folder: find(folder).unlink()


def with_text(find: Callable[[Path], Path], text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        find(folder).write_text(text, encoding="utf-8")

    return write


def cut(find: Callable[[Path], Path], size: int) -> Callable[[Path], None]:
    def truncate(folder: Path) -> None:
        with find(folder).open("r+b") as file:
            file.truncate(size)

    return truncate
