"""A pytest of an author of adapters, as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from attrs import frozen


@frozen
class Outcome:
    """Outcome of one test: `passed`, `failure`, `error` or `pytest.xfail`, and why."""

    kind: str
    said: str = ""


Report = Mapping[str, Mapping[str, Outcome]]
"""Outcomes by module, and by test."""


def run_pytest(folder: Path, *tests: str) -> None:
    """Run pytest in `folder`, without a conftest, a marker or a plugin of ours."""
    # Options and measurements of the run that this test is part of are not for the one that it starts.
    outer = ("PYTEST_", "COV_", "COVERAGE_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junit-xml=report.xml"]
    run = subprocess.run([*command, *tests], cwd=folder, env=environment, capture_output=True, check=False)
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout + run.stderr


def read_report(folder: Path) -> Report:
    """Return the outcomes of the tests that were run in `folder`."""
    report: dict[str, dict[str, Outcome]] = {}
    for case in ET.parse(folder / "report.xml").iter("testcase"):  # noqa: S314 - by the pytest of this run
        tests_of_module = report.setdefault(case.attrib["classname"].partition(".")[0], {})
        assert case.attrib["name"] not in tests_of_module
        said = (Outcome(each.get("type", each.tag), f"{each.get('message')}\n{each.text or ''}") for each in case)
        tests_of_module[case.attrib["name"]] = next(said, Outcome("passed"))
    return report
