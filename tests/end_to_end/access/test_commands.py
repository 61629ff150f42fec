"""Tokens on the command line: made, listed, revoked, and nowhere but where they were printed."""

import re
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lamella.application.access.tokens import GrantOf
from lamella.domain.access.errors import TokenInvalidError
from lamella.domain.access.grant import Grant, Scope
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Location
from lamella_adapters.postgresql import open_storage
from lamella_adapters.process.system import SystemClock
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.storage import SqliteStorage
from tests import postgres
from tests.end_to_end.support.command_line import CommandLine

SHOP = Location(key=key_of_name("shop"), name="shop", root=Path("/"))
"""Location of a project that a token names before anything is saved in it."""
SECRET = re.compile(r"lamella_token_[0-9a-f]{64}")


@pytest.fixture
def server(lamella: CommandLine) -> Iterator[GrantOf]:
    """A server that is open all the time."""
    storage = SqliteStorage(lamella.data)
    yield GrantOf(storage, SystemClock())
    storage.close()


def made(lamella: CommandLine, *options: str) -> str:
    """Return the secret of a new token."""
    done = lamella.run("token", "create", *options)
    assert done.code == 0, done.err
    secret = done.out.strip()
    assert SECRET.fullmatch(secret)
    assert secret not in done.err
    return secret


def listed(lamella: CommandLine) -> list[list[str]]:
    return [line.split("\t") for line in lamella.run("token", "list").out.splitlines()]


def refused(server: GrantOf, secret: str) -> bool:
    try:
        server(secret)
    except TokenInvalidError:
        return True
    return False


def test_a_token_lets_its_holder_in_until_it_is_revoked(lamella: CommandLine, server: GrantOf) -> None:
    assert lamella.run("token", "list").err == "No tokens yet. Make one: lamella token create --name NAME\n"
    secret = made(lamella, "--name", "laptop", "--project", "shop", "--author", "Ada", "--expires", "30d")
    ((id, *row),) = listed(lamella)
    assert row[:4] == ["laptop", "read and write", SHOP.project_id, "Ada"]
    grant = server(secret)
    assert grant == Grant(
        tenant="default", scopes=Scope.WRITE.held, project=SHOP.project_id, author="Ada", name=f"laptop {id[:8]}"
    )
    revoked = lamella.run("token", "revoke", id[:8])
    assert revoked.out == f"Revoked laptop ({id[:8]}): every server refuses it from now on.\n"
    assert refused(server, secret)
    ((_, *row),) = listed(lamella)
    assert [bool(time) for time in row[4:]] == [True, True, True, True]


def test_the_secret_is_in_no_file_and_files_are_private(lamella: CommandLine, server: GrantOf) -> None:
    secret = made(lamella, "--name", "laptop")
    server(secret)
    lamella.run("token", "list")
    digits = secret.removeprefix("lamella_token_").encode()
    files = [path for path in lamella.data.parent.rglob("*") if path.is_file()]
    assert lamella.data / "registry.db" in files
    for path in files:
        content = path.read_bytes()
        assert digits not in content
        assert bytes.fromhex(digits.decode()) not in content
    for path in (lamella.data, *lamella.data.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_a_registry_of_an_earlier_version_gets_tokens(lamella: CommandLine, server: GrantOf) -> None:
    lamella.saved("Plums are picked late.")
    with closing(apsw.Connection(str(lamella.data / "registry.db"))) as registry:
        registry.execute("DROP TABLE access_token; PRAGMA user_version = 2")
    assert refused(server, f"lamella_token_{'0' * 64}")
    assert not refused(server, made(lamella, "--name", "laptop"))
    assert "Plums" in lamella.run("recall", "plums").out


def test_a_registry_of_an_earlier_version_that_cannot_be_written_lets_nobody_in(
    lamella: CommandLine, server: GrantOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = made(lamella, "--name", "laptop")
    with closing(apsw.Connection(str(lamella.data / "registry.db"))) as registry:
        registry.execute("DROP TABLE access_token; PRAGMA user_version = 2")
    monkeypatch.setattr(Database, "writable", property(lambda _: False))
    assert refused(server, secret)
    assert (server.storage.access_tokens.exist(), server.storage.access_tokens.all("default")) == (False, ())


def test_a_registry_that_is_made_anew_lets_nobody_in(lamella: CommandLine) -> None:
    """The files of the projects, of which it is made, know no tokens."""
    lamella.saved("Plums are picked late.")
    secret = made(lamella, "--name", "laptop")
    (lamella.data / "registry.db").unlink()
    storage = SqliteStorage(lamella.data)
    assert refused(GrantOf(storage, SystemClock()), secret)
    storage.close()
    assert lamella.run("doctor", "--repair", "--yes").code == 0
    assert listed(lamella) == []


def test_a_backup_that_is_put_back_lets_nobody_in_who_was_shut_out(lamella: CommandLine, server: GrantOf) -> None:
    lamella.saved("Plums are picked late.")
    secret = made(lamella, "--name", "laptop")
    backup = lamella.directory / "all.lamella"
    assert lamella.run("backup", str(backup)).code == 0
    lamella.run("token", "revoke", listed(lamella)[0][0])
    restored = lamella.run("restore-backup", str(backup), "--yes")
    assert restored.code == 0, restored.err
    assert refused(server, secret)
    assert len(listed(lamella)) == 1


def test_tenants_of_a_server_have_tokens_of_their_own(lamella: CommandLine) -> None:
    postgres.empty()
    ours = {"LAMELLA_STORAGE": postgres.location("ours")}
    first = lamella.run("token", "create", "--name", "laptop", env=ours)
    other = lamella.run("token", "create", "--name", "desk", "--tenant", "theirs", env=ours)
    storage = open_storage(postgres.location("nobody"), Path())
    grants = [GrantOf(storage, SystemClock())(each.out.strip()) for each in (first, other)]
    assert [each.tenant for each in grants] == ["ours", "theirs"]
    assert storage.access_tokens.all("ours")[0].used_at is not None
    storage.close()
    (mine,) = lamella.run("token", "list", env=ours).out.splitlines()
    (their,) = lamella.run("token", "list", "--tenant", "theirs", env=ours).out.splitlines()
    assert (mine.split("\t")[1], their.split("\t")[1]) == ("laptop", "desk")
    assert lamella.run("token", "revoke", their.split("\t")[0], env=ours).code == 1
    assert lamella.run("token", "revoke", their.split("\t")[0], "--tenant", "theirs", env=ours).code == 0
