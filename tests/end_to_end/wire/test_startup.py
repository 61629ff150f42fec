"""A server starts with nothing that its first answer doesn't need."""

import json
import subprocess
import sys

AFTER_IMPORT = "import json, sys; import lamella_adapters.mcp; print(json.dumps(sorted(sys.modules)))"
NEEDED_BY_A_CALL_AT_MOST = {
    "apsw",
    "lamella_adapters.claude_code",
    "lamella_adapters.git",
    "lamella_adapters.memory",
    "lamella_adapters.sqlite",
    "lamella_adapters.tokenizers",
    "numpy",
    "platformdirs",
    "rich",
}


def test_importing_the_server_imports_no_adapter_database_or_terminal_library() -> None:
    printed = subprocess.run([sys.executable, "-c", AFTER_IMPORT], check=True, capture_output=True).stdout
    assert NEEDED_BY_A_CALL_AT_MOST & set(json.loads(printed)) == set()
