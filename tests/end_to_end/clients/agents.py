"""Clients other than Claude Code: how each is kept offline, called, and what it calls the tools."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from tests.end_to_end.clients.scripted_messages import Calls
from tests.waiting import HANG_SECONDS

_MODEL = "gpt-5.5"
"""A model that Codex knows, and gives its tool for patches."""


class Agent(Protocol):
    """A client under test."""

    name: str
    """Its name for `lamella setup`."""

    server_tool: str
    """Its name of a tool of the server, with `{}` for the name that the server says."""

    readable: bool
    """True if lamella can read its conversations."""

    ends: bool
    """True if it tells of the end of a session, and gives the hook all the time that it is asked for."""

    def prepare(self, home: Path) -> None:
        """Write settings that keep it off the network, as an existing user may have."""

    def command(self, prompt: str, api: str) -> list[str]:
        """Return the command of a non-interactive session. `api` is the address of the model."""

    def environment(self, api: str) -> dict[str, str]:
        """Return additional environment variables for it."""

    def edits(self, file: Path, old: str, new: str) -> Calls:
        """Return the tool call that replaces a text in a file."""

    def reads(self, file: Path) -> Calls:
        """Return the tool call that reads a file, which some clients require before an edit."""


class Codex:
    """OpenAI's Codex."""

    name = "codex"
    server_tool = "mcp__lamella.{}"
    readable = True
    ends = False

    def prepare(self, home: Path) -> None:
        (home / ".codex").mkdir()
        (home / ".codex" / "config.toml").write_text(f'model = "{_MODEL}"\nmodel_provider = "scripted"\n')

    def command(self, prompt: str, api: str) -> list[str]:
        provider = (
            f'{{name = "scripted", base_url = "{api}/v1", wire_api = "responses", env_key = "SCRIPTED_KEY"}}'
        )
        trusting = ("--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust")
        # Without `required` it doesn't wait for a server on a busy machine.
        more = (f"model_providers.scripted={provider}", "mcp_servers.lamella.required=true")
        patient = f"mcp_servers.lamella.startup_timeout_sec={HANG_SECONDS}"
        options = [word for each in (*more, patient) for word in ("-c", each)]
        return ["codex", "exec", *trusting, *options, prompt]

    def environment(self, api: str) -> dict[str, str]:
        del api
        return {"SCRIPTED_KEY": "none"}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        lines = [*(f"-{each}" for each in old.splitlines()), *(f"+{each}" for each in new.splitlines())]
        patch = ["*** Begin Patch", f"*** Update File: {file.name}", "@@", *lines, "*** End Patch"]
        return Calls("apply_patch", {"input": "\n".join(patch)})

    def reads(self, file: Path) -> Calls:
        return Calls("exec_command", {"cmd": f"cat {file.name}"})


class Gemini:
    """Google's Gemini CLI."""

    name = "gemini"
    server_tool = "mcp_lamella_{}"
    readable = True
    ends = True

    def prepare(self, home: Path) -> None:
        _write_json(home / ".gemini" / "settings.json", _settings("gemini-api-key"))

    def command(self, prompt: str, api: str) -> list[str]:
        del api
        return ["gemini", "--yolo", "--model", "gemini-2.5-pro", "--prompt", prompt]

    def environment(self, api: str) -> dict[str, str]:
        return {"GOOGLE_GEMINI_BASE_URL": api, "GEMINI_API_KEY": "none"}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        said = {"file_path": str(file), "instruction": "Replace it.", "old_string": old, "new_string": new}
        return Calls("replace", said)

    def reads(self, file: Path) -> Calls:
        return Calls("read_file", {"file_path": str(file)})


class Qwen:
    """Alibaba's Qwen Code, a relative of Gemini CLI."""

    name = "qwen"
    server_tool = "mcp__lamella__{}"
    readable = False
    ends = False

    def prepare(self, home: Path) -> None:
        _write_json(home / ".qwen" / "settings.json", _settings("openai"))

    def command(self, prompt: str, api: str) -> list[str]:
        del api
        return ["qwen", "--yolo", "--prompt", prompt]

    def environment(self, api: str) -> dict[str, str]:
        return {"OPENAI_BASE_URL": f"{api}/v1", "OPENAI_API_KEY": "none", "OPENAI_MODEL": _MODEL}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        return Calls("edit", {"file_path": str(file), "old_string": old, "new_string": new})

    def reads(self, file: Path) -> Calls:
        return Calls("read_file", {"file_path": str(file)})


