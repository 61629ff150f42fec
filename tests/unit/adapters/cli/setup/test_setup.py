import json
import sys
from pathlib import Path

import pytest

from lamella_adapters.cli.setup import command
from lamella_adapters.cli.setup.changes import FileChange, Setup, program_of
from lamella_adapters.cli.setup.client import CLIENTS
from lamella_adapters.cli.setup.formats.marked_block import BEGIN
from tests.unit.adapters.cli.setup.conftest import Run, files
from tests.unit.support.tables import cases

SECRET = "s3cret"  # noqa: S105 - shown by nothing
SETTINGS = f'{{\n  // mine\n  "apiKey": "{SECRET}",\n  "mcpServers": {{}}\n}}\n'


@pytest.mark.parametrize("name", [name for name in CLIENTS if name != "claude-code"])
def test_each_client_is_connected_once_and_left_as_it_was(name: str, home: Path, here: Setup, run: Run) -> None:
    before, everything = files(home), {*home.rglob("*")}
    done = run(name, "--yes")
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    connected = files(home)
    ours = (here.command[0].encode(), BEGIN.encode())
    assert all(any(each in content for each in ours) for path, content in connected.items() if path not in before)
    assert run(name, "--yes").stdout == f"{name}: connected already.\n"
    assert files(home) == connected
    done = run(name, "--remove", "--yes")
    assert (done.exit_code, files(home), {*home.rglob("*")}) == (0, before, everything)
    assert run(name, "--remove").stdout == f"{name}: nothing to remove.\n"


def test_clients_that_are_installed_are_found(home: Path, run: Run) -> None:
    assert run("--dry-run").stdout.startswith("None of these clients was found: claude-code, codex, ")
    for name in ("antigravity-cli", "antigravity"):
        (home / ".gemini" / name).mkdir(parents=True)
    assert run("--dry-run").stdout.startswith("None of these clients was found: claude-code, codex, ")
    assert run("--remove").stdout.endswith(" To name one anyway: lamella setup --remove CLIENT\n")
    (home / ".gemini/config").mkdir()
    assert run("--dry-run").stdout.startswith("antigravity:\n")
    (home / ".gemini/config").rmdir()
    (home / ".gemini/projects.json").touch()
    (home / "bin" / "codex").touch(0o700)
    shown = run("--dry-run")
    assert [line for line in shown.stdout.splitlines() if not line.startswith(" ")] == [
        "codex:",
        "codex:",
        "gemini:",
    ]
    assert "  +[mcp_servers.lamella]" in shown.stdout.splitlines()
    assert set(files(home)) == {"bin/lamella", "bin/codex", ".gemini/projects.json"}


def test_a_secret_is_not_shown_and_a_copy_is_kept(home: Path, run: Run) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini/settings.json").write_text(SETTINGS)
    done = run("--yes")
    assert SECRET not in done.output
    assert done.stdout.endswith(
        "gemini: wrote ~/.gemini/settings.json; what it said before is in settings.json.before-lamella.\n"
        "gemini: Gemini CLI starts servers and hooks only in folders that you trust.\n"
        "Restart for this to take effect: gemini.\n"
    )
    assert files(home)[".gemini/settings.json.before-lamella"] == SETTINGS.encode()
    assert "gemini: wrote ~/.gemini/settings.json as it was before.\n" in run("--remove", "--yes").stdout
    assert files(home) == {"bin/lamella": b"", ".gemini/settings.json": SETTINGS.encode()}
    assert run("--yes").exit_code == 0
    (home / ".gemini/settings.json").write_text(files(home)[".gemini/settings.json"].decode() + "\n")
    done = run("--remove", "--yes")
    assert SECRET not in done.output
    assert files(home)[".gemini/settings.json"].decode() == SETTINGS + "\n"


def test_an_entry_of_the_users_own_stays_while_its_program_is_there(home: Path, run: Run) -> None:
    (home / ".cursor").mkdir()
    file = home / ".cursor/mcp.json"
    file.write_text('{"mcpServers": {"lamella": {"command": "lamella", "args": ["serve", "--toolset", "x"]}}}')
    mine = file.read_bytes()
    assert run("cursor", "--yes").exit_code == 0
    assert file.read_bytes() == mine
    file.write_text(mine.decode().replace('"lamella", "args"', '"/gone/lamella", "args"'))
    assert run("cursor", "--yes").exit_code == 0
    entry = json.loads(file.read_text())["mcpServers"]["lamella"]
    assert entry == {"command": str(home / "bin/lamella"), "args": ["serve"]}


