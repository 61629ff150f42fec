"""Setup of Claude Code, whose own program installs lamella's plugin."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lamella_adapters.cli.setup.entries import NAME, UnfitFileError, value_at
from lamella_adapters.cli.setup.files import read
from lamella_adapters.cli.setup.machine import UserMachine
from lamella_adapters.cli.setup.plugin import plugin_folder

_PLUGIN = f"{NAME}@{NAME}"
REMOVE_SERVER = f"claude mcp remove --scope user {NAME}"
TWICE = "it has both the plugin and a server, so every tool appears twice; to remove the server"
TOOLS_ALONE = "it has the tools alone, as a server; for hooks too, run this and then setup again"


def has_plugin(home: Path) -> bool:
    """Return True if the plugin is installed and enabled."""
    return value_at(_data(home / "settings.json"), ("enabledPlugins", _PLUGIN)) is True


def lost_folder(home: Path) -> str:
    """Return the plugin's folder if it no longer exists, as after moving lamella; otherwise return empty text."""
    known = value_at(_data(home / "settings.json"), ("extraKnownMarketplaces", NAME, "source", "path"))
    return known if isinstance(known, str) and not Path(known).is_dir() else ""


def has_server(home: Path, machine: UserMachine) -> bool:
    """Return True if the user added the server without the plugin, for all projects."""
    file = home / ".claude.json" if machine.environment.get("CLAUDE_CONFIG_DIR") else machine.home / ".claude.json"
    servers = _data(file).get("mcpServers")
    return isinstance(servers, dict) and NAME in servers


def commands(*, remove: bool) -> Sequence[Sequence[str]]:
    """Return the commands to install the plugin, or to remove it."""
    if remove:
        return (("claude", "plugin", "uninstall", _PLUGIN), ("claude", "plugin", "marketplace", "remove", NAME))
    return (
        ("claude", "plugin", "marketplace", "add", str(plugin_folder())),
        ("claude", "plugin", "install", _PLUGIN),
    )


def _data(path: Path) -> Any:
    try:
        data = json.loads(read(path).content or b"{}")
    except (UnfitFileError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
