"""The command of the plugin, which finds the real `lamella`."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.end_to_end.hooks.machine import Machine


class TestFinder:
    """`plugin/bin/lamella`, which runs the real command."""

    @pytest.fixture
    def finder(self, unlinked: Machine) -> Path:
        return unlinked.folder / "plugin" / "bin" / "lamella"

    def command(self, place: Path, name: str) -> Path:
        """A command that says its name and its arguments."""
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'#!/bin/sh\necho "{name}:$#:$*"\n')
        place.chmod(0o755)
        return place

    def said(
        self, finder: Path, environment: Mapping[str, str], *arguments: str
    ) -> tuple[int, str, Sequence[str]]:
        done = subprocess.run(
            ["sh", finder, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.strip(), done.stderr.splitlines()

    def test_it_prefers_what_is_named_then_what_is_on_path_then_what_is_in_the_home(
        self, unlinked: Machine, finder: Path
    ) -> None:
        folder = unlinked.folder
        home = self.command(folder / "home" / ".local" / "bin" / "lamella", "home")
        environment = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin"}
        assert self.said(finder, environment, "a b", "c") == (0, "home:2:a b c", [])
        self.command(folder / "on path" / "lamella", "path")
        environment["PATH"] = f"{folder / 'on path'}:/usr/bin:/bin"
        assert self.said(finder, environment) == (0, "path:0:", [])
        named = self.command(folder / "else where" / "l", "named")
        assert self.said(finder, {**environment, "CLAUDE_PLUGIN_OPTION_COMMAND": str(named)}) == (
            0,
            "named:0:",
            [],
        )
        self.command(folder / "home" / "x" / "l", "tilde")
        assert self.said(finder, {**environment, "CLAUDE_PLUGIN_OPTION_COMMAND": "~/x/l"}) == (0, "tilde:0:", [])
        self.command(folder / "on path" / "lamella-2", "second")
        given = {**environment, "CLAUDE_PLUGIN_OPTION_COMMAND": "lamella-2"}
        assert self.said(finder, given) == (0, "second:0:", [])
        for blank in ("", "${user_config.command}"):
            given = {**environment, "CLAUDE_PLUGIN_OPTION_COMMAND": blank}
            assert self.said(finder, given) == (0, "path:0:", [])
        home.unlink()

    def test_where_there_is_none_it_says_what_to_do(self, unlinked: Machine, finder: Path) -> None:
        environment = {"HOME": str(unlinked.folder / "home"), "PATH": "/usr/bin:/bin"}
        code, out, err = self.said(finder, environment, "serve")
        told = 'lamella is not installed; install it ({}), or name it in the plugin\'s option "command"'
        assert (code, out, err) == (127, "", [told.format("as it was installed before")])
        (unlinked.folder / "pyproject.toml").touch()
        how = f"pipx install '{unlinked.folder}'"
        assert self.said(finder, environment, "serve") == (127, "", [told.format(how)])
        (unlinked.folder / "pyproject.toml").unlink()
        code, out, err = self.said(finder, {**environment, "CLAUDE_PLUGIN_OPTION_COMMAND": "/no/where"}, "serve")
        assert (code, out, len(err)) == (127, "", 1)
        assert "/no/where" in err[0]

    def test_it_never_finds_itself_nor_another_version_of_it(self, unlinked: Machine, finder: Path) -> None:
        other = unlinked.folder / "other version"
        shutil.copytree(unlinked.folder / "plugin", other)
        real = self.command(unlinked.folder / "real" / "lamella", "real")
        folders = [finder.parent, other / "bin", unlinked.folder / "nowhere", real.parent]
        environment = {"PATH": ":".join([*map(str, folders), "/usr/bin:/bin"])}
        assert self.said(finder, environment) == (0, "real:0:", [])
        real.unlink()
        assert self.said(finder, environment)[0] == 127
