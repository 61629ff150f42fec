"""A conversation with the real Claude Code, in which the user says one thing after the other."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Self

from attrs import define, field, frozen

from tests.end_to_end.clients.desk import SETTINGS, Desk
from tests.end_to_end.clients.node_clients import bare_environment
from tests.end_to_end.clients.plugged import TOOLS, contexts
from tests.end_to_end.clients.scripted_messages import Reacts, Says, ScriptedMessages, Seen, Step
from tests.end_to_end.support.processes import wait_for_processes_of


@frozen
class Turn:
    """What the user said, and what the model saw for the first time because of that."""

    prompt: str
    new: Seen

    @property
    def contexts(self) -> dict[str, str]:
        """Context that hooks gave, by event."""
        return contexts(self.new)

    @property
    def replies(self) -> list[str]:
        """Replies of the tools."""
        return self.new.replies


@define
class Conversation:
    """One run of `claude` in a folder, of the user of `desk`; `more` is added to its environment."""

    desk: Desk
    place: Path
    more: dict[str, str] = field(factory=dict)
    script: list[Step | Reacts] = field(init=False, factory=list)
    """The next steps of the model; a step may put others before them."""

    _api: ScriptedMessages = field(init=False)
    _process: subprocess.Popen[str] = field(init=False)
    _errors: IO[str] = field(init=False)
    _seen: int = field(init=False, default=0)
    """Number of messages that the model has seen."""

    def __enter__(self) -> Self:
        self._api = ScriptedMessages(self.script).__enter__()
        self._errors = (self.desk.folder / "errors.txt").open("w+", encoding="utf-8")
        environment = bare_environment(
            self.desk.home,
            **{**SETTINGS, "ANTHROPIC_BASE_URL": self._api.url, "ANTHROPIC_API_KEY": "none", **self.more},
            PATH=self.desk.clients.path,
        )
        self._process = subprocess.Popen(
            [
                *("claude", "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
                *("--model", "claude-sonnet-4-5", "--permission-mode", "acceptEdits", "--allowedTools", TOOLS),
            ],
            cwd=self.place,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.communicate()
        self._errors.close()
        self._api.__exit__(*failure)
        # What the session has left behind to be done is done when this returns.
        wait_for_processes_of(self.desk.folder)

    def says(self, prompt: str, *steps: Step | Reacts, last: str = "Done.") -> Turn:
        """The user says `prompt`; the model takes the steps and ends with a word."""
        self.script += [*steps, Says(last)]
        assert self._process.stdin is not None
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        self._wait_for_result()
        assert not self.script, f"{prompt}: not said: {self.script}"
        messages: Sequence[Any] = self._api.seen[-1].request["messages"]
        # After a compaction there are fewer, and all of them are new.
        first = self._seen if len(messages) > self._seen else 0
        self._seen = len(messages)
        return Turn(prompt, Seen({"messages": messages[first:], "tools": self._api.seen[-1].request["tools"]}))

    def _wait_for_result(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if json.loads(line)["type"] == "result":
                return
        self._errors.seek(0)
        raise AssertionError(f"Claude Code ended: {self._errors.read()}")
