import json
from pathlib import Path

import pytest

from lamella_adapters.cli.setup import claude_code
from lamella_adapters.cli.setup.changes import ProgramChange, Remark, Setup
from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.cli.setup.place import Place
from lamella_adapters.cli.setup.plugin import plugin_folder
from lamella_adapters.cli.setup.table import CLIENTS
from tests.unit.adapters.cli.setup.conftest import Run


def claude(home: Path, *, plugged: bool, served: bool) -> None:
    (home / ".claude").mkdir(exist_ok=True)
    enabled = {"enabledPlugins": {"lamella@lamella": plugged}}
    (home / ".claude/settings.json").write_text(json.dumps(enabled))
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"lamella": {}} if served else {}}))


INSTALL = "its program is not on PATH; run: claude plugin install lamella --marketplace "
REMOVE = (
    "its program is not on PATH; run: claude plugin uninstall lamella@lamella && "
    "claude plugin marketplace remove lamella"
)


@pytest.mark.parametrize(
    ("has", "remove", "told"),
    [
        ("", False, [INSTALL]),
        ("plugin", False, []),
        ("server", False, [claude_code.TOOLS_ALONE]),
        ("plugin, server", False, [claude_code.TWICE]),
        ("", True, []),
        ("plugin", True, [REMOVE]),
        ("server", True, [f"its server was added by hand; to remove it: {claude_code.REMOVE_SERVER}"]),
    ],
)
def test_claude_code_gets_the_plugin_unless_it_has_the_server(
    has: str, remove: bool, told: list[str], home: Path, here: Setup
) -> None:
    claude(home, plugged="plugin" in has, served="server" in has)
    found = [each for each in here.changes(CLIENTS["claude-code"], remove=remove) if isinstance(each, Remark)]
    assert [
        f"{each.text}: {each.command}".partition("/")[0] if each.command else each.text for each in found
    ] == told
    assert [each.trouble for each in found] == [", " in has or bool(each.command) for each in found]


def test_a_command_to_run_by_hand_ends_without_a_full_stop(run: Run) -> None:
    done = run("claude-code", "--yes")
    assert (done.exit_code, "claude plugin install" in done.stdout) == (1, True)
    assert done.stdout.endswith(f"{plugin_folder()}\n")


def test_claude_code_changes_its_configuration_itself(home: Path, here: Setup) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text("[]")
    (home / ".claude.json").write_text("{")
    (home / "bin/claude").touch(0o700)
    (change,) = here.changes(CLIENTS["claude-code"])
    assert isinstance(change, ProgramChange)
    assert [line.partition("/")[0] for line in change.lines()] == [
        "$ claude plugin install lamella --marketplace "
    ]
    place = Place(home=home, environment={"PATH": "/usr/bin:/bin"})
    assert ProgramChange(place=place, commands=[["true"], ["true"]]).make() == "ran true"
    for words, why in ((["false"], "`false` failed: $"), (["no-such-program"], "`no-such-program` failed: File")):
        with pytest.raises(UnfitFileError, match=why):
            claude_code.run(place, words)


def test_claude_code_has_no_file_that_is_edited(here: Setup) -> None:
    assert CLIENTS["claude-code"].configurations(here.place, here.command, here.hook) == {}
