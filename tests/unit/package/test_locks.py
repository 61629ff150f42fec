"""Locks of the development environment: each package in one version, with the hashes of its files."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
REQUIREMENTS = ROOT / "requirements"
LOCKS = sorted(REQUIREMENTS.glob("*.lock"))
PINNED = re.compile(
    r"[a-z0-9][a-z0-9._-]*(\[[a-z0-9, -]+\])?==\S+( ; .+?)? \\\n( {4}--hash=sha256:[0-9a-f]{64}( \\)?\n)+"
)
VERSION = re.compile(r"^([a-z0-9._-]+).*==(\S+)(.*) \\$", re.MULTILINE)
COMMENT = re.compile(r" *#.*\n")


def test_locks_agree_on_the_version_of_each_package() -> None:
    assert {each.stem for each in LOCKS} == {
        "bench",
        "dev",
        "docs",
        "image",
        "integrations",
        "pip",
        "release",
        "tools",
    }
    pins = {pin for each in LOCKS for pin in VERSION.findall(each.read_text("utf-8"))}
    assert len(pins) == len({(name, marker) for name, _, marker in pins})


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_of_a_lock_has_a_version_and_hashes_and_nothing_else_is_in_it(lock: Path) -> None:
    rest = COMMENT.sub("", lock.read_text("utf-8"))
    assert PINNED.search(rest)
    assert PINNED.sub("", rest) == ""


def test_what_is_installed_is_checked_against_the_hashes() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    installs = [line for line in makefile.splitlines() if "--requirement requirements/" in line]
    assert len(installs) == 8
    assert all("--require-hashes" in line for line in installs)
    # Which index they come from, and which one is asked for advisories, is the business of the tools.
    assert "://" not in makefile


def test_the_image_is_made_of_a_digest_and_of_locked_packages() -> None:
    recipe = (ROOT / "packaging" / "Containerfile").read_text("utf-8").replace("\\\n", "")
    assert re.findall(r"^FROM (.*)", recipe, re.MULTILINE) == re.findall(r"\S+@sha256:[0-9a-f]{64}", recipe)
    installs = re.findall(r"pip install ([^&]*)", recipe)
    assert ["--require-hashes" in each or "--no-deps" in each for each in installs] == [True, True]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = {
        re.split(r"[\[>=<]", each)[0]
        for each in [*project["dependencies"], *extras["http"], *extras["postgresql"]]
    }
    locked = re.findall(r"^([a-z0-9.-]+)", (REQUIREMENTS / "image.lock").read_text("utf-8"), re.MULTILINE)
    assert needed - set(locked) == set()
