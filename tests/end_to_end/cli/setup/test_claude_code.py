import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lamella_adapters.cli.setup import claude_code, programs  # noqa: F401 - for the table
from lamella_adapters.cli.setup.changes import ProgramChange, Remark, Setup
from lamella_adapters.cli.setup.client import CLIENTS
from lamella_adapters.cli.setup.connections import connections
from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.cli.setup.machine import UserMachine
from lamella_adapters.cli.setup.plugin import plugin_folder
from tests.end_to_end.git.git_repository import executable
from tests.unit.adapters.cli.setup.conftest import Run
from tests.unit.support.tables import cases


def outdated(machine: UserMachine) -> str:
    return programs.outdated(CLIENTS["claude-code"], machine)


def claude(home: Path, *, plugged: bool, served: bool) -> None:
    (home / ".claude").mkdir(exist_ok=True)
    enabled = {"enabledPlugins": {"lamella@lamella": plugged}}
    (home / ".claude/settings.json").write_text(json.dumps(enabled))
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"lamella": {}} if served else {}}))


INSTALL = "its program is not on PATH; run: claude plugin marketplace add "
REMOVE = (
    "its program is not on PATH; run: claude plugin uninstall lamella@lamella && "
    "claude plugin marketplace remove lamella"
)


@cases
def test_claude_code_gets_the_plugin_unless_it_has_the_server(
    has: str, remove: bool, told: list[str], home: Path, here: Setup
) -> None:
    claude(home, plugged="plugin" in has, served="server" in has)
    found = [each for each in here.changes(CLIENTS["claude-code"], remove=remove) if isinstance(each, Remark)]
    assert [f"{each.text}: {each.command}".partition("/")[0] for each in found] == told
    assert [each.trouble for each in found] == [has != "server" for each in found]


def test_a_command_to_run_by_hand_ends_without_a_full_stop(run: Run) -> None:
    done = run("claude-code", "--yes")
    assert (done.exit_code, "claude plugin install" in done.stdout) == (1, True)
    assert done.stdout.endswith(f" add {plugin_folder()} && claude plugin install lamella@lamella\n")


def test_claude_code_changes_its_configuration_itself(home: Path, here: Setup) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text("[]")
    (home / ".claude.json").write_text("{")
    (home / "bin/claude").touch(0o700)
    (change,) = here.changes(CLIENTS["claude-code"])
    assert isinstance(change, ProgramChange)
    assert [*change.lines()] == [
        f"$ claude plugin marketplace add {plugin_folder()}",
        "$ claude plugin install lamella@lamella",
    ]
    machine = UserMachine(home=home, environment={"PATH": "/usr/bin:/bin"})
    assert ProgramChange(machine=machine, commands=[["true"], ["true"]], done="ran").make() == "ran"
    for words, why in ((["false"], "`false` failed: $"), (["no-such-program"], "`no-such-program` failed: File")):
        with pytest.raises(UnfitFileError, match=why):
            programs.run(machine, words)


def says(home: Path, script: str) -> None:
    executable(home / "bin" / "claude", f"PATH=/usr/bin:/bin\n{script}")


@pytest.mark.parametrize("version", ["2.1.196", "2.0.999", "1.9.999"])
def test_a_claude_code_that_is_too_old_is_named_and_nothing_is_run(version: str, home: Path, run: Run) -> None:
    says(home, f'[ "$*" = --version ] && echo "{version} (Claude Code)" || touch {home}/ran')
    done = run("claude-code", "--yes")
    why = f"its version is {version}, and lamella needs 2.1.197; update it: claude update"
    assert (done.exit_code, done.stdout) == (1, f"claude-code: {why}\n")
    assert not (home / "ran").exists()


@pytest.mark.parametrize("said", ["echo 2.1.197", "echo 2.2.0", "echo 10.0.0", "echo Claude", "exit 1"])
def test_another_claude_code_is_connected(said: str, home: Path, run: Run) -> None:
    says(home, f'[ "$*" != --version ] || {{ {said}; exit; }}\necho "$*" >> "{home}/ran"')
    done = run("claude-code", "--yes")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(
        "claude-code: installed the plugin.\nRestart for this to take effect: claude-code.\n"
    )
    ran = f"plugin marketplace add {plugin_folder()}\nplugin install lamella@lamella\n"
    assert (home / "ran").read_text() == ran


def test_a_plugin_whose_folder_is_gone_is_installed_anew(home: Path, here: Setup, run: Run) -> None:
    says(home, '[ "$*" != --version ] || echo 2.1.300')
    claude(home, plugged=True, served=False)
    source = {"source": {"source": "directory", "path": str(home / "bin")}}
    settings = json.loads((home / ".claude/settings.json").read_text())
    file = home / ".claude/settings.json"
    file.write_text(json.dumps({**settings, "extraKnownMarketplaces": {"lamella": source}}))
    assert run("claude-code", "--yes").stdout == "claude-code: connected already.\n"
    file.write_text(file.read_text().replace("/bin", "/gone"))
    (finding,) = connections(here, lambda _: None, datetime.now(UTC))
    again = "to connect it anew: lamella setup claude-code"
    assert finding.message == f"{home}/gone is not there, its hooks have not run yet; {again}"
    assert "claude-code: installed the plugin.\n" in run("claude-code", "--yes").stdout


def test_a_failure_is_said_and_nothing_has_to_be_started_anew(home: Path, run: Run) -> None:
    says(home, '[ "$*" != --version ] || { echo 2.1.300; exit; }\necho "no such option" >&2; exit 1')
    done = run("claude-code", "--yes")
    failed = f"`claude plugin marketplace add {plugin_folder()}` failed: no such option"
    assert (done.exit_code, done.stderr) == (1, f"claude-code: {failed}.\n")
    assert "anew" not in done.stdout


def test_a_program_that_does_not_end_is_ended_and_its_version_unknown(
    home: Path, here: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(home, "mkfifo f\ncat f\necho 2.1.1")
    with pytest.raises(UnfitFileError, match="`claude --version` failed: TimeoutExpired"):
        programs.run(here.machine, ["claude", "--version"], seconds=0.1)
    monkeypatch.setattr(programs, "_VERSION_SECONDS", 0.1)
    assert outdated(here.machine) == ""


def test_no_program_of_the_working_directory_is_asked(
    home: Path, here: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(home, f"pwd > {home}/ran; echo 2.1.1")
    monkeypatch.chdir(home / "bin")
    for folders in (".", "", "../bin", ".:"):
        assert outdated(UserMachine(home=home, environment={"PATH": folders})) == ""
    assert not (home / "ran").exists()
    assert outdated(here.machine).startswith("its version is 2.1.1, ")
    # Version managers choose by files of the working directory.
    assert (home / "ran").read_text() == f"{home}\n"


def test_claude_code_has_no_file_that_is_edited(here: Setup) -> None:
    assert CLIENTS["claude-code"].configurations(here.machine, here.command, here.hook) == {}
