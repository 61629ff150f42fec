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
from tests.unit.adapters.hooks.clients.recorded import recorded
from tests.unit.support.edits import captured, removed
from tests.unit.support.tables import cases

_SCRIPT = """
import sys
client, events, *paths = sys.argv[1:]
sys.path += paths
before = set(sys.modules)
from lamella_adapters.hooks import run
for event in events.split():
    run.answer(sys.stdin.buffer.readline(), client, event)
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""

PATHS = [each for each in sys.path if Path(each, "lamella").is_dir() or Path(each, "lamella_adapters").is_dir()]
BUILT_IN = {"_json", "_signal", "_abc", "abc", "io", "posix", "time"}
OWN = {"lamella", "lamella_adapters"}


def imported(directory: Path, client: str, *names: str, **changes: object) -> set[str]:
    """The top-level modules that hooks in a bare Python import for recorded events, by their names."""
    folder = "" if client == CLAUDE_CODE else f"{client}/"
    lines = [json.dumps({**recorded(f"{folder}{name}"), **changes}) + "\n" for name in names]
    events = " ".join(name.partition("-")[0] for name in names)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _SCRIPT, client, events, *PATHS],
        input="".join(lines),
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


@pytest.mark.unmeasured
@cases
def test_captures_import_next_to_nothing(tmp_path: Path, client: str, captures: str, prompts: str) -> None:
    names = (*captures.split(), *prompts.split())
    found = imported(tmp_path, client, *names, prompt="Mend the exit code. Its caller reads it.")
    assert found - BUILT_IN == OWN
    assert len(list((tmp_path / "spool").iterdir())) >= len(captures.split())


@pytest.mark.unmeasured
def test_what_may_hold_a_secret_is_looked_at_closely(tmp_path: Path) -> None:
    secret = {"command": "make TOKEN=ghp_" + "a1B2" * 9}
    assert "re" in imported(tmp_path, CLAUDE_CODE, "PostToolUse-bash", tool_input=secret)


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


@pytest.mark.unmeasured
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


@cases
def test_what_is_broken_is_none_also_where_json_was_never_imported(line: bytes) -> None:
    script = (
        "import sys; sys.path += sys.argv[1:]\n"
        "from lamella_adapters.hooks.payload import parsed; print(parsed(sys.stdin.buffer.read()))"
    )
    command = [sys.executable, "-I", "-S", "-c", script, *PATHS]
    assert subprocess.check_output(command, input=line) == b"None\n"
