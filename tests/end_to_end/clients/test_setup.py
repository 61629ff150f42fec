"""`lamella setup` with real clients, which read what it wrote and say so."""

import re
from pathlib import Path

import pytest

from tests.end_to_end.clients.desk import SETTINGS, Desk
from tests.end_to_end.clients.node_clients import NodeClients, bare_environment, more_installed
from tests.end_to_end.support.forked import Command, Done

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


def test_codex_lists_the_server_until_it_is_removed(tmp_path: Path, node_clients: NodeClients) -> None:
    shows_and_forgets("codex", Desk(tmp_path, node_clients))


@_MORE
@pytest.mark.parametrize("client", ["gemini", "copilot", "opencode", "qwen"])
def test_further_clients_list_the_server_until_it_is_removed(client: str, tmp_path: Path) -> None:
    shows_and_forgets(client, Desk(tmp_path, more_installed()))


def test_claude_code_gets_the_plugin_by_its_own_program(tmp_path: Path, node_clients: NodeClients) -> None:
    desk = Desk(tmp_path, node_clients)
    assert setup(desk, "claude-code", "--yes").code == 0
    assert "lamella@lamella" in desk.claude(desk.home, "plugin", "list")
    assert setup(desk, "claude-code", "--yes").out == "claude-code: connected already.\n"
    desk.adds_server()
    twice = setup(desk, "claude-code", "--yes")
    assert (twice.code, "so every tool is there twice" in twice.out) == (1, True)
    assert setup(desk, "claude-code", "--remove", "--yes").code == 0
    assert "lamella@lamella" not in desk.claude(desk.home, "plugin", "list")
