"""Import of the SDK without what a server on stdin and stdout never uses."""

import subprocess
import sys

PROGRAM = """
import sys, lamella_adapters.mcp.serve
print({"cryptography", "mcp.client.client", "mcp.server.mcpserver"} & set(sys.modules))
import mcp
print(hasattr(mcp, "nothing"), hasattr(mcp, "nothing"))
mcp.stdio_client
from mcp.server import MCPServer
from mcp.client import Client
print("imported")
"""


def test_a_server_imports_nothing_that_it_never_uses_and_every_name_of_the_sdk_can_be_imported_later() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\nFalse False\nimported\n"
