"""The clients that lamella can be connected to: a row each.

A row says where a client keeps its servers and hooks, and what an entry looks like. What its hooks say and
understand is in the normaliser of the same name.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve

from lamella_adapters.cli.setup.client import Client, Command, Hooks, Servers
from lamella_adapters.cli.setup.entries import NAME
from lamella_adapters.cli.setup.json_text import JSON
from lamella_adapters.cli.setup.toml_text import TOML
from lamella_adapters.cli.setup.yaml_text import YAML

_VERSIONED = evolve(JSON, empty='{\n  "version": 1\n}\n')
"""The format of files that have to say their version."""


def _plain(command: Command) -> Mapping[str, Any]:
    return {"command": command[0], "args": [*command[1:]]}


def _typed(kind: str, **more: Any) -> Callable[[Command], Mapping[str, Any]]:
    return lambda command: {"type": kind, **_plain(command), **more}


def _of_opencode(command: Command) -> Mapping[str, Any]:
    return {"type": "local", "command": [*command], "enabled": True}


def _of_goose(command: Command) -> Mapping[str, Any]:
    return {
        "name": NAME,
        "type": "stdio",
        "cmd": command[0],
        "args": [*command[1:]],
        "enabled": True,
        "timeout": 300,
    }


def _grouped(unit: int) -> Callable[[str, str, int], Mapping[str, Any]]:
    """Return what makes hooks as Claude Code has them, with time limits of so many units a second."""

    def entry(line: str, tools: str, seconds: int) -> Mapping[str, Any]:
        hook = {"type": "command", "command": line, "timeout": seconds * unit}
        return {**({"matcher": tools} if tools else {}), "hooks": [hook]}

    return entry


def _of_copilot(line: str, _: str, seconds: int) -> Mapping[str, Any]:
    return {"type": "command", "bash": line, "timeoutSec": seconds}


def _of_cursor(line: str, _: str, seconds: int) -> Mapping[str, Any]:
    return {"command": line, "timeout": seconds}


_GEMINI_EVENTS = MappingProxyType(
    {
        "SessionStart": "",
        "BeforeAgent": "",
        "AfterTool": "write_file|replace|run_shell_command",
        "AfterAgent": "",
        "SessionEnd": "",
    }
)
_CODEX_EVENTS = MappingProxyType(
    {
        "SessionStart": "",
        "UserPromptSubmit": "",
        "PreToolUse": "apply_patch|Bash",
        "PostToolUse": "apply_patch|Bash",
        "PreCompact": "",
        "Stop": "",
        "SessionEnd": "",
    }
)
_QWEN_EVENTS = MappingProxyType(
    {
        "SessionStart": "",
        "UserPromptSubmit": "",
        "PostToolUse": "write_file|edit|run_shell_command",
        "PostToolUseFailure": "run_shell_command",
        "PreCompact": "",
        "Stop": "",
        "SessionEnd": "",
    }
)
_COPILOT_EVENTS = MappingProxyType(
    dict.fromkeys(
        (
            "sessionStart",
            "userPromptSubmitted",
            "preToolUse",
            "postToolUse",
            "postToolUseFailure",
            "preCompact",
            "agentStop",
            "sessionEnd",
        ),
        "",
    )
)
_CURSOR_EVENTS = MappingProxyType(
    dict.fromkeys(
        (
            "sessionStart",
            "beforeSubmitPrompt",
            "afterFileEdit",
            "afterShellExecution",
            "preCompact",
            "stop",
            "sessionEnd",
        ),
        "",
    )
)

_ROWS = (
    Client(
        name="claude-code",
        title="Claude Code",
        program="claude",
        folder="~/.claude",
        variable="CLAUDE_CONFIG_DIR",
    ),
    Client(
        name="codex",
        title="Codex",
        program="codex",
        folder="~/.codex",
        variable="CODEX_HOME",
        servers=Servers(files=("config.toml",), format=TOML, path=("mcp_servers",), entry=_plain),
        hooks=Hooks(
            file="hooks.json",
            events=_CODEX_EVENTS,
            entry=_grouped(1),
            # It shortens a longer one, and prints a warning in each session.
            limits={"SessionEnd": 3},
            trust="Codex runs the hooks after you have trusted them in /hooks",
        ),
    ),
    Client(
        name="gemini",
        title="Gemini CLI",
        program="gemini",
        folder="~/.gemini",
        # Of Antigravity, which keeps its settings in the same folder.
        others=("antigravity*", "config", "GEMINI.md"),
        servers=Servers(files=("settings.json",), entry=_plain),
        hooks=Hooks(
            file="settings.json",
            events=_GEMINI_EVENTS,
            entry=_grouped(1000),
            trust="Gemini CLI starts servers and hooks only in folders that you trust",
        ),
    ),
    Client(
        name="copilot",
        title="Copilot CLI",
        program="copilot",
        folder="~/.copilot",
        variable="COPILOT_HOME",
        servers=Servers(files=("mcp-config.json",), entry=_typed("local", tools=["*"])),
        hooks=Hooks(file="hooks/lamella.json", events=_COPILOT_EVENTS, format=_VERSIONED, entry=_of_copilot),
    ),
    Client(
        name="opencode",
        title="opencode",
        program="opencode",
        folder="$XDG/opencode",
        servers=Servers(files=("opencode.jsonc", "opencode.json"), path=("mcp",), entry=_of_opencode),
        plugin="plugin/lamella.js",
    ),
    Client(
        name="qwen",
        title="Qwen Code",
        program="qwen",
        folder="~/.qwen",
        variable="QWEN_HOME",
        servers=Servers(files=("settings.json",), entry=_plain),
        hooks=Hooks(file="settings.json", events=_QWEN_EVENTS, entry=_grouped(1)),
    ),
    Client(
        name="cursor",
        title="Cursor",
        program="cursor",
        folder="~/.cursor",
        servers=Servers(files=("mcp.json",), entry=_plain),
        hooks=Hooks(file="hooks.json", events=_CURSOR_EVENTS, format=_VERSIONED, entry=_of_cursor),
    ),
    Client(
        name="continue",
        title="Continue",
        program="cn",
        folder="~/.continue",
        servers=Servers(
            files=("config.yaml",),
            format=evolve(YAML, empty="name: Mine\nversion: 1.0.0\nschema: v1\n"),
            entry=lambda command: {"name": NAME, **_typed("stdio")(command)},
            listed=True,
        ),
    ),
    Client(
        name="vscode",
        title="VS Code",
        program="code",
        folder="$CONFIG/Code/User",
        servers=Servers(files=("mcp.json",), path=("servers",), entry=_typed("stdio")),
    ),
    Client(
        name="zed",
        title="Zed",
        program="zed",
        folder="$XDG/zed",
        windows="$APPDATA/Zed",
        servers=Servers(files=("settings.json",), path=("context_servers",), entry=_plain),
    ),
    Client(
        name="windsurf",
        title="Windsurf",
        program="windsurf",
        folder="~/.codeium/windsurf",
        servers=Servers(files=("mcp_config.json",), entry=_plain),
    ),
    Client(
        name="goose",
        title="goose",
        program="goose",
        folder="$XDG/goose",
        windows="$APPDATA/Block/goose/config",
        servers=Servers(files=("config.yaml",), format=YAML, path=("extensions",), entry=_of_goose),
    ),
    Client(
        name="amp",
        title="Amp",
        program="amp",
        folder="$XDG/amp",
        windows="$APPDATA/amp",
        servers=Servers(files=("settings.json",), path=("amp.mcpServers",), entry=_plain),
    ),
)

CLIENTS: Final[Mapping[str, Client]] = MappingProxyType({each.name: each for each in _ROWS})
"""The clients by name."""
