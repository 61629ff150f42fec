"""The command that takes over what other programs have recorded; each of them is a command of its own."""

from collections.abc import Mapping

import click

from lamella_adapters.cli.commands import LazyGroup

_CONVERSATIONS = "lamella_adapters.cli.exchange.import_conversations"

_MEMORIES = "lamella_adapters.cli.exchange.import_memories"

_SOURCES: Mapping[str, str] = {
    "file": "lamella_adapters.cli.exchange.import_export:import_export",
    "claude-code": f"{_CONVERSATIONS}:claude_code",
    "codex": f"{_CONVERSATIONS}:codex",
    "gemini": f"{_CONVERSATIONS}:gemini",
    "copilot": f"{_CONVERSATIONS}:copilot",
    "opencode": f"{_CONVERSATIONS}:opencode",
    "cursor": f"{_CONVERSATIONS}:cursor",
    "chatgpt": f"{_CONVERSATIONS}:chatgpt",
    "claude-ai": f"{_CONVERSATIONS}:claude_ai",
    "claude-code-memory": f"{_MEMORIES}:claude_code_memory",
    "codex-memory": f"{_MEMORIES}:codex_memory",
    "claude-mem": f"{_MEMORIES}:claude_mem",
    "server-memory": f"{_MEMORIES}:server_memory",
    "mcp-memory-service": f"{_MEMORIES}:mcp_memory_service",
    "basic-memory": f"{_MEMORIES}:basic_memory",
    "laminark": f"{_MEMORIES}:laminark",
    "engram": f"{_MEMORIES}:engram",
    "mem0": f"{_MEMORIES}:mem0",
}


@click.group(
    "import",
    cls=LazyGroup,
    known=_SOURCES,
    for_files="file",
    short_help="Take over exports, or what other programs have kept.",
)
def import_() -> None:
    """Take over what was exported, or what other programs have recorded.

    An export of lamella needs no name: lamella import FILE
    """