class Copilot:
    """GitHub's Copilot CLI."""

    name = "copilot"
    server_tool = "lamella-{}"
    readable = True
    ends = True

    def prepare(self, home: Path) -> None:
        (home / ".copilot").mkdir()

    def command(self, prompt: str, api: str) -> list[str]:
        del api
        return ["copilot", "--allow-all-tools", "--prompt", prompt]

    def environment(self, api: str) -> dict[str, str]:
        provider = {"COPILOT_PROVIDER_BASE_URL": f"{api}/v1", "COPILOT_PROVIDER_API_KEY": "none"}
        return {"COPILOT_OFFLINE": "true", "COPILOT_MODEL": "scripted", **provider}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        return Calls("edit", {"path": str(file), "old_str": old, "new_str": new})

    def reads(self, file: Path) -> Calls:
        return Calls("view", {"path": str(file)})


class Opencode:
    """opencode."""

    name = "opencode"
    server_tool = "lamella_{}"
    readable = True
    ends = True

    def prepare(self, home: Path) -> None:
        (home / ".config" / "opencode").mkdir(parents=True)

    def command(self, prompt: str, api: str) -> list[str]:
        del api
        return ["opencode", "run", *prompt.split()]  # It puts what has spaces into quotes.

    def environment(self, api: str) -> dict[str, str]:
        options = {"baseURL": f"{api}/v1", "apiKey": "none"}
        provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"scripted": {}}}
        told = {
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "provider": {"scripted": provider},
            "share": "disabled",
            "experimental": {"mcp_timeout": int(HANG_SECONDS * 1000)},
        }
        return {
            "OPENCODE_CONFIG_CONTENT": json.dumps(told),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        }

    def edits(self, file: Path, old: str, new: str) -> Calls:
        return Calls("edit", {"filePath": str(file), "oldString": old, "newString": new})

    def reads(self, file: Path) -> Calls:
        return Calls("read", {"filePath": str(file)})


_PROVIDER = """\
const model = { id: "scripted", name: "it", reasoning: false, input: ["text"], cost: { input: 0, output: 0 } }
const api = { baseUrl: process.env.SCRIPTED_API, apiKey: "none", api: "openai-completions", models: [model] }
export default (pi) => pi.registerProvider("scripted", api)
"""
"""Extension of Pi that gives it a model."""


class Pi:
    """Pi."""

    name = "pi"
    server_tool = "mcp__lamella__{}"
    readable = False
    ends = True

    def prepare(self, home: Path) -> None:
        extensions = home / ".pi" / "agent" / "extensions"
        extensions.mkdir(parents=True)
        (extensions / "scripted.js").write_text(_PROVIDER, encoding="utf-8")

    def command(self, prompt: str, api: str) -> list[str]:
        del api
        return ["pi", "--provider", "scripted", "--model", "scripted", "--print", prompt]

    def environment(self, api: str) -> dict[str, str]:
        return {"SCRIPTED_API": f"{api}/v1", "PI_OFFLINE": "1", "PI_TELEMETRY": "0"}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        return Calls("edit", {"path": str(file), "edits": [{"oldText": old, "newText": new}]})

    def reads(self, file: Path) -> Calls:
        return Calls("read", {"path": str(file)})


FURTHER: tuple[Agent, ...] = (Codex(), Gemini(), Copilot(), Opencode(), Qwen(), Pi())
"""Clients of the installation `node/more`."""


def _settings(login: str) -> dict[str, Any]:
    """Return the settings of Gemini CLI and its relatives."""
    return {
        "security": {"auth": {"selectedType": login}, "folderTrust": {"enabled": False}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }


def _write_json(file: Path, content: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(content), encoding="utf-8")
