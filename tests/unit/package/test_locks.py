"""Locks of the development environment: each package in one version, with the hashes of its files."""

import re
from pathlib import Path

import pytest

REQUIREMENTS = Path(__file__).parents[3] / "requirements"
LOCKS = sorted(REQUIREMENTS.glob("*.lock"))
PINNED = re.compile(
    r"[a-z0-9][a-z0-9._-]*(\[[a-z0-9, -]+\])?==\S+( ; .+?)? \\\n( {4}--hash=sha256:[0-9a-f]{64}( \\)?\n)+"
)
COMMENT = re.compile(r" *#.*\n")


def test_there_are_locks() -> None:
    assert {each.name for each in LOCKS} == {"bench.lock", "dev.lock", "release.lock"}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_of_a_lock_has_a_version_and_hashes_and_nothing_else_is_in_it(lock: Path) -> None:
    rest = COMMENT.sub("", lock.read_text("utf-8"))
    assert PINNED.search(rest)
    assert PINNED.sub("", rest) == ""


def test_what_is_installed_is_checked_against_the_hashes() -> None:
    makefile = (REQUIREMENTS.parent / "Makefile").read_text("utf-8")
    installs = [line for line in makefile.splitlines() if ".lock" in line and " install " in line]
    assert len(installs) == 3
    assert all("--require-hashes" in line for line in installs)
