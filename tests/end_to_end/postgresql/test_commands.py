"""Commands over PostgreSQL, and what they say where it can't be used."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.domain.errors import StorageError
from lamella.domain.memories.query import Recent
from lamella.settings import Settings
from lamella_adapters.postgresql.database import database
from tests.end_to_end.postgresql.server import Server
from tests.end_to_end.support.command_line import CommandLine, Done
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS, until

QUICK = {"postgresql.database.database._PATIENCE": 0.5}
"""Seconds that a command waits for a server that does not answer."""

PASSWORD = "open-sesame"  # noqa: S105 - of a server of this test


def done(lamella: CommandLine, *arguments: str) -> str:
    """Run a command, which must end well, and return what it has printed."""
    ended = lamella.run(*arguments)
    assert (ended.code, ended.err) == (0, ""), (arguments, ended)
    return ended.out


def test_doctor_finds_tenants_that_are_not_kept_apart(server: Server, lamella: CommandLine) -> None:
    ours = CommandLine(lamella.data, lamella.directory, {"LAMELLA_STORAGE": server.url()})
    ours.saved("One memory.")
    server.run("ALTER TABLE lamella.audit NO FORCE ROW LEVEL SECURITY")
    server.run("ALTER ROLE lamella_app BYPASSRLS")
    try:
        found = ours.run("doctor")
    finally:
        server.run("ALTER ROLE lamella_app NOBYPASSRLS")
    assert found.code == 1
    assert "the role lamella_app may bypass row-level security; row-level security is off for audit" in found.out


def test_who_lacks_rights_is_told_whom_to_ask(server: Server, lamella: CommandLine) -> None:
    ours = CommandLine(lamella.data, lamella.directory, {"LAMELLA_STORAGE": server.url()})
    ours.saved("One memory.")
    for statement in ("CREATE ROLE guest LOGIN", "CREATE DATABASE empty"):
        server.run(statement)
    guest = CommandLine(lamella.data, lamella.directory, {"LAMELLA_STORAGE": server.url(user="guest")})
    early = {"LAMELLA_STORAGE": server.url(user="guest", database="empty")}
    assert "This user has no right to use the memories" in guest.run("doctor").out
    assert "no tables for memories yet" in CommandLine(lamella.data, lamella.directory, early).run("doctor").out
    server.run("GRANT lamella_app TO guest")
    server.run("UPDATE lamella.version SET number = number - 1")
    assert "made this database, and this user has no right to upgrade it" in guest.run("recall", "memory").err
    server.run("UPDATE lamella.version SET number = number + 1")
    done(guest, "recall", "memory")
    server.run("REVOKE INSERT ON lamella.observation FROM lamella_app")
    try:
        assert "DELETE ON observation TO lamella_app" in guest.run("doctor").out
    finally:
        server.run("GRANT INSERT ON lamella.observation TO lamella_app")


Wrong = Callable[[Server], str]


@cases
def test_a_wrong_url_is_told_without_its_password(
    server: Server, tmp_path: Path, wrong: Wrong, reason: str, advice: str
) -> None:
    server.ask_for_password("ada", PASSWORD)
    (tmp_path / "shop").mkdir()
    lamella = CommandLine(tmp_path / "data", tmp_path / "shop", {"LAMELLA_STORAGE": wrong(server)})
    for command in (("recall", "anything"), ("doctor",)):
        ended: Done = lamella.run(*command, limits=QUICK)
        said = ended.out + ended.err
        assert ended.code == 1
        assert reason in said
        assert advice in said
        assert PASSWORD not in said
        assert "wrong" not in said
        assert "Traceback" not in said


def test_the_right_password_opens(server: Server, tmp_path: Path) -> None:
    server.ask_for_password("ada", PASSWORD)
    (tmp_path / "shop").mkdir()
    lamella = CommandLine(
        tmp_path / "data", tmp_path / "shop", {"LAMELLA_STORAGE": server.url(user="ada"), "PGPASSWORD": PASSWORD}
    )
    lamella.saved("One memory.")
    assert "ok      rights: " in done(lamella, "doctor")
    assert "warning rights" not in done(lamella, "doctor")


def test_a_password_that_changes_meanwhile_is_told_without_waiting(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 10 * HANG_SECONDS)
    server.ask_for_password("ada", PASSWORD)
    url = f"{server.url(user='ada')}&password={PASSWORD}"
    call = Call(directory=tmp_path)
    with running(Settings(data_directory=tmp_path / "data", storage=url, embedder="none")) as lamella:
        lamella.save(call, SaveRequest(text="One memory."))
        server.run("ALTER ROLE ada PASSWORD 'another'")
        server.run("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'ada'")
        for _ in range(2):
            with pytest.raises(StorageError, match="refuses this user or password"):
                lamella.recall(call, RecallRequest(selector=Recent()))
        server.run(f"ALTER ROLE ada PASSWORD '{PASSWORD}'")
        until(lambda: _answers(lamella, call))


def _answers(lamella: Lamella, call: Call) -> bool:
    with suppress(StorageError):
        return "One memory." in lamella.recall(call, RecallRequest(selector=Recent()))
    return False


def test_a_standby_is_told(server: Server, lamella: CommandLine) -> None:
    over = CommandLine(lamella.data, lamella.directory, {"LAMELLA_STORAGE": server.url()})
    with server.standing_by():
        ended = over.run("doctor", limits=QUICK)
    assert ended.code == 1
    assert "accepts no writes at the moment" in ended.out
    assert "one,two" in ended.out
