"""`lamella setup` with real clients, which read what it wrote and say so."""

import re
from pathlib import Path

import pytest

from lamella_adapters.cli.setup.client import CLIENTS
from tests.end_to_end.clients.agents import FURTHER
from tests.end_to_end.clients.desk import SETTINGS, Desk
from tests.end_to_end.clients.node_clients import NodeClients, bare_environment, more_installed, oldest_installed
from tests.end_to_end.clients.plugged import RECALL, SAVE
from tests.end_to_end.clients.scripted_messages import Calls, Says, ScriptedMessages
from tests.end_to_end.support.forked import Command, Done
from tests.end_to_end.support.processes import wait_for_processes_of

_CONNECTED = re.compile(r"lamella.*(connected|enabled|\(local\)|Disabled)", re.IGNORECASE)
"""Words of clients for a server that they know. Gemini CLI doesn't start any in a folder that is not trusted."""

_MORE = pytest.mark.more_clients


def setup(desk: Desk, *arguments: str) -> Done:
    """Run `lamella setup` where the clients are on PATH."""
    environment = bare_environment(desk.home, **{**SETTINGS, "PATH": desk.clients.path})
    return Command((desk.lamella, "setup", *arguments), desk.home, environment).run()


def servers(desk: Desk, client: str, place: Path) -> str:
    """Return what a client says of its servers."""
    listed = desk.clients.run(client, "mcp", "list", home=desk.home, folder=place)
    assert listed.returncode == 0, listed
    return listed.stdout + listed.stderr


def shows_and_forgets(client: str, desk: Desk) -> None:
    """Connect and disconnect a client, and have it list its servers after each."""
    place = desk.repository("project")
    done = setup(desk, client, "--yes")
    assert (done.code, done.err) == (0, ""), done
    assert _CONNECTED.search(servers(desk, client, place))
    assert setup(desk, client, "--yes").out == f"{client}: connected already.\n"
    assert setup(desk, client, "--remove", "--yes").code == 0
    assert str(desk.lamella) not in servers(desk, client, place)


@_MORE
@pytest.mark.parametrize("client", [each.name for each in FURTHER])
def test_further_clients_list_the_server_until_it_is_removed(client: str, tmp_path: Path) -> None:
    shows_and_forgets(client, Desk(tmp_path, more_installed()))


@_MORE
def test_codex_prints_no_warning_of_a_hook(tmp_path: Path) -> None:
    desk, (codex, *_) = Desk(tmp_path, more_installed()), FURTHER
    place = desk.repository("project")
    codex.prepare(desk.home)
    assert setup(desk, "codex", "--yes").code == 0
    with ScriptedMessages([Says("Done.")]) as api:
        more = codex.environment(api.url)
        done = desk.clients.run(*codex.command("Go on.", api.url), home=desk.home, folder=place, more=more)
    wait_for_processes_of(desk.folder)
    assert (done.returncode, "clamping" in done.stdout + done.stderr) == (0, False), done


@_MORE
def test_the_oldest_claude_code_that_is_accepted_takes_the_plugin_and_runs_its_hooks(tmp_path: Path) -> None:
    desk = Desk(tmp_path, oldest_installed())
    version = CLIENTS["claude-code"].needs
    assert desk.claude(desk.home, "--version") == f"{version} (Claude Code)\n"
    assert setup(desk, "claude-code", "--yes").code == 0
    place = desk.repository("project")
    writes = Calls("Write", {"file_path": str(place / "one.txt"), "content": "One.\n"})
    tools = "Write,mcp__plugin_lamella_lamella__*"
    session = desk.session(place, writes, Says("Done."), tools=tools)
    # It shows the tools of a server as soon as that has started.
    assert {SAVE, RECALL} <= {tool for each in session.seen for tool in each.tools}
    assert "+1\t-0\t" in desk.shell(place, "ledger", "one.txt")


def test_claude_code_gets_the_plugin_by_its_own_program(tmp_path: Path, node_clients: NodeClients) -> None:
    desk = Desk(tmp_path, node_clients)
    assert setup(desk, "claude-code", "--yes").code == 0
    assert "lamella@lamella" in desk.claude(desk.home, "plugin", "list")
    assert setup(desk, "claude-code", "--yes").out == "claude-code: connected already.\n"
    desk.adds_server()
    twice = setup(desk, "claude-code", "--yes")
    assert (twice.code, "so every tool appears twice" in twice.out) == (1, True)
    assert setup(desk, "claude-code", "--remove", "--yes").code == 0
    assert "lamella@lamella" not in desk.claude(desk.home, "plugin", "list")
