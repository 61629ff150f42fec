"""Machines connected with `lamella connect`: their tools and hooks work over HTTP, without the database."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from attrs import define

from tests import postgres
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.hooks.drain_kills import captured, edited
from tests.end_to_end.hooks.place import CODE, FILE, Place, without_settings
from tests.end_to_end.http.test_calls import token
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.http_server import serving
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE, Tools
from tests.unit.support.edits import removed
from tests.waiting import until
from tests.words_only import WORDS_ONLY

REMOTE = "https://example.com/shop.git"
STORED = f"SELECT tenant, author, source, title FROM {postgres.SCHEMA}.observation ORDER BY source, title"  # noqa: S608 - our own


@define
class Person:
    """A person's machine, with a clone of the team's repository."""

    line: CommandLine
    place: Place

    @classmethod
    def at(cls, folder: Path) -> "Person":
        origin = folder.parent / "origin"
        if not origin.exists():
            shop = Repository.made(origin)
            shop.write("tax.py", "one = 1\n")
            shop.write("src/pay.py", FILE)
            shop.commit()
            shop.git("remote", "add", "origin", REMOTE)
        shutil.copytree(origin, folder / "shop")
        return cls(
            CommandLine(folder / "data", folder / "shop", {"TZ": "UTC"}), Place(folder / "data", folder / "shop")
        )

    def connect(self, url: str, secret: str) -> str:
        done = self.line.run("connect", url, "--yes", stdin=secret.encode())
        return done.out + done.err

    def change(self) -> None:
        """Remove code by an edit, and change a file by a command, as hooks report both."""
        (self.line.directory / "tax.py").write_text("one = 2\n")
        event, folder = "PostToolUse", str(self.line.directory)
        edit = {"path": f"{folder}/src/pay.py", "hunks": removed(CODE), "reason": "Drop the retries."}
        captured(self.line.data, 1, event=event, tool="Edit", directory=folder, **edit)
        captured(self.line.data, 2, event=event, tool="Bash", directory=folder, command="make", reason="Why.")

    def drain(self) -> int:
        """Store pending captures. Return the number of the remaining ones."""
        self.line.run("drain")
        return len([*(self.line.data / "spool").rglob("*.json")])

    @contextmanager
    def session(self, **settings: str) -> Iterator[Tools]:
        with RawClient(Command(SERVE, self.line.directory, {**self.line.environment, **settings})) as client:
            yield Tools(client)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Return the command line of the server's machine, with an empty storage on PostgreSQL."""
    postgres.empty()
    without_settings(monkeypatch)
    (tmp_path / "work").mkdir()
    settings = {**WORDS_ONLY, "TZ": "UTC", "LAMELLA_STORAGE": postgres.location()}
    return CommandLine(tmp_path / "server", tmp_path / "work", settings)


@pytest.fixture
def tokens(home: CommandLine) -> dict[str, str]:
    """Return an access token of each person: ada and bob are of one tenant, eve of another."""
    tenants = {"ada": "ours", "bob": "ours", "eve": "theirs"}
    return {name: token(home, "--tenant", tenant, "--author", name) for name, tenant in tenants.items()}


def test_captures_and_memories_reach_one_tenant(home: CommandLine, tokens: dict[str, str], tmp_path: Path) -> None:
    with serving(home.directory, home.environment) as server:
        ada, bob, eve = team = [Person.at(tmp_path / name) for name in tokens]
        for secret, person in zip(tokens.values(), team, strict=True):
            said = person.connect(server.url, secret)
            assert f"Connected to {server.url}. The token is in a private file." in said
        ada.change()
        shutil.copytree(ada.line.data / "spool", tmp_path / "spool")
        assert ada.drain() == 0
        # As after a kill between the server's acknowledgement and deleting the captures.
        shutil.copytree(tmp_path / "spool", ada.line.data / "spool", dirs_exist_ok=True)
        assert ada.drain() == 0
        with ada.session() as tools:
            tools.text("save_memory", text="The provider bills each attempt.", source="decision", paths=["a.py"])
            tools.text("save_memory", text="Ada indents with tabs.", everywhere=True)
            refused = tools.call("save_memory", text="Outside.", paths=["/etc/passwd"])
            assert "is absolute. Give paths relative to the project's root." in refused[1]
            until(lambda: "Ada indents" in (ada.place.start(f"a-{uuid4()}") or ""))
        with ada.session(LAMELLA_EVERYWHERE="off", LAMELLA_ALL_PROJECTS="on") as tools:
            refused = tools.call("save_memory", text="Ada indents twice.", everywhere=True)
            assert "LAMELLA_EVERYWHERE is off" in refused[1]
            assert "No memories" in tools.call("recall", query="indents")[1]
            assert "The provider bills" in tools.text("recall", query="provider")
            assert "all_projects" not in str(tools.request("tools/list"))
        assert postgres.administer(STORED) == [
            ("ours", "ada", "command", "Why."),
            ("ours", "ada", "decision", "The provider bills each attempt."),
            ("ours", "ada", "edit", "Drop the retries."),
            ("ours", "ada", "manual", "Ada indents with tabs."),
        ]
        with bob.session() as tools:
            assert "The provider bills" in tools.text("recall", query="provider")
            until(lambda: "The provider bills" in (bob.place.start(f"b-{uuid4()}") or ""))
        assert "Drop the retries." in (bob.place.edit() or "")
        assert "Ada indents" not in (bob.place.start("b-2") or "")
        with eve.session() as tools:
            assert "No memories" in tools.call("recall", query="provider")[1]
            assert eve.drain() == 0
        assert eve.place.answers() == [None, None, None]
        assert f"ok      connection: {server.url} answers, and accepts the token." in eve.line.run("doctor").out
        assert f"place       {server.url}" in ada.line.run("status").out
        assert "This can't be changed over HTTP." in ada.line.run("save", "By hand.").err
        assert "Disconnected from the server." in ada.line.run("connect", "--remove", "--yes").out
        assert f"place       {ada.line.data}" in ada.line.run("status").out


