"""Validation of folders passed to the API."""

from os import PathLike, fspath
from pathlib import Path

from lamella.domain.errors import InvalidValueError


def folder(name: str, given: object) -> Path:
    """Return the absolute path of a folder, with `~` expanded.

    Raises:
        InvalidValueError: `given` isn't a path.
    """
    if isinstance(given, str | PathLike):
        return Path(fspath(given)).expanduser().absolute()
    raise InvalidValueError(name=name, given=f"{given!r}", allowed="a path")


def working_directory(given: object) -> Path:
    """Return the absolute path of an existing folder. A misspelt one would become a new project.

    Raises:
        InvalidValueError: `given` isn't a path, or the folder doesn't exist.
    """
    directory = folder("directory", given)
    if not directory.is_dir():
        raise InvalidValueError(name="directory", given=f"{str(directory)!r}", allowed="a folder that exists")
    return directory
