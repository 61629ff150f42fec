"""A monorepo of eight packages, each with notes, and decisions that hold for all of it."""

import tomllib
from pathlib import Path

from lamella.application.memories.save import SaveRequest
from lamella.container import Lamella
from lamella.domain.call import Call
from tests.end_to_end.git.git_repository import Repository

PACKAGES = ("mailer", "billing", "search", "web", "api", "auth", "reports", "jobs")
WORKED_ON, ITS_NOTES, OTHER_NOTES = "mailer", 30, 40

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DECISIONS: list[str] = _TOLD["decisions"]
_SUBJECTS, _FACTS, _FILES = (_TOLD[each] for each in ("subjects", "facts", "files"))
ELSEWHERE = "rebill_all() skips accounts in dunning, since support had to refund 300 of them in June."
"""The oldest note of another package."""


def note(package: str, number: int) -> str:
    """Return the text of a package's note."""
    subject = _SUBJECTS[number % len(_SUBJECTS)]
    return f"{subject} of {package} {_FACTS[number % len(_FACTS)]} ({package} case {number})."


def path(package: str, number: int) -> str:
    """Return the file that it is about."""
    return f"packages/{package}/{_FILES[number % len(_FILES)]}"


def fill(lamella: Lamella, call: Call) -> None:
    """Save decisions of the whole project, then each package's notes, with those of `WORKED_ON` first."""
    for text in DECISIONS:
        lamella.save(call, SaveRequest(text=text, source="decision"))
    lamella.save(call, SaveRequest(text=ELSEWHERE, paths=(path("billing", 2),)))
    for package in PACKAGES:
        for number in range(ITS_NOTES if package == WORKED_ON else OTHER_NOTES):
            source = "decision" if number % 8 == 0 else "manual"
            paths = (path(package, number),)
            lamella.save(call, SaveRequest(text=note(package, number), source=source, paths=paths))


def repository(root: Path) -> None:
    """Make the repository, with a commit."""
    made = Repository.made(root)
    for package in PACKAGES:
        for number, name in enumerate(_FILES):
            made.write(f"packages/{package}/{name}", f"{package} {number}\n")
    made.commit()
