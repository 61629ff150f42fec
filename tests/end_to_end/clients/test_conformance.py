"""The official conformance suite against our server over HTTP, which is the only transport that it speaks."""

import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.clients import conformance_server
from tests.end_to_end.clients.node_clients import NodeClients
from tests.end_to_end.support.unhurried import ROOT
from tests.waiting import HANG_SECONDS

SCENARIOS = tomllib.loads(Path(__file__).with_name("scenarios.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the default toolset and two tools of the suite. Yields the address."""
    command = [sys.executable, "-m", conformance_server.__name__, str(tmp_path_factory.mktemp("data"))]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.send_signal(signal.SIGINT)
        assert server.wait(HANG_SECONDS) == 0


def conformance(clients: NodeClients, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return clients.run("conformance", *arguments, home=folder, folder=folder)


@pytest.mark.parametrize("scenario", SCENARIOS["applicable"])
def test_the_server_conforms(node_clients: NodeClients, url: str, tmp_path: Path, scenario: str) -> None:
    done = conformance(node_clients, tmp_path, "server", "--url", url, "--scenario", scenario)
    assert done.returncode == 0, done.stdout
    assert ", 0 failed, 0 warnings\n" in done.stdout


def test_every_scenario_is_run_or_known_not_to_apply(node_clients: NodeClients, tmp_path: Path) -> None:
    listed = conformance(node_clients, tmp_path, "list", "--server").stdout
    scenarios = [line.split()[1] for line in listed.splitlines() if line.startswith("  - ")]
    assert sorted(scenarios) == sorted([*SCENARIOS["applicable"], *SCENARIOS["inapplicable"]])
    told = set(
        re.findall(r"`([^`]+)`", (ROOT / "docs" / "http.md").read_text("utf-8").partition("## What it speaks")[2])
    )
    assert told == set(scenarios)
