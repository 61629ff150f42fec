"""Memory programs, each with a small store."""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from lamella.entry_points import adapter
from lamella.ports.peers import ForeignMemory, Peer, Record
from tests.unit.adapters.peers import databases, folders


@frozen
class Program:
    """A memory program.

    Attributes:
        name: Its name.
        make: Makes its store in a home directory, and returns the file or folder.
        home: Environment variable that says where it keeps memories, and the value for a home directory.
    """

    name: str
    make: Callable[[Path], Path]
    home: tuple[str, str] = ("LAMELLA_NONE", "")

    def opened(self, path: Path | None) -> Peer:
        peer: Peer = adapter("peers", self.name)(path)
        return peer


def read(peer: Peer) -> list[Record]:
    """Return all records of all stores."""
    return [record for store in peer.stores() for record in peer.read(store)]


def memories(peer: Peer) -> list[ForeignMemory]:
    """Return all memories."""
    return [each for each in read(peer) if isinstance(each, ForeignMemory)]


PROGRAMS = (
    Program("claude-mem", databases.claude_mem, ("CLAUDE_MEM_DATA_DIR", ".claude-mem")),
    Program("laminark", databases.laminark, ("LAMINARK_DATA_DIR", ".claude/plugins/cache/laminark/data")),
    Program("engram", databases.engram),
    Program(
        "mcp-memory-service", databases.mcp_memory_service, ("MCP_MEMORY_BASE_DIR", ".local/share/mcp-memory")
    ),
    Program("mem0", databases.mem0, ("MEM0_DIR", ".mem0")),
    Program("server-memory", folders.server_memory, ("npm_config_cache", ".npm")),
    Program("basic-memory", folders.basic_memory, ("BASIC_MEMORY_CONFIG_DIR", ".basic-memory")),
    Program("claude-code-memory", folders.claude_code_memory, ("CLAUDE_CONFIG_DIR", ".claude")),
    Program("codex-memory", folders.codex_memory, ("CODEX_HOME", ".codex")),
    Program("rules", folders.rules),
)
"""The programs, each with the store that it keeps itself."""

EXPORTS = (
    Program("claude-mem", databases.claude_mem_export),
    Program("engram", databases.engram_export),
    Program("engram", databases.engram_chunks),
    Program("mcp-memory-service", databases.mcp_memory_export),
    Program("mem0", databases.mem0_export),
)
"""What the programs write for others, which has to be named."""
