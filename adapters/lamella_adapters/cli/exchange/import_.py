"""The command that takes over what other programs have recorded; each of them is a command of its own."""

from collections.abc import Mapping

import click

from lamella_adapters.cli.commands import LazyGroup

_CONVERSATIONS = "lamella_adapters.cli.exchange.import_conversations"

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
}


@click.group("import", cls=LazyGroup, known=_SOURCES, for_files="file")
def import_() -> None:
    """Take over what was exported, or what other programs have recorded.

    An export of lamella needs no name: lamella import FILE
    """
