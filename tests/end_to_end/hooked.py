"""A machine on which the plugin's hooks run, as Claude Code starts them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import field, frozen

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "fixtures" / "hooks"
LAMELLA = Path(sys.executable).with_name("lamella")
IN_TIME_SECONDS = 5.0
"""After which Claude Code would stop a hook."""


@frozen
class Machine:
    """A machine on which the plugin is installed, and the command that it needs; nothing has been linked yet."""

    folder: Path
    environment: dict[str, str] = field(init=False)

    @environment.default
    def _environment(self) -> dict[str, str]:
        (self.folder / "home").mkdir()
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "lamella").symlink_to(LAMELLA)
        shutil.copytree(ROOT / "plugin", self.folder / "plugin")
        return {
            "HOME": str(self.folder / "home"),
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
            "CLAUDE_PLUGIN_ROOT": str(self.folder / "plugin"),
            "CLAUDE_PLUGIN_DATA": str(self.folder / "linked"),
            "CLAUDE_PID": str(os.getpid()),
            "LAMELLA_DATA_DIR": str(self.folder / "data"),
        }

    @property
    def linked(self) -> Path:
        """The plugin's own data."""
        return self.folder / "linked"

    @property
    def data(self) -> Path:
        """Where memories are."""
        return self.folder / "data"

    def started(self, name: str, **more: str) -> subprocess.Popen[bytes]:
        """The hook of an event, which waits for its input."""
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
        """Runs the hook of an event; it must end well, in time, having said nothing."""
        content = (RECORDED / f"{name}.json").read_bytes() if content is None else content
        with self.started(name, **more) as process:
            said, complained = process.communicate(content, timeout=IN_TIME_SECONDS + 15)
        assert (process.returncode, said, complained) == (0, b"", b"")

    def asks(self, payload: dict[str, Any], **more: str) -> str | None:
        """What the hook of an event that Claude Code tells of gives back for the context; it must end well."""
        with self.started(payload["hook_event_name"], **more) as process:
            said, complained = process.communicate(
                json.dumps(payload).encode() + b"\n", timeout=IN_TIME_SECONDS + 15
            )
        assert (process.returncode, complained) == (0, b"")
        if not said:
            return None
        (context,) = json.loads(said).values()
        assert context["hookEventName"] == payload["hook_event_name"]
        return str(context["additionalContext"])

    def spooled(self, data: Path | None = None) -> list[dict[str, Any]]:
        """What waits to be stored."""
        files = sorted(((data or self.data) / "spool").glob("*.json"))
        return [json.loads(each.read_text("utf-8")) for each in files if each.read_bytes().endswith(b"\n")]
