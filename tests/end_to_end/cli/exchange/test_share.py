"""Two clones of a repository on two machines, which share memories through git alone."""

import re
import subprocess
from functools import partial
from pathlib import Path

from tests.end_to_end.cli.exchange.machines import FOLDER, Machine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until


def _has_grown(folder: Path, size: int, process: "subprocess.Popen[bytes]") -> bool:
    return sum(path.stat().st_size for path in folder.glob("*")) >= size or process.poll() is not None


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
