"""Sessions and captures across processes."""

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from lamella_adapters.hooks import hook, prompt_reason
from lamella_adapters.hooks.clients import EDIT
from lamella_adapters.hooks.launch.command import hook_command
from lamella_adapters.hooks.launch.interpreter_link import link
from lamella_adapters.hooks.session import processes
from lamella_adapters.hooks.session.identity import RecordedSessions
from lamella_adapters.hooks.session_records import folder_of, last_called, read_record, record_session
from tests.end_to_end.support import unhurried
from tests.unit.adapters.hooks.capture.hook_session import nothing_set
from tests.unit.adapters.hooks.clients.recorded import recorded
from tests.waiting import HANG_SECONDS, until

PROMPTS = {"codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
REASON = "Mend the exit code."


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return nothing_set(tmp_path, monkeypatch)


@pytest.mark.parametrize("client", PROMPTS)
def test_the_clients_process_is_found_past_shells(data: Path, client: str) -> None:
    script = "import sys; sys.path = sys.argv[2:]; from lamella_adapters.hooks.run import run; run(sys.argv[1])"
    line = [sys.executable, "-c", script, client, *sys.path]
    shell = ["sh", "-c", '"$@" || exit 0', "sh", *line]
    prompt = recorded(f"{client}/{PROMPTS[client]}")
    environment = {**os.environ, "CLAUDE_PLUGIN_OPTION_CONTEXT_AT_PROMPT": "false"}
    del environment["CLAUDE_PID"]
    subprocess.run(shell, input=json.dumps(prompt).encode(), env=environment, check=True)
    record = read_record(str(Path(folder_of(str(data)), f"{os.getpid()}.json")))
    assert record is not None
    assert record[2] == prompt["session_id"]
    called = last_called(str(data), client)
    assert called is not None
    assert prompt_reason.kept(str(data), prompt["session_id"]) == REASON


SERVER = """
import sys
from pathlib import Path
from lamella_adapters.hooks.session.identity import RecordedSessions
sessions = RecordedSessions(explicit=None, startup_id=sys.argv[2] or None, data_directory=Path(sys.argv[1]))
for _ in sys.stdin:
    print(sessions.current(), flush=True)
"""


CLIENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', *sys.argv[1:]])"


@frozen
class Client:
    """A process that started a server, as Claude Code does, with pipes to that server."""

    process: subprocess.Popen[str]

    @property
    def pid(self) -> int:
        return self.process.pid

    def session(self) -> str:
        """Return the session that the server considers current."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    command = [sys.executable, "-c", CLIENT, SERVER, str(tmp_path), "id-at-start"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Client(process)


def test_a_server_follows_its_client_into_a_new_session(client: Client, tmp_path: Path) -> None:
    seen = [client.session()]
    for session in ("one", "two", "two", "one"):
        record_session(str(tmp_path), client.pid, session)
        seen.append(client.session())
    assert seen == ["id-at-start", "one", "two", "two", "one"]


def test_the_nearest_client_counts(client: Client, tmp_path: Path) -> None:
    record_session(str(tmp_path), os.getpid(), "outer")
    outer = client.session()
    record_session(str(tmp_path), client.pid, "inner")
    assert (outer, client.session()) == ("outer", "inner")


@pytest.mark.skipif(not Path("/bin/ps").exists(), reason="no ps here")
def test_without_proc_the_chain_of_parents_comes_from_ps(monkeypatch: pytest.MonkeyPatch) -> None:
    with_proc = processes.ancestors()
    monkeypatch.setattr(processes, "_PS_SECONDS", HANG_SECONDS)
    monkeypatch.setattr(processes, "_has_proc", lambda: False)
    found = processes.ancestors()
    assert [pid for pid, _ in found] == [pid for pid, _ in with_proc]
    assert all(re.fullmatch(r"\w{3} \w{3} \d+ \d\d:\d\d:\d\d \d{4}", started) for _, started in found)
    assert processes.started(2**22 + 1) is None
    assert processes.client() in [pid for pid, _ in found]


@pytest.mark.parametrize("program", ["/nonexistent/ps", "/bin/false"])
def test_without_proc_and_ps_no_ancestor_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    monkeypatch.setattr(processes, "_has_proc", lambda: False)
    monkeypatch.setattr(processes, "_PS", program)
    assert processes.ancestors() == ()
    assert RecordedSessions(explicit=None, startup_id="at-start", data_directory=tmp_path).current() == "at-start"


def test_many_hooks_at_once_leave_one_whole_record(tmp_path: Path) -> None:
    script = (
        "import sys; from lamella_adapters.hooks.session_records import record_session\n"
        "for turn in range(60): record_session(sys.argv[1], int(sys.argv[2]), f'{sys.argv[3]}-{turn}')"
    )
    hooks = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(os.getpid()), name])
        for name in ("a", "b", "c")
    ]
    file = tmp_path / "claude-code" / f"{os.getpid()}.json"
    until(file.exists)
    seen: set[bool] = set()

    def ended() -> bool:
        done = all(hook.poll() is not None for hook in hooks)
        seen.add(read_record(str(file)) is None)
        return done

    until(ended)
    assert [hook.wait() for hook in hooks] == [0, 0, 0]
    assert seen == {False}
    assert [each.name for each in (tmp_path / "claude-code").iterdir()] == [file.name]


def test_what_does_not_fit_on_the_disk_leaves_nothing(tmp_path: Path) -> None:
    script = (
        "import resource, sys; from lamella_adapters.hooks.spool_writer import write\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))\n"
        "write(sys.argv[1], 1_700_000_000 * 10**9 + 1_000, {'text': 'x' * 1000})"
    )
    assert resource.RLIMIT_FSIZE is not None
    for room in ("0", "500"):
        subprocess.run([sys.executable, "-c", script, tmp_path, room], capture_output=True, check=False)
        assert list((tmp_path / "spool").iterdir()) == []
    subprocess.run([sys.executable, "-c", script, tmp_path, "5000"], check=True)
    (captured,) = (tmp_path / "spool").iterdir()
    assert json.loads(captured.read_text()) == {"text": "x" * 1000}


def test_the_line_captures_what_it_is_given(tmp_path: Path) -> None:
    line = json.dumps(recorded("PostToolUse-edit")).encode()
    command = hook_command("claude-code").replace(hook.__file__, str(unhurried.script(tmp_path / "script.py")))
    environment = {"LAMELLA_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["sh", "-c", command], input=line, env=environment, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    (spooled,) = (tmp_path / "spool").iterdir()
    assert json.loads(spooled.read_bytes())["event"] == EDIT


@pytest.mark.parametrize("client", ["no-client", "../x", "", "run"])
def test_an_unknown_client_is_no_failure(tmp_path: Path, client: str) -> None:
    environment = {"LAMELLA_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    shell = ["sh", "-c", hook_command(client, "Stop")]
    done = subprocess.run(shell, input=b"{}\n", env=environment, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_what_is_linked_runs_and_imports_all_that_hooks_need(tmp_path: Path) -> None:
    link(str(tmp_path))
    script = (
        "import sys; sys.path += open(sys.argv[1]).read().splitlines()\n"
        "import lamella_adapters.hooks.run, lamella.domain.privacy.redaction, apsw\n"
        "print(sys.flags.isolated)"
    )
    command: list[str | Path] = [tmp_path / "python", "-I", "-S", "-c", script, tmp_path / "paths"]
    assert subprocess.check_output(command, text=True) == "1\n"
