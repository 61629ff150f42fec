"""Import of the SDK without what a server on stdin and stdout never uses."""

import subprocess
import sys

import pytest

_SERVER = "import sys, lamella_adapters.mcp.serve"


def _said(*lines: str) -> str:
    command = [sys.executable, "-c", "\n".join([_SERVER, *lines])]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_server_does_not_import_what_it_never_uses() -> None:
    unused = {"cryptography", "mcp.client.client", "mcp.server.mcpserver"}
    assert _said(f"print({unused!r} & set(sys.modules))") == "set()"


@pytest.mark.parametrize(
    "asked", ["from mcp.client import Client", "from mcp.server import MCPServer", "mcp.stdio_client"]
)
def test_every_name_of_the_sdk_can_be_imported_afterwards(asked: str) -> None:
    assert _said("import mcp", asked, "print('imported')") == "imported"


def test_a_name_that_the_sdk_does_not_have_is_missing_as_ever() -> None:
    assert _said("import mcp", "print(hasattr(mcp, 'nothing'), hasattr(mcp, 'nothing'))") == "False False"
