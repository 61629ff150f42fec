"""Duration of hooks as whole processes, compared with a Python process that does nothing.

Claude Code's hooks are run as in the plugin. Hooks of other clients get recorded input. The prompt is about one of
the memories, and the edit brings back code that an earlier edit removed.

Run: `python -m bench.speed.hooks [--runs 100] [--memories 1000 100000]`. Prints a table, and writes
it into `bench/results`. Nothing is asserted.
"""

import json
import os
import resource
import shlex
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from bench.support.timing import percentile
from bench.support.workload import Language, fill, memories
from bench.tables import Table, command, publish
from lamella.container import running
from lamella.domain.projects.project import Location
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella.settings import Settings
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.hooks.launch.command import hook_command
from lamella_adapters.hooks.launch.interpreter_link import link
from lamella_adapters.sqlite.hook_reads.hook_copy import open_hook_copy
from lamella_adapters.sqlite.storage import SqliteStorage

_SEED = 7
_SMALL = 2_000
"""Number of characters in a file of usual size."""

_POSTGRESQL = "postgresql://host/database"
_ANOTHER = "5b9a1f6e-0000-4000-8000-000000000003"
"""Id of the session for hooks that read the copy of a PostgreSQL storage."""

_ROOT = Path(__file__).parents[2]
_SCRIPT = _ROOT / "plugin" / "hooks" / "hook.py"
_RECORDED = _ROOT / "tests" / "fixtures" / "hooks"
_OTHERS = (
    *("codex/PostToolUse-patch", "codex/PostToolUse-shell", "codex/UserPromptSubmit", "codex/Stop"),
    *("gemini/AfterTool-replace", "gemini/AfterTool-shell", "gemini/BeforeAgent", "gemini/AfterAgent"),
    *("copilot/postToolUse-edit", "copilot/postToolUse-patch", "copilot/postToolUse-shell"),
    *("opencode/tool.execute.after-edit", "opencode/tool.execute.after-shell"),
    *("qwen/PostToolUse-edit", "qwen/PostToolUse-shell", "cursor/afterFileEdit"),
)
"""Recorded events of other clients, for hooks that capture them."""

_CAPTURE, _CONTEXT = "≤ 1.6x", "≤ 8x"
_NO_CONTEXT = {
    f"CLAUDE_PLUGIN_OPTION_{name}": "false"
    for name in ("CONTEXT_AT_PROMPT", "CONTEXT_AT_START", "WARN_BEFORE_EDITS")
}


class Run(NamedTuple):
    """Run of a process: elapsed seconds, processor seconds, and number of printed characters."""

    wall: float
    cpu: float
    said: int


class Hook(NamedTuple):
    """Process of a hook to measure, with its input and environment."""

    name: str
    command: Sequence[str]
    told: Path
    environment: Mapping[str, str]
    bar: str

    def run(self) -> Run:
        """Run the process once."""
        with self.told.open("rb") as told:
            begun, spent = time.perf_counter(), _spent()
            done = subprocess.run(
                self.command, stdin=told, capture_output=True, env=dict(self.environment), check=True
            )
            return Run(time.perf_counter() - begun, _spent() - spent, len(done.stdout))


