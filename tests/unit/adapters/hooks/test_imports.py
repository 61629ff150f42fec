import json
import os
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella.domain.call import Call
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella.ports.storage.storage import Storage
from lamella.settings import Settings
from lamella_adapters.hooks.run import CLAUDE_CODE
from lamella_adapters.sqlite.hook_reads.hook_copy import open_hook_copy
from tests.unit.support.edits import captured, removed

RECORDED = Path(__file__).parents[3] / "fixtures" / "hooks"
_SCRIPT = """
import os, sys
client, event, *paths = sys.argv[1:]
sys.path += paths
before = set(sys.modules)
from lamella_adapters.hooks import run
line = sys.stdin.buffer.readline()
run.answer(line, client, event)
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""

PATHS = [each for each in sys.path if Path(each, "lamella").is_dir() or Path(each, "lamella_adapters").is_dir()]
BUILT_IN = {"_json", "_signal", "_stat", "posixpath", "stat", "genericpath", "os", "_collections_abc", "time"}
OWN = {"lamella", "lamella_adapters"}


def imported(event: dict[str, object], directory: Path, client: str = CLAUDE_CODE, name: str = "") -> set[str]:
    """The top-level modules that a hook in a bare Python imports for the event."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _SCRIPT, client, name, *PATHS],
        input=json.dumps(event),
        env={
            "LAMELLA_DATA_DIR": str(directory),
            "CLAUDE_PLUGIN_OPTION_CONTEXT_AT_PROMPT": "false",
            "CLAUDE_PLUGIN_OPTION_WARN_BEFORE_EDITS": "false",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "name",
    [
        "PostToolUse-edit",
        "PostToolUse-write-create",
        "PostToolUse-notebook-replace",
        "PostToolUse-bash",
        "PreCompact",
        "Stop",
        "SessionEnd-other",
        "UserPromptSubmit",
    ],
)
def test_a_capture_imports_next_to_nothing(tmp_path: Path, name: str) -> None:
    event = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    event = {**event, "prompt": "Mend the exit code. Its caller reads it."}
    assert imported(event, tmp_path) - BUILT_IN == OWN
    assert name == "UserPromptSubmit" or len(list((tmp_path / "spool").iterdir())) == 1


@pytest.mark.parametrize(
    "name",
    [
        *(f"codex/{name}" for name in ("PostToolUse-patch", "PostToolUse-shell", "Stop", "UserPromptSubmit")),
        *(f"gemini/{name}" for name in ("AfterTool-replace", "AfterTool-shell", "AfterAgent", "BeforeAgent")),
        *(
            f"copilot/{name}"
            for name in ("postToolUse-edit", "postToolUse-patch", "postToolUse-shell", "agentStop")
        ),
        *(f"cursor/{name}" for name in ("afterFileEdit", "afterShellExecution")),
        *(f"opencode/tool.execute.{name}" for name in ("after-edit", "after-patch", "after-shell")),
        *(f"qwen/{name}" for name in ("PostToolUse-edit", "PostToolUse-shell", "UserPromptSubmit")),
    ],
)
def test_a_capture_of_another_client_does_too(tmp_path: Path, name: str) -> None:
    client, _, what = name.partition("/")
    event = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    assert imported(event, tmp_path, client, what.partition("-")[0]) - BUILT_IN == OWN
    assert (tmp_path / "spool").exists() or "prompt" in event


def test_what_may_hold_a_secret_is_looked_at_closely(tmp_path: Path) -> None:
    event = json.loads((RECORDED / "PostToolUse-bash.json").read_text("utf-8"))
    event["tool_input"]["command"] = "make TOKEN=ghp_" + "a1B2" * 9
    assert "re" in imported(event, tmp_path)


_ANSWERING = """
import sys
sys.path += sys.argv[2:]
from lamella_adapters.hooks.clients import claude_code
from lamella_adapters.hooks.context.answer import answer
content = sys.stdin.read()
for event in ("SessionStart", "UserPromptSubmit", "PreToolUse"):
    said = {
        "hook_event_name": event, "session_id": event, "cwd": sys.argv[1],
        "prompt": "Why is retry_payment gone from there?",
        "tool_name": "Write", "tool_input": {"file_path": sys.argv[1] + "/pay.py", "content": content},
    }
    print(bool(answer(claude_code.event(said, ""), sys.argv[1])), file=sys.stderr)
print(*sorted(sys.modules))
"""


CODE = "def retry_payment(order, attempts):\n    return post(order.url, attempts=attempts, json=order.data)\n"


@pytest.mark.parametrize("url", ["sqlite:", "postgresql://host/database"])
def test_what_answers_from_sqlite_or_a_copy_imports_neither_ports_nor_attrs(tmp_path: Path, url: str) -> None:
    with running(Settings(data_directory=tmp_path)) as lamella:
        call = Call(directory=tmp_path)
        lamella.save(call, SaveRequest(text="The provider bills each try, so retry_payment is gone."))
        lamella.record_changes(call, [captured(removed(CODE), path="pay.py")])
        copy_of(lamella.storage, url, tmp_path)
    # apsw comes from the folder of all packages, attrs among them.
    folder = str(Path(apsw.__file__).parents[1])
    command = [sys.executable, "-I", "-S", "-c", _ANSWERING, str(tmp_path), *PATHS, folder]
    environment = {**os.environ, "LAMELLA_STORAGE": url}
    done = subprocess.run(command, input=CODE, capture_output=True, text=True, check=True, env=environment)
    assert done.stderr.split() == ["True"] * 3
    modules = set(done.stdout.split())
    assert "lamella_adapters.sqlite.hook_reads.reads" in modules
    assert not modules & {
        *("attr", "attrs", "cattr", "cattrs", "dependency_injector", "lamella.ports", "lamella.entry_points"),
        *("importlib.metadata", "json", "pathlib", "psycopg", "uuid"),
    }


def copy_of(storage: Storage, url: str, folder: Path) -> None:
    """Make the copy that hooks read of a storage at `url`, with the memories of another one."""
    (project,) = storage.registry.all()
    state = FeedState(project=project.id, name=project.name, revision=0, observations=0)
    with closing(open_hook_copy(url, folder)) as copy:
        copy.lead(dict.fromkeys(project.aliases, state))
        copy.put(project.id, [Change(each, Mark()) for each in storage.observations(project.id).page(limit=99)])
        copy.settle(project.id, 0)
        copy.refresh(datetime.now(UTC))


@pytest.mark.parametrize(
    "line", [b'{"hook_event_name": "Stop"', b'{"a": "', b'{"a": "\\x"}', b'{"a": 1,}', b"{1}"]
)
def test_what_is_broken_is_none_also_where_json_was_never_imported(line: bytes) -> None:
    script = (
        "import sys; sys.path += sys.argv[1:]\n"
        "from lamella_adapters.hooks.payload import parsed; print(parsed(sys.stdin.buffer.read()))"
    )
    command = [sys.executable, "-I", "-S", "-c", script, *PATHS]
    assert subprocess.check_output(command, input=line) == b"None\n"
