import json
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from lamella_adapters.process import installation
from lamella_adapters.process.installation import install_command, own_command, source
from tests.unit.support.tables import cases


class Installed:
    """Stands in for the distribution of lamella, with what its installer noted."""

    requires = ("attrs>=24.2", "jinja2>=3; extra == 'web'", "no.such-package; extra == 'web'")

    def __init__(self, noted: object) -> None:
        self.noted = noted

    def read_text(self, name: str) -> str | None:
        """Return what a file of the distribution says."""
        assert name == "direct_url.json"
        return None if self.noted is None else json.dumps(self.noted)


PIP = f"{sys.executable} -m pip install"


@cases
def test_an_extra_is_installed_as_lamella_was(
    noted: object, left: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(installation, "distribution", lambda _: Installed(noted))
    monkeypatch.setattr(installation, "_is_installed", lambda _: False)
    if left:
        (tmp_path / left).touch()
    assert install_command("semantic") == command


@pytest.mark.parametrize("left", ["pipx_metadata.json", "uv-receipt.toml"])
@pytest.mark.parametrize(("there", "named"), [(("jinja2", "no.such-package"), "semantic,web"), ((), "semantic")])
def test_extras_that_are_there_are_named_again_where_the_environment_is_made_anew(
    left: str, there: tuple[str, ...], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def distribution(name: str) -> Installed:
        if name not in {"lamella", *there}:
            raise PackageNotFoundError(name)
        return Installed({"url": "file:///src", "dir_info": {}})

    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(installation, "distribution", distribution)
    (tmp_path / left).touch()
    assert install_command("semantic").endswith(f" --force '/src[{named}]'")
    (tmp_path / left).unlink()
    assert install_command("semantic") == f"{PIP} '/src[semantic]'"
    assert source() == "/src"


def test_without_pip_it_is_uv_that_installs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(installation, "distribution", lambda _: Installed(None))
    monkeypatch.setattr(installation, "find_spec", lambda _: None)
    assert install_command("onnx") == f"uv pip install --python {sys.executable} 'lamella[onnx]'"


def test_the_own_command_is_found_by_an_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running, beside = tmp_path / "a" / "lamella", tmp_path / "b" / "lamella"
    for each in (running, beside):
        each.parent.mkdir()
        each.touch(0o700)
    monkeypatch.setattr(sys, "argv", [str(running)])
    monkeypatch.setattr(sys, "executable", str(beside.with_name("python")))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert own_command() == str(running)
    running.chmod(0o600)
    assert own_command() == str(beside)
    beside.unlink()
    assert own_command() == "lamella"
