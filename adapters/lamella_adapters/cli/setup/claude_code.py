"""Claude Code, which takes lamella as a plugin, by its own program."""

import json
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lamella_adapters.cli.setup.entries import NAME, UnfitFileError
from lamella_adapters.cli.setup.files import read
from lamella_adapters.cli.setup.place import Place
from lamella_adapters.cli.setup.plugin import plugin_folder

_PLUGIN = f"{NAME}@{NAME}"
_SECONDS = 120

REMOVE_SERVER = f"claude mcp remove --scope user {NAME}"
TWICE = f"it has both the plugin and a server, so every tool is there twice; to remove the server: {REMOVE_SERVER}"
TOOLS_ALONE = f"it has the tools alone, as a server; for hooks too, say this and try again: {REMOVE_SERVER}"


def has_plugin(home: Path) -> bool:
    """Return True if the plugin is installed and not switched off."""
    enabled = _data(home / "settings.json").get("enabledPlugins")
    return isinstance(enabled, dict) and enabled.get(_PLUGIN) is True


def has_server(home: Path, place: Place) -> bool:
    """Return True if the server was added by hand, for all projects."""
    file = home / ".claude.json" if place.environment.get("CLAUDE_CONFIG_DIR") else place.home / ".claude.json"
    servers = _data(file).get("mcpServers")
    return isinstance(servers, dict) and NAME in servers


def commands(*, remove: bool) -> Sequence[Sequence[str]]:
    """Return the commands that install the plugin, or remove it."""
    if remove:
        return (("claude", "plugin", "uninstall", _PLUGIN), ("claude", "plugin", "marketplace", "remove", NAME))
    return (("claude", "plugin", "install", NAME, "--marketplace", str(plugin_folder())),)


def run(place: Place, command: Sequence[str]) -> None:
    """Run a command of Claude Code.

    Raises:
        UnfitFileError: It fails.
    """
    program = place.program(command[0]) or command[0]
    try:
        done = subprocess.run(  # noqa: S603 - a program that the user has installed
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
            env=dict(place.environment),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnfitFileError(f"`{shlex.join(command)}` failed: {type(error).__name__}") from None
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise UnfitFileError(f"`{shlex.join(command)}` failed: {said}")


def _data(path: Path) -> Any:
    try:
        data = json.loads(read(path).content or b"{}")
    except (UnfitFileError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
