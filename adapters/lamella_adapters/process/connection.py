"""The connection to a team's server: the server's URL, and a token in the keyring or in a private file."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from lamella_adapters.process.files import replaced
from lamella_adapters.process.start import CONNECTION

_SERVICE = "lamella"


@frozen
class Connection:
    """The URL of a team's server, with the tenant as fragment, and the token with which a person calls it."""

    url: str
    token: str

    def write(self, folder: Path) -> None:
        """Write the connection into a private file of a folder.

        Raises:
            OSError: The file can't be written.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replaced(folder / CONNECTION) as file:
            file.write(f"{self.url}\n{self.token}\n".encode())


def connection(data_directory: Path) -> Connection | None:
    """Return the connection of a data directory; None if the directory isn't connected to a server."""
    try:
        url, token, *_ = (data_directory / CONNECTION).read_text("utf-8").split("\n")
    except (OSError, ValueError):
        return None
    if not token:
        with suppress(Exception):  # there is no keyring, or it is locked
            token = _keyring().get_password(_SERVICE, url) or ""
    return Connection(url, token)


def keep(data_directory: Path, made: Connection) -> bool:
    """Store a connection. Return True if its token is in the keyring.

    Raises:
        OSError: The file can't be written.
    """
    disconnect(data_directory)
    with suppress(Exception):  # there is no keyring, or it is locked
        _keyring().set_password(_SERVICE, made.url, made.token)
        evolve(made, token="").write(data_directory)
        return True
    made.write(data_directory)
    return False


def disconnect(data_directory: Path) -> bool:
    """Delete the connection and its token. Return False if there was no connection."""
    known = connection(data_directory)
    if known is not None:
        (data_directory / CONNECTION).unlink()
        with suppress(Exception):  # there is no keyring, or no entry in it
            _keyring().delete_password(_SERVICE, known.url)
    return known is not None


def _keyring() -> Any:
    import keyring  # type: ignore[import-not-found] # noqa: PLC0415 - optional

    return keyring
