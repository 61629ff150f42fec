"""Two clones of one repository on two machines share a memory that was saved a moment ago."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.postgresql.machines import LATER, SAVED
from tests.end_to_end.support.unhurried import ROOT
from tests.waiting import HANG_SECONDS

ALONE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")


def test_what_one_machine_saves_the_other_finds_and_its_hooks_show(tmp_path: Path) -> None:
    if not (shutil.which("unshare") and shutil.which("ip")):
        pytest.skip("needs unshare and ip, of util-linux and iproute2")
    if (tried := subprocess.run([*ALONE, "true"], capture_output=True, check=False)).returncode:
        pytest.skip(f"no namespaces can be made here: {tried.stderr.decode().strip()}")
    done = subprocess.run(
        [*ALONE, sys.executable, "-m", "tests.end_to_end.postgresql.machines", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    seen = {what: said for line in done.stdout.splitlines() for what, said in json.loads(line).items()}
    assert seen["hook before"] == ""
    assert "Memory saved" in seen["saved"]
    assert SAVED in seen["recalled"]
    assert SAVED in seen["hook"]
    assert LATER in seen["prompt"]
    # Without a network, hooks show what was copied last.
    assert SAVED in seen["cut off"]
