"""Where clients keep their configurations. Windows and macOS are untried."""

import pkgutil
from importlib import import_module
from pathlib import Path

from lamella_adapters.cli.setup.client import CLIENTS
from lamella_adapters.cli.setup.machine import UserMachine
from lamella_adapters.hooks import clients as normalisers
from lamella_adapters.hooks.clients import LIKE
from tests.unit.support.tables import cases

ROAMING = "C:/Users/me/AppData/Roaming"


@cases
def test_folders_are_those_of_the_platform(name: str, linux: str, darwin: str, win32: str) -> None:
    for platform, folder in (("linux", linux), ("darwin", darwin), ("win32", win32)):
        machine = UserMachine(home=Path("/h"), environment={"APPDATA": ROAMING}, platform=platform)
        expected = Path("/h") / folder if platform == "win32" else Path(folder)
        assert CLIENTS[name].home(machine) == expected


def test_the_environment_may_name_another_folder() -> None:
    machine = UserMachine(
        home=Path("/h"), environment={"CODEX_HOME": "/c", "XDG_CONFIG_HOME": "/x"}, platform="linux"
    )
    homes = {name: str(CLIENTS[name].home(machine)) for name in ("codex", "zed", "vscode", "qwen")}
    assert homes == {"codex": "/c", "zed": "/x/zed", "vscode": "/x/Code/User", "qwen": "/h/.qwen"}
    assert machine.shown(Path("/h/.qwen/settings.json")) == "~/.qwen/settings.json"
    assert machine.shown(Path("/c/config.toml")) == "/c/config.toml"


def test_each_client_with_hooks_has_a_normaliser() -> None:
    modules = [each.name for each in pkgutil.iter_modules(normalisers.__path__)]
    named = {each for each in modules if hasattr(import_module(f"{normalisers.__name__}.{each}"), "event")}
    assert named | {*LIKE} == {name.replace("-", "_") for name, client in CLIENTS.items() if client.has_hooks}
