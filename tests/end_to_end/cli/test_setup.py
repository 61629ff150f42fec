"""`lamella setup`, on a terminal and without one, in a home with settings of the user's own."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import LAMELLA, CommandLine

CODEX = '# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "o"\nenv = { TOKEN = "s3cret" }\n'
GEMINI = """{
	// mine
	"theme": "dark",
	"mcpServers": {"other": {"command": "o", "env": {"TOKEN": "s3cret"}}},
}
"""


@pytest.fixture
def lamella(lamella: CommandLine) -> CommandLine:
    """Return the command line of a user who has Codex and Gemini CLI, and no other program."""
    own = CommandLine(lamella.data, lamella.directory, {"PATH": "/usr/bin:/bin"})
    home = Path(own.environment["HOME"])
    dotfiles = home / "dotfiles"
    for folder in (".codex", ".gemini", "dotfiles"):
        (home / folder).mkdir()
    (home / ".codex/config.toml").write_text(CODEX)
    (dotfiles / "gemini.json").write_text(GEMINI)
    (home / ".gemini/settings.json").symlink_to(dotfiles / "gemini.json")
    return own


def written(lamella: CommandLine) -> Mapping[str, str]:
    """Return all files in the home, but for what is lamella's own."""
    home = Path(lamella.environment["HOME"])
    return {str(each.relative_to(home)): each.read_text() for each in sorted(home.rglob("*")) if each.is_file()}


BEFORE = {".codex/config.toml": CODEX, ".gemini/settings.json": GEMINI, "dotfiles/gemini.json": GEMINI}


def test_it_connects_what_is_installed_and_takes_itself_out_to_the_byte(lamella: CommandLine) -> None:
    done = lamella.run("setup", "--yes")
    assert (done.code, done.err) == (0, "")
    assert "s3cret" not in done.out
    files = written(lamella)
    server = {"command": str(LAMELLA), "args": ["serve"]}
    assert tomllib.loads(files[".codex/config.toml"])["mcp_servers"]["lamella"] == server
    assert files[".codex/config.toml"].startswith(CODEX)
    assert json.loads(files[".codex/hooks.json"])["hooks"].keys() >= {"SessionStart", "Stop"}
    assert files[".codex/config.toml.before-lamella"] == CODEX
    assert files["dotfiles/gemini.json.before-lamella"] == GEMINI
    assert '\n\t// mine\n\t"theme": "dark",\n' in files["dotfiles/gemini.json"]
    assert (Path(lamella.environment["HOME"]) / ".gemini/settings.json").is_symlink()
    assert "ok      Gemini CLI: connected, its hooks have not run yet; " in lamella.run("doctor").out
    assert lamella.run("setup", "--yes").out == "codex: connected already.\ngemini: connected already.\n"
    assert written(lamella) == files
    assert lamella.run("setup", "--remove", "--yes").code == 0
    assert written(lamella) == BEFORE


def test_it_shows_and_changes_nothing_unless_it_may(lamella: CommandLine) -> None:
    shown = lamella.run("setup", "codex", "--dry-run")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines()[:8] == [
        "codex:",
        "  --- ~/.codex/config.toml",
        "  +++ ~/.codex/config.toml",
        "  @@ -6,0 +7,4 @@",
        "  +",
        "  +[mcp_servers.lamella]",
        f'  +command = "{LAMELLA}"',
        '  +args = ["serve"]',
    ]
    done = lamella.run("setup", stdin=b"y\n")
    assert done.code == 1
    assert done.err == "Nothing was changed: nobody can be asked here. Add --yes to make these changes.\n"
    assert "Make these 3 changes? [y/N]: " in lamella.on_terminal("setup", typed="n\n").out
    assert written(lamella) == BEFORE
    done = lamella.on_terminal("setup", "gemini", typed="y\n")
    assert (done.code, "gemini: wrote ~/.gemini/settings.json" in done.out) == (0, True)
    assert "lamella" in written(lamella)["dotfiles/gemini.json"]


def test_what_others_changed_meanwhile_stays(lamella: CommandLine) -> None:
    lamella.run("setup", "--yes")
    file = Path(lamella.environment["HOME"]) / ".codex/config.toml"
    with file.open("a") as more:
        more.write('\n[mcp_servers.third]\ncommand = "t"\n')
    assert lamella.run("setup", "--remove", "--yes").code == 0
    assert file.read_text() == CODEX + '\n[mcp_servers.third]\ncommand = "t"\n'


def test_a_broken_file_is_named_and_left_alone(lamella: CommandLine) -> None:
    file = Path(lamella.environment["HOME"]) / ".codex/config.toml"
    file.write_text("model = \n")
    done = lamella.run("setup", "--yes")
    assert (done.code, file.read_text()) == (1, "model = \n")
    assert "codex: left alone ~/.codex/config.toml: it cannot be parsed as TOML: Invalid value" in done.out
    assert "gemini: wrote ~/.gemini/settings.json" in done.out


def test_an_unknown_client_is_refused(lamella: CommandLine) -> None:
    done = lamella.run("setup", "emacs")
    assert (done.code, done.out) == (2, "")
    assert "'emacs' is not one of 'claude-code', 'codex', " in done.err