@pytest.mark.parametrize("arguments", [["serve", "--toolset", "granular"], ["serve"]])
def test_a_client_that_asks_before_each_call_gets_reads_that_say_so(
    arguments: list[str], home: Path, run: Run
) -> None:
    assert run("vscode", "--yes").exit_code == 0
    file = home / ".config/Code/User/mcp.json"
    entry = json.loads(file.read_text())["servers"]["lamella"]
    assert entry["args"] == ["serve", "--toolset", "granular"]
    assert run("goose", "--yes").exit_code == 0
    hooks = json.loads((home / ".agents/plugins/lamella/hooks/hooks.json").read_text())["hooks"]
    lines = [each["hooks"][0]["command"] for (each,) in hooks.values()]
    assert all(line.startswith("LAMELLA_TOOLSET=granular ") for line in lines)
    # As this version or the one before wrote it, setup takes it out again.
    file.write_text(json.dumps({"servers": {"lamella": {**entry, "args": arguments}}}))
    assert run("vscode", "--remove", "--yes").exit_code == 0
    assert not file.exists()


@cases
@pytest.mark.parametrize("program", ["lamella", "/gone/bin/lamella"])
@pytest.mark.parametrize("more", ["", "\n"])
def test_an_entry_of_the_users_own_outlives_setup(
    name: str, path: str, text: str, *, program: str, more: str, home: Path, run: Run
) -> None:
    file = home / path
    file.parent.mkdir(parents=True)
    file.write_text(text.format(program))
    before = files(home)
    assert run(name, "--yes").exit_code == 0
    kept = file.with_name(f"{file.name}.before-lamella")
    assert (str(home / "bin/lamella") in file.read_text()) == kept.exists()
    assert program.startswith("/") <= kept.exists()
    with file.open("a") as appended:
        appended.write(more)
    done = run(name, "--remove", "--yes")
    assert done.exit_code == 0
    if more:
        parsed = CLIENTS[name].servers
        assert parsed
        assert parsed.format.parsed(file.read_text()) == parsed.format.parsed(before[path].decode())
    else:
        assert files(home) == before


def test_what_setup_never_wrote_is_left_alone_and_said(home: Path, run: Run) -> None:
    file = home / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text('[mcp_servers.lamella]\ncommand = "/tmp/x/bin/lamella"\n')
    before = files(home)
    done = run("codex", "--remove", "--yes")
    told = "codex: left alone lamella in ~/.codex/config.toml: not written by lamella setup.\n"
    assert (done.exit_code, done.stdout, files(home)) == (0, told, before)


def test_what_setup_wrote_before_lamella_moved_goes_without_a_copy(home: Path, here: Setup, run: Run) -> None:
    run("zed", "gemini", "--yes")
    for file in (home / ".config/zed/settings.json", home / ".gemini/settings.json"):
        file.write_text(file.read_text().replace(here.command[0], "/gone/bin/lamella"))
    moved = run("zed", "gemini", "--yes")
    assert (moved.exit_code, "before-lamella" in moved.stdout) == (0, False)
    assert run("zed", "gemini", "--remove", "--yes").exit_code == 0
    assert set(files(home)) == {"bin/lamella"}


def test_a_plugin_of_another_program_is_left_alone(home: Path, run: Run) -> None:
    plugin = home / ".config/opencode/plugin/lamella.js"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("// theirs")
    done = run("opencode", "--yes")
    assert (done.exit_code, plugin.read_text()) == (1, "// theirs")
    assert "opencode: left alone ~/.config/opencode/plugin/lamella.js: it is another program's.\n" in done.stdout
    plugin.write_bytes(b"\xff")
    assert "lamella.js: it is not UTF-8.\n" in run("opencode", "--remove", "--yes").stdout


def test_opencode_keeps_the_file_that_it_has(home: Path, here: Setup) -> None:
    folder = home / ".config/opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.jsonc").touch()
    names = [each.name for each in here.changes(CLIENTS["opencode"]) if isinstance(each, FileChange)]
    assert names == ["~/.config/opencode/opencode.jsonc", "~/.config/opencode/plugin/lamella.js"]


@cases
def test_entries_say_their_program(entry: object, program: str) -> None:
    assert program_of(entry) == program


def test_nothing_is_connected_to_a_command_that_will_be_gone(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", "/home/me/.cache/uv/archive-v0/x1y2")
    done = run("codex", "--yes")
    assert (done.exit_code, set(files(home))) == (1, {"bin/lamella"})
    assert str(done.exception).startswith("lamella runs in an environment of uvx, which uv may delete")
    assert run("codex", "--remove").stdout == "codex: nothing to remove.\n"


def test_on_this_machine_it_writes_the_command_that_runs_now() -> None:
    here = command.setup_here()
    assert here.command[1:] == ("serve",)
    assert "hook" in here.hook("codex", "Stop")
