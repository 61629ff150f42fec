"""A machine on which the plugin's hooks run, as Claude Code starts them."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from attrs import field, frozen

from lamella_adapters.hooks import hook
from lamella_adapters.hooks.launch.command import hook_command
from tests.end_to_end.support import unhurried
from tests.end_to_end.support.processes import wait_for_processes_of
from tests.end_to_end.support.unhurried import ROOT
from tests.waiting import HANG_SECONDS, contents
from tests.words_only import WORDS_ONLY

RECORDED = ROOT / "tests" / "fixtures" / "hooks"
CLIENTS = sorted(each.name for each in RECORDED.iterdir() if each.is_dir())
"""Clients other than Claude Code, of which there are recorded events."""


@frozen
class Machine:
    """A machine on which the plugin is installed, and the command that it needs; nothing has been linked yet.

    Neither gives up before it is done.
    """

    folder: Path
    environment: dict[str, str] = field(init=False)

    @environment.default
    def _environment(self) -> dict[str, str]:
        (self.folder / "home").mkdir()
        (self.folder / "bin").mkdir()
        unhurried.command(self.folder / "bin" / "lamella")
        shutil.copytree(ROOT / "plugin", self.folder / "plugin")
        unhurried.plugin(self.folder / "plugin")
        return {
            "HOME": str(self.folder / "home"),
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
            "CLAUDE_PLUGIN_ROOT": str(self.folder / "plugin"),
            "CLAUDE_PLUGIN_DATA": str(self.folder / "linked"),
            "CLAUDE_PID": str(os.getpid()),
            "LAMELLA_DATA_DIR": str(self.folder / "data"),
            **WORDS_ONLY,
        }

    @property
    def linked(self) -> Path:
        """The plugin's own data."""
        return self.folder / "linked"

    @property
    def data(self) -> Path:
        """Data directory."""
        return self.folder / "data"

    def started(self, name: str, **more: str) -> subprocess.Popen[bytes]:
        """Start the hook of an event, which waits for its input."""
        hooks = json.loads((self.folder / "plugin" / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
        (hook,) = {each["command"] for matcher in hooks[name.partition("-")[0]] for each in matcher["hooks"]}
        return subprocess.Popen(
            ["sh", "-c", hook],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**self.environment, **more},
            cwd=self.folder,
            start_new_session=True,
        )

    def tell(self, name: str, content: bytes | None = None, **more: str) -> None:
        """Run the hook of an event, which must succeed silently, and wait for its background processes."""
        content = (RECORDED / f"{name}.json").read_bytes() if content is None else content
        with self.started(name, **more) as process:
            said, complained = process.communicate(content, timeout=HANG_SECONDS)
        assert (process.returncode, said, complained) == (0, b"", b"")
        if name.startswith("SessionEnd"):
            wait_for_processes_of(self.folder)

    def tell_as(self, client: str, name: str, content: bytes | None = None, **more: str) -> dict[str, Any] | None:
        """Run the hook of another client's event, which must succeed. Return its output."""
        content = (RECORDED / client / f"{name}.json").read_bytes() if content is None else content
        command = hook_command(client, name.partition("-")[0])
        command = command.replace(str(hook.__file__), str(unhurried.script(self.folder / "script.py")))
        done = subprocess.run(
            ["sh", "-c", command.replace("2>/dev/null", "")],
            input=content,
            capture_output=True,
            env={**self.environment, **more},
            cwd=self.folder,
            timeout=HANG_SECONDS,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        printed: dict[str, Any] | None = json.loads(done.stdout) if done.stdout else None
        return printed

    def asks(self, payload: dict[str, Any], **more: str) -> str | None:
        """Run the hook of an event, which must succeed. Return its context."""
        with self.started(payload["hook_event_name"], **more) as process:
            said, complained = process.communicate(json.dumps(payload).encode() + b"\n", timeout=HANG_SECONDS)
        assert (process.returncode, complained) == (0, b"")
        if not said:
            return None
        output = json.loads(said)
        context = output.pop("hookSpecificOutput")
        assert list(output) == ["systemMessage"] * (payload["hook_event_name"] == "SessionStart")
        assert context["hookEventName"] == payload["hook_event_name"]
        return str(context["additionalContext"])

    def spooled(self, data: Path | None = None) -> list[dict[str, Any]]:
        """Return the complete pending records."""
        found = contents((data or self.data) / "spool", "*.json")
        return [json.loads(each) for each in found.values() if each.endswith(b"\n")]
