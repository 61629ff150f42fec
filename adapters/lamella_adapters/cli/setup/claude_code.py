"""Setup of Claude Code, whose own program installs lamella's plugin."""

import json
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lamella_adapters.cli.setup.entries import NAME, UnfitFileError, value_at
from lamella_adapters.cli.setup.files import read
from lamella_adapters.cli.setup.machine import UserMachine
from lamella_adapters.cli.setup.plugin import plugin_folder

_PLUGIN = f"{NAME}@{NAME}"
_SECONDS = 120
_VERSION_SECONDS = 10

_NEEDED = (2, 1, 197)
"""Oldest version tried with the plugin; npm installs it with Node below 22."""

UPDATE = "claude update"
REMOVE_SERVER = f"claude mcp remove --scope user {NAME}"
TWICE = "it has both the plugin and a server, so every tool is there twice; to remove the server"
TOOLS_ALONE = "it has the tools alone, as a server; for hooks too, run this and then setup again"


def has_plugin(home: Path) -> bool:
    """Return True if the plugin is installed and enabled."""
    enabled = _data(home / "settings.json").get("enabledPlugins")
    return isinstance(enabled, dict) and enabled.get(_PLUGIN) is True


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


def outdated(machine: UserMachine) -> str:
    """Return a sentence about a version too old for the plugin, to be followed by `UPDATE`.

    Return empty text if Claude Code is new enough, missing, or doesn't answer in time.
    """
    if machine.program("claude") is None:
        return ""
    try:
        found = re.match(r"(\d+)\.(\d+)\.(\d+)", run(machine, ("claude", "--version"), seconds=_VERSION_SECONDS))
    except UnfitFileError:
        return ""
    if found is None or tuple(map(int, found.groups())) >= _NEEDED:
        return ""
    return f"its version is {found[0]}, and lamella needs {'.'.join(map(str, _NEEDED))}; update it"


def run(machine: UserMachine, command: Sequence[str], *, seconds: float = _SECONDS) -> str:
    """Run Claude Code's program and return its output.

    Run it in the user's home, so that no repository affects it.

    Raises:
        UnfitFileError: The program fails, or takes longer than `seconds`.
    """
    program = machine.program(command[0]) or command[0]
    try:
        with (
            subprocess.Popen(  # noqa: S603 - a program that the user has installed
                [program, *command[1:]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env=dict(machine.environment),
                cwd=machine.home,
                process_group=0,
            ) as process
        ):
            try:
                out, err = process.communicate(timeout=seconds)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                # The program may be a script whose children keep the pipes open.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnfitFileError(f"`{shlex.join(command)}` failed: {type(error).__name__}") from None
    if process.returncode:
        raise UnfitFileError(f"`{shlex.join(command)}` failed: {' '.join((err or out).split())}")
    return out


def _data(path: Path) -> Any:
    try:
        data = json.loads(read(path).content or b"{}")
    except (UnfitFileError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
