"""The clients that run on Node."""

import pytest

from tests.end_to_end.clients.node_clients import NodeClients, installed


@pytest.fixture(scope="session")
def node_clients() -> NodeClients:
    """Return Claude Code and the conformance suite."""
    return installed()
