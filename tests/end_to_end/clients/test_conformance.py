"""The official conformance suite against our server over HTTP, which is the only transport that it speaks."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.clients import conformance_server
from tests.end_to_end.clients.node_clients import NodeClients
from tests.end_to_end.support.unhurried import ROOT
from tests.waiting import HANG_SECONDS

APPLICABLE = [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
]

NO_MEDIA = "it needs a tool that answers with more than text, and lamella's answer in text only"
NO_ASKING_BACK = "it needs a tool that asks the client something, and lamella's never do"
NO_PROMPTS = "it asks for fixture prompts"
NO_SUBSCRIPTIONS = "lamella's resources can't be subscribed to"
FIXTURE_RESOURCE = "it reads a resource of its own; lamella's are memories"

INAPPLICABLE = {
    "logging-set-level": "lamella logs to stderr, not to the client",
    "completion-complete": "lamella completes no arguments",
    "tools-call-image": NO_MEDIA,
    "tools-call-audio": NO_MEDIA,
    "tools-call-embedded-resource": NO_MEDIA,
    "tools-call-mixed-content": NO_MEDIA,
    "tools-call-with-logging": "it needs a tool that logs to the client",
    "tools-call-with-progress": "it needs a tool that reports progress, and lamella's are done at once",
    "tools-call-sampling": NO_ASKING_BACK,
    "tools-call-elicitation": NO_ASKING_BACK,
    "elicitation-sep1034-defaults": NO_ASKING_BACK,
    "elicitation-sep1330-enums": NO_ASKING_BACK,
    "json-schema-2020-12": "it needs a tool whose schema has definitions, and lamella's are flat",
    "server-sse-multiple-streams": "it opens streams of one session, and lamella keeps no sessions",
    "server-sse-polling": "it needs a tool that ends its own HTTP stream, and lamella answers in JSON",
    "resources-read-text": FIXTURE_RESOURCE,
    "resources-read-binary": FIXTURE_RESOURCE,
    "resources-templates-read": FIXTURE_RESOURCE,
    "resources-subscribe": NO_SUBSCRIPTIONS,
    "resources-unsubscribe": NO_SUBSCRIPTIONS,
    "prompts-get-simple": NO_PROMPTS,
    "prompts-get-with-args": NO_PROMPTS,
    "prompts-get-embedded-resource": NO_PROMPTS,
    "prompts-get-with-image": NO_PROMPTS,
}
"""Scenarios that a server of memories can't pass, and why."""


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


@pytest.mark.parametrize("scenario", APPLICABLE)
def test_the_server_conforms(node_clients: NodeClients, url: str, tmp_path: Path, scenario: str) -> None:
    done = conformance(node_clients, tmp_path, "server", "--url", url, "--scenario", scenario)
    assert done.returncode == 0, done.stdout
    assert ", 0 failed, 0 warnings\n" in done.stdout


def test_every_scenario_is_run_or_known_not_to_apply(node_clients: NodeClients, tmp_path: Path) -> None:
    listed = conformance(node_clients, tmp_path, "list", "--server").stdout
    scenarios = [line.split()[1] for line in listed.splitlines() if line.startswith("  - ")]
    assert sorted(scenarios) == sorted([*APPLICABLE, *INAPPLICABLE])
    told = set(
        re.findall(r"`([^`]+)`", (ROOT / "docs" / "http.md").read_text("utf-8").partition("## What it speaks")[2])
    )
    assert told == set(scenarios)
