"""The table of wheels for search by meaning is true of the locked releases, as far as an index can be asked."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.markers import Marker

from tests.lacking import do_without

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "meaning.md").read_text("utf-8").partition("## What has wheels")[2]
LOCK = (ROOT / "requirements" / "dev.lock").read_text("utf-8")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = {
    "Linux x86-64": ["manylinux_2_17_x86_64", "manylinux_2_27_x86_64", "manylinux_2_28_x86_64"],
    "Linux ARM": ["manylinux_2_17_aarch64", "manylinux_2_27_aarch64", "manylinux_2_28_aarch64"],
    "macOS on Apple silicon": ["macosx_11_0_arm64", "macosx_14_0_arm64"],
}
HEAD, _, *ROWS = (
    [*map(str.strip, line.strip("|").split("|"))] for line in re.findall(r"^\|.*\|$", TABLE, re.MULTILINE)[:8]
)
LOCKED = re.compile(
    r"^(?P<name>[\w-]+)==(?P<version>\S+)(?: ; (?P<marker>.*?))? \\\n(?P<hashes>(?:    --hash.*\n)+)", re.MULTILINE
)


def locked(python: str) -> dict[str, tuple[str, set[str]]]:
    """Return version and hashes of each package that is locked for this Python."""
    where = {"python_full_version": f"{python}.0", "python_version": python, "platform_machine": "x86_64"}
    return {
        each["name"]: (each["version"], set(re.findall("sha256:([0-9a-f]+)", each["hashes"])))
        for each in LOCKED.finditer(LOCK)
        if not each["marker"] or Marker(each["marker"]).evaluate(where)
    }


def test_the_table_has_all_platforms_and_the_packages_of_the_extra() -> None:
    assert ["package", *PLATFORMS] == HEAD
    assert [row[1:] for row in ROWS] == [["3.11 to 3.14"] * len(PLATFORMS)] * len(ROWS)
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    extra = re.findall(r'"([\w-]+)>=', re.findall(r"^semantic = .*$", project, re.MULTILINE)[0])
    assert {*extra, "hf-xet"} == {row[0] for row in ROWS}


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_locked_release_has_a_wheel(tmp_path: Path, platform: str, python: str) -> None:
    known = locked(python)
    wanted = [f"{name}=={known[name][0]}" for name, *_ in ROWS]
    options = [
        "--dry-run",
        "--quiet",
        "--no-deps",
        "--ignore-installed",
        "--only-binary",
        ":all:",
        "--retries",
        "1",
    ]
    target = [f"--platform={each}" for each in PLATFORMS[platform]]
    target += [f"--python-version={python}", "--ignore-requires-python", f"--target={tmp_path / 'nothing'}"]
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "pip", "install", *options, *target, f"--report={report}", *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "connection" in done.stderr.lower():
        do_without("the package index can't be reached")
    assert done.returncode == 0, done.stderr
    found = {
        each["metadata"]["name"].replace("_", "-"): each["download_info"]["archive_info"]["hashes"]["sha256"]
        for each in json.loads(report.read_text("utf-8"))["install"]
    }
    assert found.keys() == {row[0] for row in ROWS}
    assert {name for name, digest in found.items() if digest not in known[name][1]} == set()
