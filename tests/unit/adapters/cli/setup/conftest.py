"""A machine on which no client is, and the command there."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lamella_adapters.cli.setup import command
from lamella_adapters.cli.setup.changes import Setup
from lamella_adapters.cli.setup.machine import UserMachine

NEITHER = "nothing was written for this client, because its files only work together"
PLUGIN = "// lamella\nconst hook = __LAMELLA_HOOK__\n"


def files(home: Path) -> Mapping[str, bytes]:
    return {str(each.relative_to(home)): each.read_bytes() for each in home.rglob("*") if each.is_file()}


class Run:
    """Result of the command, run without a terminal or a user to ask."""

    def __call__(self, *arguments: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(command.setup, arguments, input=typed)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def here(home: Path) -> Setup:
    """Return a machine without clients."""
    program = home / "bin" / "lamella"
    program.parent.mkdir()
    program.touch(0o700)
    return Setup(
        machine=UserMachine(home=home, environment={"PATH": str(program.parent)}, platform="linux"),
        command=(str(program), "serve"),
        hook=lambda client, event: f"{program} hook {client} {event}".rstrip(),
        plugins={"opencode": PLUGIN, "cline": PLUGIN},
        folders=home.parent / "data" / "setup-folders.json",
    )


@pytest.fixture
def run(here: Setup, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(command, "setup_here", lambda: here)
    return Run()