class Desk:
    """Test bed: a linked plugin, and a project with a number of memories."""

    def __init__(self, folder: Path, memories: int) -> None:
        """Create the project with its memories."""
        self.folder, self.memories = folder, memories
        self.data, self.project, self.plugin = folder / "data", folder / "project", folder / "plugin"
        self.project.mkdir(parents=True)
        link(str(self.plugin))
        subprocess.run(["git", "init", "--quiet", self.project], check=True)
        storage = SqliteStorage(self.data)
        location: Location = GitWorkingTree().locate(self.project)
        fill(storage, storage.registry.at(location, now=datetime.now(UTC)).id, memories, _SEED)
        storage.close()
        self.environment = {
            "CLAUDE_PLUGIN_DATA": str(self.plugin),
            "CLAUDE_PID": str(os.getpid()),
            "LAMELLA_DATA_DIR": str(self.data),
        }
        self._remove_code()
        self._copy(location.key)

    @property
    def python(self) -> list[str]:
        """Return the Python interpreter that runs the hooks."""
        return [str(self.plugin / "python"), "-I", "-S"]

    def bare(self) -> Hook:
        """Return the baseline: a Python process that does nothing."""
        return Hook("python -I -S -c pass", [*self.python, "-c", "pass"], Path(os.devnull), self.environment, "")

    def captures(self) -> list[Hook]:
        """Return the hooks that capture events."""
        stop = {"stop_hook_active": False, "last_assistant_message": "Done."}
        return [
            self._hook("edit of a 2 KB file", _CAPTURE, "PostToolUse", self._edit(_SMALL)),
            self._hook("edit of a 100 KB file", _CAPTURE, "PostToolUse", self._edit(100_000)),
            self._hook("command of the shell", _CAPTURE, "PostToolUse", _shell("make format && git status")),
            self._hook("prompt, without context", _CAPTURE, "UserPromptSubmit", self._prompt(), **_NO_CONTEXT),
            self._hook("stop", _CAPTURE, "Stop", stop),
            *(
                self._of_other(name, _CAPTURE, json.loads((_RECORDED / f"{name}.json").read_text("utf-8")))
                for name in _OTHERS
            ),
        ]

    def contexts(self) -> list[Hook]:
        """Return the hooks that return context."""
        many = f"at {self.memories:,} memories"
        edit = self._edit(_SMALL, back=True)
        return [
            self._hook(f"session start {many}", _CONTEXT, "SessionStart", {"source": "startup"}),
            self._hook(f"prompt {many}", _CONTEXT, "UserPromptSubmit", self._prompt()),
            self._hook(f"before an edit {many}", _CONTEXT, "PreToolUse", edit),
            self._of_other(f"gemini/after an edit {many}", _CONTEXT, self._made(edit)),
            *(
                self._hook(
                    f"{name} {many} on PostgreSQL",
                    _CONTEXT,
                    event,
                    {**payload, "session_id": _ANOTHER},
                    LAMELLA_STORAGE=_POSTGRESQL,
                )
                for name, event, payload in (
                    ("session start", "SessionStart", {"source": "startup"}),
                    ("prompt", "UserPromptSubmit", self._prompt()),
                    ("before an edit", "PreToolUse", edit),
                )
            ),
        ]

    def _hook(self, name: str, bar: str, event: str, more: Mapping[str, Any], **environment: str) -> Hook:
        told = self.folder / f"{name.replace(' ', '-')}.json"
        common = {
            "session_id": "5b9a1f6e-0000-4000-8000-000000000001",
            "transcript_path": str(self.folder / "transcript.jsonl"),
            "cwd": str(self.project),
            "hook_event_name": event,
        }
        told.write_text(json.dumps({**common, **more}) + "\n", encoding="utf-8")
        return Hook(name, [*self.python, str(_SCRIPT)], told, {**self.environment, **environment}, bar)

    def _of_other(self, name: str, bar: str, payload: Mapping[str, Any]) -> Hook:
        """Return the hook of another client. If the hook captures events, context is switched off."""
        client, _, what = name.partition("/")
        told = self.folder / f"{name.replace(' ', '-').replace('/', '-')}.json"
        told.write_text(json.dumps(payload) + "\n", encoding="utf-8")
        command, _, _ = hook_command(client, what.partition("-")[0]).partition(" 2>")
        return Hook(
            name, shlex.split(command), told, {**self.environment, **(_NO_CONTEXT if bar == _CAPTURE else {})}, bar
        )

    def _made(self, edit: Mapping[str, Any]) -> dict[str, Any]:
        """Return the payload of Gemini CLI after it made an edit."""
        path, old, new = (edit["tool_input"][name] for name in ("file_path", "old_string", "new_string"))
        before = Path(path).read_text("utf-8")
        after = before.replace(old, new)
        return {
            "session_id": "5b9a1f6e-0000-4000-8000-000000000002",
            "cwd": str(self.project),
            "hook_event_name": "AfterTool",
            "tool_name": "replace",
            "tool_input": {"file_path": path, "old_string": old, "new_string": new},
            "tool_response": {
                "returnDisplay": {"filePath": path, "originalContent": before, "newContent": after, "fileDiff": ""}
            },
        }

    def _remove_code(self) -> None:
        """Capture and store an edit that removes code."""
        edit = self._edit(_SMALL)
        response = edit["tool_response"]
        changed = response["originalFile"].replace(
            edit["tool_input"]["old_string"], edit["tool_input"]["new_string"]
        )
        Path(response["filePath"]).write_text(changed, encoding="utf-8")
        self._hook("the edit before", "", "PostToolUse", edit).run()
        with running(Settings(data_directory=self.data)) as lamella:
            for _ in lamella.drain():
                pass

    def _copy(self, place: str) -> None:
        """Create the hooks' copy of memories on PostgreSQL. No server is needed: hooks never connect to it."""
        storage, copy = SqliteStorage(self.data), open_hook_copy(_POSTGRESQL, self.data)
        with closing(storage), closing(copy):
            (project,) = storage.registry.all()
            copy.lead({place: FeedState(project=project.id, name=project.name, revision=0, observations=0)})
            mark = Mark()
            while page := storage.observations(project.id).page(after=mark.sequence, limit=1_000):
                changes = [Change(each, Mark(0, each.observation.sequence)) for each in page]
                copy.put(project.id, changes)
                mark = changes[-1].mark
            copy.settle(project.id, 0)
            copy.refresh(datetime.now(UTC))

    def _edit(self, size: int, *, back: bool = False) -> dict[str, Any]:
        """Return an edit of a large file that replaces ten lines, or with `back`, reverses that."""
        language = Language(seed=size)
        lines = [f"{language.text(8)}\n" for _ in range(size // 60)]
        middle = len(lines) // 2
        old, new = lines[middle : middle + 10], [f"{language.text(8)}\n" for _ in range(10)]
        changed = [f"{sign}{line.rstrip()}" for sign, each in (("-", old), ("+", new)) for line in each]
        patch = {"oldStart": middle, "oldLines": 10, "newStart": middle, "newLines": 10, "lines": changed}
        path = str(self.project / "module.py")
        strings = ("new_string", "old_string") if back else ("old_string", "new_string")
        return {
            "tool_name": "Edit",
            "tool_input": {"file_path": path, **dict(zip(strings, ("".join(old), "".join(new)), strict=True))},
            "tool_response": {"filePath": path, "originalFile": "".join(lines), "structuredPatch": [patch]},
        }

    def _prompt(self) -> dict[str, Any]:
        (memory,) = memories(Language(_SEED), 1)
        return {"prompt": f"Why did we say this? {memory.draft.content}"}


def _spent() -> float:
    """Return the processor seconds spent on ended processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _shell(command: str) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {"stdout": "", "stderr": ""}}


def main() -> None:
    """Measure everything and print the table."""
    parser = command(__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 100_000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        desks = [Desk(Path(folder, str(memories)), memories) for memories in options.memories]
        hooks = [desks[0].bare(), *desks[0].captures(), *(hook for desk in desks for hook in desk.contexts())]
        said = {hook.name: hook.run().said for hook in hooks}
        runs: dict[str, list[Run]] = {hook.name: [] for hook in hooks}
        # Alternate between the hooks, so that all are measured under the same load of the machine.
        for _ in range(options.runs):
            for hook in hooks:
                runs[hook.name].append(hook.run())
    rows = []
    bare = runs[hooks[0].name]
    for hook in hooks:
        own = runs[hook.name]
        wall, cpu = (
            statistics.median(each[field] for each in own) / statistics.median(each[field] for each in bare)
            for field in (0, 1)
        )
        walls = [each.wall for each in own]
        rows.append(
            (
                hook.name,
                f"{1000 * statistics.median(walls):.2f} ms",
                f"{1000 * percentile(walls, 95):.2f} ms",
                f"{wall:.2f}x",
                f"{cpu:.2f}x",
                hook.bar,
                str(said[hook.name]),
            )
        )
    head = ["hook", "p50", "p95 (≤ 150 ms)", "against bare", "by processor", "bar", "characters said"]
    table = Table(title="Duration of hooks, as whole processes", head=head, rows=rows)
    publish(options.results / "hooks.md", [table])


if __name__ == "__main__":
    main()
