"""A new user's machine: an empty home, lamella on it, and Claude Code that knows lamella."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from tests.end_to_end.node_clients import NodeClients, bare_environment
from tests.end_to_end.scripted_messages import Reacts, ScriptedMessages, Seen, Step

_PROC = Path("/proc")

_SETTINGS = {
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    # It shows the model the servers that are up after two seconds, and a busy machine may need more for any.
    "CLAUDE_CODE_MCP_STARTUP_WAIT_MS": "60000",
}


@frozen
class Session:
    """One run of Claude Code: what it printed at its end, and what the model saw before each step."""

    outcome: dict[str, Any]
    seen: list[Seen]

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.outcome["session_id"])

    @property
    def replies(self) -> list[str]:
        """What the tools said to the model."""
        return self.seen[-1].replies


@frozen
class Desk:
    """Everything is in `folder`, which is empty at first."""

    folder: Path
    clients: NodeClients
    home: Path = field(init=False)
    lamella: Path = field(init=False)
    """The command, where its processes can be told from those of others."""

    @home.default
    def _new_home(self) -> Path:
        home = self.folder / "home"
        home.mkdir()
        return home

    @lamella.default
    def _linked(self) -> Path:
        commands = self.folder / "bin"
        commands.mkdir()
        (commands / "lamella").symlink_to(Path(sys.executable).with_name("lamella"))
        return commands / "lamella"

    def repository(self, name: str) -> Path:
        """A new git repository with one commit."""
        place = self.folder / name
        place.mkdir(parents=True)
        (place / "main.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
            self.git(place, *arguments)
        return place

    def git(self, place: Path, *arguments: str) -> None:
        """Runs git as a user who has a name and nothing else configured."""
        who = ["-c", "user.name=A User", "-c", "user.email=user@example.org"]
        environment = bare_environment(self.home, GIT_CONFIG_NOSYSTEM="1")
        subprocess.run(["git", *who, *arguments], cwd=place, env=environment, check=True)

    def claude(self, place: Path, *arguments: str | Path, **more: str) -> str:
        """What `claude` prints when run in `place`."""
        done = self.clients.run("claude", *arguments, home=self.home, folder=place, more={**_SETTINGS, **more})
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def shell(self, place: Path, *arguments: str) -> str:
        """What `lamella` prints when the user runs it in `place`."""
        done = subprocess.run(
            [self.lamella, *arguments],
            cwd=place,
            env=bare_environment(self.home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    def session(
        self,
        place: Path,
        *script: Step | Reacts,
        prompt: str = "Go on.",
        tools: str = "mcp__lamella__*",
        options: Sequence[str] = (),
    ) -> Session:
        """One session in `place`, in which the user says `prompt` and the model follows the script.

        The model may use `tools` without asking; `options` are more options of the command.
        """
        with ScriptedMessages(list(script)) as api:
            printed = self.claude(
                place,
                *("-p", prompt, "--output-format", "json", "--model", "claude-sonnet-4-5"),
                *("--allowedTools", tools, *options),
                ANTHROPIC_BASE_URL=api.url,
                ANTHROPIC_API_KEY="none",
            )
        return Session(json.loads(printed), api.seen)

    def processes(self) -> list[str]:
        """The command lines of the processes of lamella that run now."""
        if _PROC.is_dir():
            lines = [_command_line(each) for each in _PROC.iterdir() if each.name.isdecimal()]
        else:
            listed = subprocess.check_output(["ps", "-A", "-ww", "-o", "command="], text=True)
            lines = listed.splitlines()
        return [line for line in lines if str(self.lamella) in line]


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:  # it has just ended
        return ""
