"""Import of the SDK without what a server on stdin and stdout never uses."""

import subprocess
import sys

NEEDED_BY_A_CALL = {
    "apsw",
    "numpy",
    "rich",
    *map("lamella_adapters.{}".format, ("git", "hooks", "memory", "sqlite", "tokenizers")),
}
NEVER_NEEDED = {"cryptography", "mcp.client.client", "mcp.server.mcpserver"}
PROGRAM = f"""
import sys, lamella_adapters.mcp.serve
print({NEEDED_BY_A_CALL | NEVER_NEEDED!r} & set(sys.modules))
import mcp
print(hasattr(mcp, "nothing"), hasattr(mcp, "nothing"))
mcp.stdio_client
from mcp.server import MCPServer
from mcp.client import Client
print("imported")
"""


def test_a_server_imports_the_sdk_lazily_and_every_name_can_be_imported_later() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\nFalse False\nimported\n"
