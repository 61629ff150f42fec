"""Two clones of a repository on two machines, which share memories through git alone."""

import re
import subprocess
from functools import partial
from pathlib import Path

import pytest

from tests.end_to_end.cli.exchange.machines import FOLDER, TEXT, Machine
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until


def _has_grown(folder: Path, size: int, process: "subprocess.Popen[bytes]") -> bool:
    return sum(path.stat().st_size for path in folder.glob("*")) >= size or process.poll() is not None


def test_what_one_saves_another_recalls_after_a_pull(ada: Machine, bob: Machine) -> None:
    ada.lamella.saved(TEXT)
    assert ada.share(FOLDER) == [f"Shared in {FOLDER}: 1 memory.", "Written: 1 file(s), for you to commit."]
    assert ada.status() == [f'?? "{FOLDER}/{ada.only.name}"']
    ada.push()
    bob.pull()
    assert bob.recalled() == []
    assert bob.share(FOLDER) == [f"Shared in {FOLDER}: 1 memory.", "Taken over: 1 new."]
    assert bob.recalled() == [TEXT]
    assert [ada.share(), bob.share()] == [[f"Shared in {FOLDER}: 1 memory."]] * 2
    assert [ada.status(), bob.status()] == [[], []]
    assert f"shared      {FOLDER}" in bob.lamella.run("status").out.splitlines()


def test_an_edit_a_purge_and_a_restore_travel(both: tuple[Machine, Machine]) -> None:
    ada, bob = both
    bob.lamella.saved("Staging is reset at noon.", "--replaces", bob.id())
    assert bob.share()[1:] == ["Written: 1 file(s), for you to commit."]
    assert bob.status() == [f' M "{FOLDER}/{bob.only.name}"']
    bob.push()
    ada.pull()
    assert ada.share()[1:] == ["Edited in their files, and replaced: 1."]
    assert ada.recalled() == ["Staging is reset at noon."]

    id, content = ada.id(), ada.files
    ada.lamella.run("purge", id)
    assert ada.share()[1:] == ["Removed: 1 file(s) of purged memories."]
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


def test_changing_branches_purges_and_writes_nothing(both: tuple[Machine, Machine]) -> None:
    ada, _ = both
    ada.clone.git("checkout", "--quiet", "-b", "old", "HEAD~1")
    assert ada.share() == [f"Shared in {FOLDER}: 0 memories."]
    assert (ada.recalled(), ada.files, ada.status()) == ([TEXT], {}, [])
    ada.clone.git("checkout", "--quiet", "main")
    assert ada.share() == [f"Shared in {FOLDER}: 1 memory."]
    assert (ada.recalled(), ada.status()) == ([TEXT], [])


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
    with RawClient(SERVE, env=ada.lamella.environment, cwd=ada.lamella.directory) as client:
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


def test_sharing_ends_and_the_files_stay(both: tuple[Machine, Machine]) -> None:
    ada, _ = both
    stopped = f"Shared no longer: {FOLDER}. Its files stay; delete them with git if you want."
    assert ada.share("--stop") == [stopped]
    assert ada.share("--stop") == ["Nothing was shared."]
    ada.lamella.saved("Prices are stored in cents.")
    assert len(ada.files) == 1
    assert "shared " not in ada.lamella.run("status").out


@pytest.mark.parametrize("folder", ["..", "../other", "/tmp/other", "link", ".", ".git/hooks"])  # noqa: S108 - refused
def test_no_folder_outside_is_shared(ada: Machine, tmp_path: Path, folder: str) -> None:
    (tmp_path / "outside").mkdir()
    (ada.clone.root / "link").symlink_to(tmp_path / "outside")
    done = ada.lamella.run("share", folder)
    assert (done.code, done.out) == (1, "")
    assert list((tmp_path / "outside").iterdir()) == []
    assert "shared " not in ada.lamella.run("status").out


def test_a_folder_and_a_stop_are_not_given_together(ada: Machine) -> None:
    assert "Give either FOLDER or --stop." in ada.lamella.run("share", FOLDER, "--stop").err


def test_many_files_that_are_left_alone_are_counted(ada: Machine) -> None:
    ada.share(FOLDER)
    for number in range(12):
        ada.clone.write(f"{FOLDER}/{number:02}\n.md", "---\nlamella: 9\n---\n")
    lines = ada.share()
    assert lines[1].startswith("Left alone: 00 .md: this export has version 9")
    assert (len(lines), lines[-1]) == (12, "Left alone: 2 more.")
