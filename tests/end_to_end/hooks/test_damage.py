"""Hooks of a plugin whose files or links are missing or broken: they go around it, or do nothing."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from lamella_adapters.hooks.launch.interpreter_link import link
from tests.end_to_end.hooks.edits import EDIT, EDITED, hunks
from tests.end_to_end.hooks.machine import Machine
from tests.end_to_end.support.unhurried import ROOT
from tests.unit.support.tables import cases


class TestDamage:
    """Files that are missing or broken: the hook goes around them or does nothing, and keeps the input."""

    @pytest.fixture(autouse=True)
    def _linked(self, unlinked: Machine) -> None:
        link(str(unlinked.linked))

    @cases
    def test_paths(self, unlinked: Machine, content: bytes | None) -> None:
        paths = unlinked.linked / "paths"
        whole = paths.read_bytes()
        paths.unlink()
        if content is not None:
            paths.write_bytes(content)
        unlinked.tell(EDIT)
        assert hunks(unlinked) == EDITED
        assert paths.read_bytes() == whole

    @pytest.mark.parametrize("content", ["\n", ".\n", "planted\n"])
    def test_paths_never_lead_into_the_folder_that_a_hook_runs_in(self, unlinked: Machine, content: str) -> None:
        for folder in (unlinked.folder, unlinked.folder / "planted"):
            hooks = folder / "lamella_adapters" / "claude_code" / "hooks"
            hooks.mkdir(parents=True)
            (hooks / "run.py").write_text("def run(): open('foreign', 'w').close()")
        (unlinked.linked / "paths").write_text(content)
        unlinked.tell(EDIT)
        assert hunks(unlinked) == EDITED
        assert not (unlinked.folder / "foreign").exists()

    @pytest.mark.parametrize("target", ["/nowhere/python", "/bin/false", None])
    def test_interpreter(self, unlinked: Machine, target: str | None) -> None:
        python = unlinked.linked / "python"
        python.unlink()
        if target is not None:
            python.symlink_to(target)
        unlinked.tell(EDIT)
        assert hunks(unlinked) == EDITED
        assert python.readlink() == Path(sys.executable).resolve()

    def test_interpreter_that_is_another(self, unlinked: Machine) -> None:
        python = unlinked.linked / "python"
        python.unlink()
        python.symlink_to(shutil.which("true") or "/usr/bin/true")
        unlinked.tell(EDIT)
        assert unlinked.spooled() == []

    def test_package(self, unlinked: Machine) -> None:
        broken = unlinked.folder / "broken"
        (broken / "lamella_adapters").mkdir(parents=True)
        (broken / "lamella_adapters" / "__init__.py").write_text("raise SystemExit(2)")
        (unlinked.linked / "paths").write_text(f"{broken}\n")
        unlinked.tell(EDIT)
        assert hunks(unlinked) == EDITED

    @pytest.mark.parametrize("missing", ["hooks", "bin"])
    def test_scripts(self, unlinked: Machine, missing: str) -> None:
        gone = unlinked.folder / "plugin" / missing
        kept = json.loads((unlinked.folder / "plugin" / "hooks" / "hooks.json").read_text("utf-8"))
        gone.rename(gone.with_name("gone"))
        (unlinked.folder / "plugin" / "hooks").mkdir(exist_ok=True)
        (unlinked.folder / "plugin" / "hooks" / "hooks.json").write_text(json.dumps(kept))
        unlinked.tell(EDIT)
        assert hunks(unlinked) == EDITED

    def test_all_at_once(self, unlinked: Machine) -> None:
        shutil.rmtree(unlinked.linked)
        (unlinked.folder / "bin" / "lamella").unlink()
        unlinked.tell(EDIT)
        assert not unlinked.data.exists()
        assert not unlinked.linked.exists()

    def test_plugin_data_that_cannot_be_written(self, unlinked: Machine) -> None:
        shutil.rmtree(unlinked.linked)
        unlinked.linked.touch()
        unlinked.tell(EDIT)
        assert hunks(unlinked) == EDITED

    def test_a_module_of_a_hook_that_is_missing(self, unlinked: Machine) -> None:
        copied = unlinked.folder / "copied"
        for name in ("src/lamella", "adapters/lamella_adapters"):
            shutil.copytree(ROOT / name, copied / name.partition("/")[2], ignore=shutil.ignore_patterns("*.pyc"))
        (copied / "lamella" / "domain" / "privacy" / "redaction.py").unlink()
        (unlinked.linked / "paths").write_text(f"{copied}\n")
        unlinked.tell(EDIT)
        assert unlinked.spooled() == []
