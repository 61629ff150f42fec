"""Many tenants and many clients behind one server, on PostgreSQL."""

import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tests import postgres
from tests.end_to_end.http.test_calls import token
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.http_server import Caller, HttpServer, serving
from tests.words_only import WORDS_ONLY

TENANTS = ("ours", "theirs")
OPERATIONS = 40
"""Of each of eight clients."""

_BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"


@pytest.fixture
def home(tmp_path: Path) -> CommandLine:
    """Return a command line with an empty storage on PostgreSQL."""
    postgres.empty()
    (tmp_path / "work").mkdir()
    settings = {**WORDS_ONLY, "TZ": "UTC", "LAMELLA_STORAGE": postgres.location()}
    return CommandLine(tmp_path / "data", tmp_path / "work", settings)


@pytest.fixture
def tokens(home: CommandLine) -> dict[str, str]:
    """Return an access token of each tenant."""
    return {tenant: token(home, "--tenant", tenant, "--author", f"author of {tenant}") for tenant in TENANTS}


@pytest.fixture
def server(home: CommandLine, tokens: dict[str, str]) -> Iterator[HttpServer]:
    """Serve it."""
    assert tokens
    with serving(home.directory, home.environment, "--rate", "100000", "--toolset", "all") as started:
        yield started


def live(caller: Caller, tenant: str, seed: int) -> list[str]:
    """Save, recall, read, purge and restore at random. Return text leaked from another tenant."""
    chance, ids, leaks, (other,) = random.Random(seed), list[str](), list[str](), set(TENANTS) - {tenant}  # noqa: S311

    def told(tool: str, **arguments: object) -> str:
        text = caller.call(tool, **arguments).content.decode()
        if f"of {other}" in text:
            leaks.append(text)
        return text

    for number in range(OPERATIONS):
        everywhere = chance.random() < 0.1
        act = chance.choice(["save", "save", "search", "recent", "read", "timeline", "purge", "restore"])
        if act == "save" or not ids:
            text = told("save_memory", text=f"A zebra of {tenant}: {seed}, {number}.", everywhere=everywhere)
            ids += re.findall(r"id: ([0-9a-f-]{36})", text)
        elif act == "search":
            told("recall", query=chance.choice(["zebra", other, f"of {other}", tenant]), limit=20)
        elif act == "recent":
            told("recall", include_purged=True)
        elif act == "read":
            told("get_observations", ids=[chance.choice(ids), chance.choice(known)])
        elif act == "timeline":
            told("timeline", anchor=chance.choice(known))
        else:
            told("recall", ids=[chance.choice(known)], action=act)
        known.extend(ids[-1:])
    return leaks


known: list[str] = ["00000000-0000-4000-8000-000000000000"]
"""Ids of all tenants: each tries those of the others."""


def test_tenants_with_the_same_projects_share_nothing(server: HttpServer, tokens: dict[str, str]) -> None:
    names = [TENANTS[number % 2] for number in range(8)]
    callers = [server.caller("project", token=tokens[name]) for name in names]
    with ThreadPoolExecutor(len(callers)) as threads:
        leaks = list(threads.map(live, callers, names, range(len(callers))))
    assert leaks == [[]] * len(callers)
    of_both = "SELECT count(DISTINCT tenant), count(*) FROM {}.observation"
    ((tenants, memories),) = postgres.administer(of_both.format(postgres.SCHEMA))
    assert (tenants, isinstance(memories, int) and memories > OPERATIONS) == (2, True)
    denied = server.caller("name:project", token=tokens["ours"]).call("recall", query="zebra").text
    assert "of theirs" not in denied


def test_without_tokens_the_tenant_is_that_of_the_storage(home: CommandLine) -> None:
    storage = {"LAMELLA_STORAGE": postgres.location("theirs")}
    with serving(home.directory, {**home.environment, **storage}) as opened:
        assert not opened.caller("project").call("save_memory", text="A memory of theirs.").failed
    assert postgres.administer(f"SELECT tenant FROM {postgres.SCHEMA}.observation") == [("theirs",)]  # noqa: S608 - our own


def test_a_quota_bounds_saves_and_calls_of_its_tenant_alone(home: CommandLine, tokens: dict[str, str]) -> None:
    bounds = ("--saves-a-day", "1", "--calls-a-minute", "3", "--bytes", "2GB")
    line = home.run("tenant", "limit", "ours", *bounds).out
    assert "quota: 2,000,000,000 bytes, 1 save a day, 3 calls a minute" in line
    assert "not a number such as 5000" in home.run("tenant", "limit", "ours", "--bytes", "lots").err
    assert "2,0" not in home.run("tenant", "limit", "ours", "--bytes", "none").out
    watching = token(home, "--metrics")
    with serving(home.directory, home.environment) as server:
        ours, theirs = (server.caller(token=tokens[name]) for name in TENANTS)
        assert [ours.call("save_memory", text=f"Memory {number}.").failed for number in range(2)] == [False, True]
        found, *_, refused = (ours.call("recall", query="memory") for _ in range(3))
        assert "Memory 0." in found.text
        assert (refused.status, 0 < int(refused.headers["retry-after"]) <= 20) == (429, True)
        assert "'ours' has used up its quota of 3 calls a minute. Try again in" in refused.json["error"]
        assert not any(theirs.call("save_memory", text=f"Memory {number}.").failed for number in range(5))
        shown = server.caller(token=watching).ask("GET", "/metrics").content.decode()
    assert 'lamella_tenant_quota_used{quota="saves",tenant="ours"} 1.0' in shown
    assert 'lamella_http_refusals_total{reason="quota"} 1.0' in shown


def test_many_clients_of_many_tenants_share_few_connections(server: HttpServer, home: CommandLine) -> None:
    secrets = [token(home, "--tenant", f"tenant {number}") for number in range(12)]

    def live_shortly(number: int) -> list[int]:
        with closing(Caller(server.port, {"lamella-project": "project"})) as caller:
            caller.headers["authorization"] = f"Bearer {secrets[number % len(secrets)]}"
            saved = caller.call("save_memory", text=f"Memory {number}.")
            return [saved.status, caller.call("recall", query=f"{number}").status]

    with ThreadPoolExecutor(100) as threads:
        statuses = [each for both in threads.map(live_shortly, range(200)) for each in both]
    assert set(statuses) == {200}
    ((backends,),) = postgres.administer(_BACKENDS, f"lamella {server.process.pid}")
    assert isinstance(backends, int)
    assert 0 < backends <= 8


def test_a_database_that_goes_away_is_told_and_found_again(server: HttpServer, tokens: dict[str, str]) -> None:
    caller = server.caller(token=tokens["ours"])
    assert caller.call("recall").status == 200
    postgres.break_connections(f"lamella {server.process.pid}")
    answers = [caller.call("recall") for _ in range(10)]
    assert answers[-1].status == 200
    assert not answers[-1].failed or "again" in answers[-1].text
    assert server.ready()
