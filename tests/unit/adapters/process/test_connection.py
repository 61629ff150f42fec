"""The connection to a team's server, kept in the keyring or in a private file."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from lamella.domain.errors import InvalidValueError
from lamella_adapters.process.connection import Connection, connection, disconnect, keep
from lamella_adapters.process.start import storage_url
from lamella_adapters.process.urls import endpoint_url

MADE = Connection("https://memory.example.com/mcp", "secret")


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
    """Return the passwords in a keyring that stands in for the desktop's."""
    kept = dict[tuple[str, str], str]()
    module = ModuleType("keyring")
    module.get_password = lambda *key: kept.get(key)  # type: ignore[attr-defined]
    module.set_password = lambda *key: kept.update({key[:2]: key[2]})  # type: ignore[attr-defined]
    module.delete_password = lambda *key: kept.pop(key)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", module)
    return kept


def test_a_token_is_in_the_keyring_alone(tmp_path: Path, keyring: dict[tuple[str, str], str]) -> None:
    assert keep(tmp_path, MADE)
    assert (list(keyring.values()), connection(tmp_path)) == (["secret"], MADE)
    assert not any(b"secret" in each.read_bytes() for each in tmp_path.iterdir())
    assert (disconnect(tmp_path), disconnect(tmp_path), keyring, [*tmp_path.iterdir()]) == (True, False, {}, [])


def test_without_a_keyring_a_token_is_in_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    data = tmp_path / "data"
    assert not keep(data, MADE)
    assert (connection(data), storage_url("", str(data))) == (MADE, MADE.url)
    assert [each.stat().st_mode & 0o777 for each in (data, data / "connection")] == [0o700, 0o600]
    assert storage_url(" sqlite: ", str(data)) == "sqlite:"


@pytest.mark.parametrize("given", ["https://a.example", "https://a.example/", "http://[::1]:8765/mcp"])
def test_a_bare_host_means_its_endpoint(given: str) -> None:
    assert endpoint_url(given) in {"https://a.example/mcp", "http://[::1]:8765/mcp"}


@pytest.mark.parametrize(
    "given",
    [
        *("", "a.example", "http://a.example/mcp", "https://a.example/other", "https://ada@a.example/mcp"),
        *("https://[/mcp", "https://a.example/mcp?x", "file:///mcp", "http://localhost.example/mcp"),
    ],
)
def test_a_token_is_sent_to_no_other_place(given: str) -> None:
    with pytest.raises(InvalidValueError, match="URL must be https"):
        endpoint_url(given)
