"""Two clones of a repository on two machines, which share memories through git alone."""

import re
import subprocess
from functools import partial
from pathlib import Path

import pytest

from tests.end_to_end.cli.exchange.machines import FOLDER, Machine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until


def _has_grown(folder: Path, size: int, process: "subprocess.Popen[bytes]") -> bool:
    return sum(path.stat().st_size for path in folder.glob("*")) >= size or process.poll() is not None


def test_an_edit_a_purge_and_a_restore_travel(both: tuple[Machine, Machine]) -> None:
    ada, bob = both
    bob.lamella.saved("Staging is reset at noon.", "--replaces", bob.id())
    assert bob.share()[1:] == ["Written: 1 file, for you to commit."]
    assert bob.status() == [f' M "{FOLDER}/{bob.only.name}"']
    bob.push()
    ada.pull()
    assert ada.share()[1:] == ["Edited in their files, and replaced: 1."]
    assert ada.recalled() == ["Staging is reset at noon."]

    id, content = ada.id(), ada.files
    ada.lamella.run("purge", id)
    assert ada.share()[1:] == ["Removed: 1 file of purged memories."]
    ada.push()
    bob.pull()
    assert bob.share()[1:] == ["Purged, as their files are gone: 1. To take that back: lamella restore ID"]
    assert bob.recalled() == []

    bob.lamella.run("restore", id)
    bob.share()
    assert bob.files == content
    bob.push()
    ada.pull()
    assert ada.share()[1:] == ["Restored, as their files are back: 1."]
    assert (ada.recalled(), ada.status(), bob.status()) == (["Staging is reset at noon."], [], [])


def test_a_purge_arrives_on_a_branch_that_was_begun_after_it(both: tuple[Machine, Machine]) -> None:
    ada, bob = both
    ada.lamella.run("purge", ada.id())
    ada.share()
    ada.push()
    bob.clone.git("checkout", "--quiet", "-b", "feature")
    bob.clone.commit(work="1\n")
    bob.share()
    bob.clone.git("checkout", "--quiet", "main")
    bob.pull()
    bob.clone.git("checkout", "--quiet", "-b", "next")
    bob.share()
    assert bob.recalled() == []


def test_a_conflict_is_gits_own_and_everything_else_goes_on(both: tuple[Machine, Machine]) -> None:
    ada, bob = both
    ada.lamella.saved("Staging is reset at noon.", "--replaces", ada.id())
    ada.lamella.saved("Prices are stored in cents.")
    ada.share()
    ada.push()
    bob.lamella.saved("Staging is reset at six.", "--replaces", bob.id())
    bob.share()
    bob.clone.commit()
    with pytest.raises(subprocess.CalledProcessError):
        bob.pull()
    (name,) = (name for name, text in bob.files.items() if "<<<<<<<" in text)
    left = f"Left alone: {name}: it has git's conflict markers (<<<<<<<). Resolve the conflict."
    assert bob.share() == [f"Shared in {FOLDER}: 2 memories.", "Taken over: 1 new.", left]
    assert (bob.recalled("prices"), bob.recalled()) == (
        ["Prices are stored in cents."], ["Staging is reset at six."],
    )  # fmt: skip
    bob.clone.git("checkout", "--theirs", "--", f"{FOLDER}/{name}")
    assert bob.share()[1:] == ["Edited in their files, and replaced: 1."]
    bob.push()
    ada.pull()
    ada.share()
    assert ada.recalled() == bob.recalled() == ["Staging is reset at noon."]
    assert [ada.status(), bob.status()] == [[], []]


def test_a_sync_that_is_killed_anywhere_is_mended_by_the_next(ada: Machine, bob: Machine) -> None:
    lines = [f"Fact {number} of the orchard." for number in range(45)]
    with RawClient(Command(SERVE, ada.lamella.directory, ada.lamella.environment)) as client:
        for number, line in enumerate(lines):
            client.call(number, "save_memory", text=line)
    for count in (1, 15, 30):
        with ada.lamella.started("share", FOLDER) as process:
            until(partial(_has_grown, ada.folder, 300 * count, process))
            process.kill()
    assert ada.share()[0] == f"Shared in {FOLDER}: 45 memories."
    assert len(ada.files) == 45
    assert all(re.fullmatch(r"\?\? \"docs/memory/[^/]* Fact \d+ .*\.md\"", line) for line in ada.status())
    ada.push()
    bob.share(FOLDER)
    bob.pull()
    journal = bob.lamella.data / "projects"
    for size in (1, 100_000, 200_000):
        with bob.lamella.started("share", FOLDER) as process:
            until(partial(_has_grown, journal, size, process))
            process.kill()
    assert bob.share()[0] == f"Shared in {FOLDER}: 45 memories."
    assert bob.lamella.run("recall", "--limit", "50").out.count("Fact") == 45
    assert bob.status() == []
