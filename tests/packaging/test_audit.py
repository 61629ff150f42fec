"""`make audit`: what pip-audit finds fails, and what it can't look up is said in one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.release.audit import main
from tests.unit.support.tables import cases

UNKNOWN = {"name": "attrs", "skip_reason": "Dependency not found on PyPI and could not be audited: attrs (26.1.0)"}
SOUND = {"name": "click", "version": "8.3.1", "vulns": []}


def pip_audit(folder: Path, out: str = "", err: str = "", code: int = 0) -> str:
    """Return a program that says what pip-audit would."""
    (folder / "out").write_text(out)
    (folder / "err").write_text(err)
    program = folder / "pip-audit"
    program.write_text(
        f'#!/bin/sh\ncat "{folder}/out"; cat "{folder}/err" >&2; echo "$@" > "{folder}/got"; exit {code}\n'
    )
    program.chmod(0o700)
    return str(program)


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


@cases
def test_a_finding_fails_and_what_was_not_looked_up_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], packages: Any, code: int, said: list[str]
) -> None:
    assert main(pip_audit(tmp_path, report(*packages), "Found or not", code), ["a.lock", "b.lock"]) == code
    assert capsys.readouterr().out.splitlines() == said
    assert (tmp_path / "got").read_text().split()[-2:] == ["--requirement=a.lock", "--requirement=b.lock"]


@cases
def test_an_index_that_cannot_be_reached_is_no_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], failure: str
) -> None:
    assert main(pip_audit(tmp_path, err=failure, code=1), ["a.lock"]) == 0
    assert capsys.readouterr().out == "Not audited: the index of advisories can't be reached.\n"


def test_any_other_failure_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(pip_audit(tmp_path, err="requirement a is unpinned\n", code=1), ["a.lock"]) == 1
    assert capsys.readouterr().out == "requirement a is unpinned\n"
