"""The tasks of `docs/library.md`, run as a program of its own."""

import re
import subprocess
import sys
from pathlib import Path

from tests.words_only import WORDS_ONLY

PAGE = Path(__file__).parents[3] / "docs" / "library.md"


def test_every_task_of_the_page_works(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 6
    for name in ("work", "shop", "warehouse"):
        (tmp_path / name).mkdir()
    environment = {
        "PATH": "/usr/bin:/bin",
        "LAMELLA_DATA_DIR": str(tmp_path / "data"),
        "HOME": str(tmp_path),
        **WORDS_ONLY,
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert said[1].endswith("Staging is reset every night.")
    assert "Staging is reset every night." in "\n".join(said[2:-2])
    assert said[-2:] == [
        "['Staging is never reset.'] {'00000000': 'not found'}",
        "['shop', 'warehouse', 'work']",
    ]