def test_while_the_server_is_away_captures_wait_and_hooks_answer(
    home: CommandLine, tokens: dict[str, str], tmp_path: Path
) -> None:
    ada = Person.at(tmp_path / "ada")
    with serving(home.directory, home.environment) as server:
        ada.connect(server.url, tokens["ada"])
        with ada.session() as tools:
            tools.text("save_memory", text="The provider bills each attempt.", source="decision")
            until(lambda: "The provider bills" in (ada.place.start(f"a-{uuid4()}") or ""))
        port = server.port
    for number in range(3):
        edited(ada.line.data, number, ada.line.directory, path=f"{number}.py")
    assert ada.drain() == 3
    assert "The provider bills" in (ada.place.start("a-away") or "")
    with ada.session() as tools:
        assert "Captures wait on this machine meanwhile." in tools.call("recall", query="provider")[1]
    assert f"fault   connection: No server of lamella answers at {server.url}." in ada.line.run("doctor").out
    with serving(home.directory, home.environment, "--port", str(port)):
        assert ada.drain() == 0
    titles = [title for *_, source, title in postgres.administer(STORED) if source == "edit"]
    assert titles == [f"Compute that, number {number}." for number in range(3)]


def test_captures_and_the_copy_stay_apart(home: CommandLine, tokens: dict[str, str], tmp_path: Path) -> None:
    ada, stored = Person.at(tmp_path / "ada"), f"SELECT tenant FROM {postgres.SCHEMA}.observation"  # noqa: S608 - our own
    edited(ada.line.data, 1, ada.line.directory, path="before.py")
    with serving(home.directory, home.environment) as server:
        ada.connect(server.url, tokens["ada"])
        assert (ada.drain(), postgres.administer(stored)) == (1, [])
        edited(ada.line.data, 2, ada.line.directory, path="ours.py")
        ada.connect(server.url, tokens["eve"])
        assert (ada.drain(), postgres.administer(stored)) == (2, [])
        edited(ada.line.data, 3, ada.line.directory, path="theirs.py")
        assert (ada.drain(), postgres.administer(stored)) == (2, [("theirs",)])
        assert "number 3" in ada.line.run("recall", "compute").out
        ada.connect(server.url, token(home, "--tenant", "ours", "--author", "ada"))
        assert ada.drain() == 1
        assert "number 2" in ada.line.run("recall", "compute").out
        assert "number 3" not in ada.line.run("recall", "compute").out
        ada.line.run("connect", "--remove", "--yes")
        assert ada.drain() == 0
        assert "number 1" in ada.line.run("recall", "compute").out


def test_what_is_wrong_with_connections_is_told(home: CommandLine, tokens: dict[str, str], tmp_path: Path) -> None:
    ada = Person.at(tmp_path / "ada")
    reading, confined = token(home, "--read-only"), token(home, "--project", "shop")
    with serving(home.directory, home.environment) as server:
        assert "No token was given" in ada.connect(server.url, "")
        assert "refuses the token: " in ada.connect(server.url, "wrong")
        assert "The token has no right to do this: " in ada.connect(server.url, reading)
        assert "A token of one project can't serve hooks" in ada.connect(server.url, confined)
        assert "There is no MCP server at" in ada.connect(f"{server.url}/other/mcp", tokens["ada"])
        invalid = server.caller(None, token=tokens["ada"], lamella_toolset="hooks")
        for request in ("{}", '["close", []]', '["record", ["p", [{"id": 1}]]]'):
            assert "invalid" in json.loads(invalid.call("hooks", request=request).text)
    with serving(home.directory, home.environment, "--read-only") as server:
        assert "The server may have an older lamella, or run with --read-only." in ada.connect(
            server.url, tokens["ada"]
        )
    assert "No server of lamella answers at" in ada.connect(server.url, tokens["ada"])
    assert "URL must be https://HOST[:PORT]/mcp" in ada.connect("http://memory.example.com/mcp", tokens["ada"])
    assert "Give either URL or --remove." in ada.line.run("connect").err
    assert "No server is connected." in ada.line.run("connect", "--remove").out
    assert not (ada.line.data / "connection").exists()
    refused = ada.line.run("recall", env={"LAMELLA_STORAGE": "https://memory.example.com/mcp"}).err
    assert "This machine isn't connected to https://memory.example.com/mcp." in refused
