"""Folders that a program names."""

from os import PathLike, fspath
from pathlib import Path

from lamella.domain.errors import InvalidValueError


def folder(name: str, given: object) -> Path:
    """Return a folder, absolute.

    Raises:
        InvalidValueError: `given` is no path.
    """
    if isinstance(given, str | PathLike):
        return Path(fspath(given)).expanduser().absolute()
    raise InvalidValueError(name=name, given=f"{given!r}", allowed="a path")


def working_directory(given: object) -> Path:
    """Return the folder that a caller works in: a typing error would make a project of its own.

    Raises:
        InvalidValueError: It is no path, or no folder that exists.
    """
    directory = folder("directory", given)
    if not directory.is_dir():
        raise InvalidValueError(name="directory", given=f"{str(directory)!r}", allowed="a folder that exists")
    return directory
