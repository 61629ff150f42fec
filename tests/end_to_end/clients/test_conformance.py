"""The official conformance suite against our server over HTTP, which is the only transport that it speaks."""

import json
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.end_to_end.clients import conformance_server
from tests.end_to_end.clients.node_clients import NodeClients
from tests.end_to_end.support.unhurried import ROOT
from tests.waiting import HANG_SECONDS

SCENARIOS = tomllib.loads(Path(__file__).with_name("scenarios.toml").read_text("utf-8"))
RESULT = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+")
"""Folder of a scenario's result."""


def test_the_server_passes_every_scenario_that_is_not_known_not_to_apply(
    node_clients: NodeClients, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", conformance_server.__name__, str(tmp_path / "data")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        asked = ("--url", server.stdout.readline().strip(), "--suite", "all", "--output-dir", tmp_path / "results")
        done = node_clients.run("conformance", "server", *asked, home=tmp_path, folder=tmp_path)
        server.send_signal(signal.SIGINT)
        assert server.wait(HANG_SECONDS) == 0

    statuses = {}
    for file in tmp_path.glob("results/*/checks.json"):
        named = RESULT.fullmatch(file.parent.name)
        assert named is not None, file
        statuses[named[1]] = {each["status"] for each in json.loads(file.read_text("utf-8"))}
    passed = [name for name, found in statuses.items() if found == {"SUCCESS"}]
    assert sorted(passed) == sorted(SCENARIOS["applicable"]), done.stdout
    assert sorted(statuses) == sorted([*SCENARIOS["applicable"], *SCENARIOS["inapplicable"]])
    page = (ROOT / "docs" / "http.md").read_text("utf-8").partition("## Check conformance")[2]
    assert {*re.findall(r"`([^`]+)`", page)} == {*statuses}
