"""The tasks of `docs/library.md`, as a reader types them one after the other in an empty folder."""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from tests.end_to_end.git.git_repository import ENVIRONMENT
from tests.words_only import WORDS_ONLY

PAGE = Path(__file__).parents[3] / "docs" / "library.md"
END = "--- the end of a block ---"
REASON = "One attempt only: the bank charged a card three times."


def test_every_task_of_the_page_works(tmp_path: Path) -> None:
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    reader = Reader(tmp_path)

    said = [lines for language, group in groupby(blocks, itemgetter(0)) for lines in reader.types(language, group)]

    assert [language for language, _ in blocks] == ["sh", *["python"] * 11, "sh", "python"]
    _, _, (saved, found), noted, (ada, bob, *chat), forgotten, recalled, (why, *_), corrected, awaited, *said = (
        said
    )
    (projects, *released), exported, _, (removed, *warning) = said
    assert re.sub("^[0-9a-f-]{36}", "ID", saved) == "ID Staging is reset every night."
    assert re.sub(r"^[\d.]+", "STRENGTH", found) == "STRENGTH Staging is reset every night."
    assert noted == ["2026-03-02 Ada"]
    assert (ada, bob) == ("I know: I am allergic to nuts.", "I know: nothing")
    assert chat[0] == 'Found 2 result(s) for "cake":'
    assert forgotten == ["1", "1 ()"]
    assert (recalled[1], recalled[-1]) == ("Staging is reset every night.", "1 strong None")
    assert re.match(r"Staging is reset every night\. \{.*'words'.*\} \{'staging': .*, 'reset': .*\}$", why)
    assert corrected == [
        "['Staging is reset on Sundays too.', 'Staging is never reset.']",
        "['Staging is reset on Sundays too.'] {'00000000': 'not found'}",
        "()",
    ]
    assert awaited == ["['Staging is reset every night.']"]
    assert exported == ["0 True"]
    assert projects == "['shop', 'warehouse', 'work']"
    assert "Released 1.4 of shop." in released[0]
    assert re.sub(r"^[\d-]{10}", "DATE", removed) == f"DATE +1 -3 {REASON}"
    assert re.sub(r"[\d-]{10}|[0-9a-f]{8}", "?", "\n".join(warning)) == (
        "This edit brings back code that was removed on ?. See why before you keep it: recall with id ?.\n"
        f'Data of that removal: path "main.c", title "{REASON}"'
    )


class Reader:
    """Someone in an empty folder, with one shell."""

    def __init__(self, home: Path) -> None:
        self.folder = home
        self.environment = {**ENVIRONMENT, "LAMELLA_DATA_DIR": f"{home}/data", "HOME": str(home), **WORDS_ONLY}

    def types(self, language: str, blocks: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
        """Yield the lines that each block of a language prints. One process runs those of Python, apart."""
        texts = [text for _, text in blocks]
        if language == "python":
            programs = [f"import lamella\n{each}" for each in texts]
            run = f"for each in {programs!r}:\n    exec(each, {{'__name__': '__main__'}})\n    print({END!r})"
            printed = "\n".join(self.runs(sys.executable, "-W", "error", "-c", run))
            yield from (each.strip().splitlines() for each in printed.split(END)[:-1])
        for each in texts if language == "sh" else ():
            typed = each.replace("pip install", "true")  # it is installed
            *said, folder = self.runs("sh", "-ec", f"{typed}\npwd")
            self.folder = Path(folder)
            yield said

    def runs(self, *command: str) -> list[str]:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        return done.stdout.splitlines()
