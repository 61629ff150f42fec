"""The command that takes over what other programs have recorded; each of them is a command of its own."""

from collections.abc import Mapping

import click

from lamella_adapters.cli.commands import LazyGroup

_CONVERSATIONS = "lamella_adapters.cli.exchange.import_conversations"

_SOURCES: Mapping[str, str] = {
    "claude-code": f"{_CONVERSATIONS}:claude_code",
    "codex": f"{_CONVERSATIONS}:codex",
    "gemini": f"{_CONVERSATIONS}:gemini",
    "copilot": f"{_CONVERSATIONS}:copilot",
    "opencode": f"{_CONVERSATIONS}:opencode",
    "cursor": f"{_CONVERSATIONS}:cursor",
    "chatgpt": f"{_CONVERSATIONS}:chatgpt",
    "claude-ai": f"{_CONVERSATIONS}:claude_ai",
}

_OWN_FILES: str | None = None
"""Module and name of the command that takes files, folders and `-`."""


@click.group("import", cls=LazyGroup, known=_SOURCES, for_files=_OWN_FILES)
def import_() -> None:
    """Take over what other programs have recorded."""
