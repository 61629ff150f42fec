"""A monorepo of eight packages, each with notes, and decisions that hold for all of it."""

from pathlib import Path

from lamella.application.memories.save import SaveRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from tests.end_to_end.hooks.place import Place
from tests.unit.adapters.git.git_repository import Repository

PACKAGES = ("mailer", "billing", "search", "web", "api", "auth", "reports", "jobs")
WORKED_ON, ITS_NOTES, OTHER_NOTES = "mailer", 30, 40

DECISIONS = (
    "Every package is released together: customers once ran a web front end older than its API.",
    "Timestamps are stored in UTC and shown in the zone of the account.",
    "No package imports another one's internals; the public names are in its index module.",
    "Money is kept in cents, as integers: floats lost a cent on split invoices.",
    "We stay on PostgreSQL 15 until the hoster supports logical slots on 16.",
    "Personal data never leaves the EU region, so logs are scrubbed before they are shipped.",
    "Feature flags live in one table; an environment variable once differed between two hosts.",
    "Retries happen in the queue only: nested retries multiplied by nine during the outage in May.",
    "Dependencies are pinned with hashes, since a typo squatted package reached staging.",
    "The public API is versioned by date, not by number, as partners asked.",
)
"""Decisions of the whole project, which name no file."""

ELSEWHERE = "rebill_all() skips accounts in dunning, since support had to refund 300 of them in June."
"""The oldest note of another package."""

_SUBJECTS = (
    "The queue",
    "A template",
    "The cache",
    "The parser",
    "The worker",
    "The client",
    "A fixture",
    "The job",
)
_FACTS = (
    "must not run twice for one account, because the ledger books each run",
    "was rewritten after the outage in March; the old one leaked a socket for each error",
    "reads its limits at start only, so a new limit needs a restart",
    "keeps the order of events, which the export of the partner relies on",
    "takes a lock of the account first; without it two hosts deadlocked",
)
_FILES = ("src/send.py", "src/render.py", "src/model.py", "tests/test_send.py", "README.md")


def note(package: str, number: int) -> str:
    """Return the text of a package's note."""
    subject = _SUBJECTS[number % len(_SUBJECTS)]
    return f"{subject} of {package} {_FACTS[number % len(_FACTS)]} ({package} case {number})."


def path(package: str, number: int) -> str:
    """Return the file that it is about."""
    return f"packages/{package}/{_FILES[number % len(_FILES)]}"


def fill(lamella: Lamella, call: Call) -> None:
    """Save decisions of the whole project first, then each package's notes, those of `WORKED_ON` first."""
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


def made_in(folder: Path) -> Place:
    """Return the monorepo with its memories."""
    place = Place(folder / "data", folder / "shop")
    repository(place.project)
    with running(place.settings) as lamella:
        fill(lamella, place.call)
    return place
