"""Clients of another installation, `node/others`."""

from pathlib import Path

from tests.end_to_end.clients.agents import Agent, Opencode
from tests.end_to_end.clients.scripted_messages import Calls
from tests.waiting import HANG_SECONDS


class Kilo(Opencode):
    """Kilo, a relative of opencode."""

    name = "kilo"

    def prepare(self, home: Path) -> None:
        (home / ".config" / "kilo").mkdir(parents=True)

    def command(self, prompt: str, api: str) -> list[str]:
        del api
        return ["kilo", "run", "--auto", *prompt.split()]

    def environment(self, api: str) -> dict[str, str]:
        told = {f"KILO{each.removeprefix('OPENCODE')}": value for each, value in super().environment(api).items()}
        return {**told, "KILO_TELEMETRY_LEVEL": "off"}


class Cline:
    """Cline."""

    name = "cline"
    server_tool = "lamella__{}"
    readable = False
    ends = False

    def prepare(self, home: Path) -> None:
        (home / ".cline").mkdir()

    def command(self, prompt: str, api: str) -> list[str]:
        known = f"cline auth -p openai -k none -m scripted -b {api}/v1 >&2"
        return ["sh", "-c", f'{known} && exec cline -P openai-compatible -m scripted --json "$0"', prompt]

    def environment(self, api: str) -> dict[str, str]:
        del api
        patient = {"CLINE_PLUGIN_IMPORT_TIMEOUT_MS": str(int(HANG_SECONDS * 1000))}
        # Its hub would outlive the session.
        return {"CLINE_SESSION_BACKEND_MODE": "local", "CLINE_NO_AUTO_UPDATE": "1", **patient}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        return Calls("editor", {"path": str(file), "old_text": old, "new_text": new})

    def reads(self, file: Path) -> Calls:
        return Calls("read_files", {"files": [{"path": str(file)}]})


class Continue:
    """Continue's `cn`, which runs no hooks."""

    name = "continue"
    server_tool = "{}"
    readable = False
    ends = False

    def prepare(self, home: Path) -> None:
        (home / ".continue").mkdir()
        (home / ".continue" / "config.yaml").write_text(
            "name: Mine\nversion: 1.0.0\nschema: v1\nmodels:\n- name: scripted\n  provider: openai\n"
            "  model: scripted\n  apiKey: none\n  apiBase: http://nowhere/v1\n  capabilities: [tool_use]\n"
        )

    def command(self, prompt: str, api: str) -> list[str]:
        known = f'sed -i.bak "s|http://.*/v1|{api}/v1|" ~/.continue/config.yaml'
        return ["sh", "-c", f'{known} && exec cn -p --auto "$0"', prompt]

    def environment(self, api: str) -> dict[str, str]:
        del api
        return {"CONTINUE_TELEMETRY_ENABLED": "0"}

    def edits(self, file: Path, old: str, new: str) -> Calls:
        return Calls("Edit", {"file_path": str(file), "old_string": old, "new_string": new})

    def reads(self, file: Path) -> Calls:
        return Calls("Read", {"filepath": str(file)})


OTHERS: tuple[Agent, ...] = (Kilo(), Cline())
"""Clients with hooks. Only `make test-clients` installs them."""

INSTRUCTED: tuple[Agent, ...] = (Continue(),)
"""Clients whose instructions stand for hooks."""
