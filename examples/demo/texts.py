"""Texts for the demo to save: the newest commits of this checkout, and pages if the commits are few."""

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from examples.demo import screen
from lamella.domain.text.printing import counted

ROOT = Path(__file__).parents[2]
"""Top of the checkout."""

MAX_COMMITS = 30

_MAX_CHARACTERS = 4_000
"""Maximum length of one text. Longer texts would make the demo slow to read."""

_ENOUGH_CHARACTERS = 15_000
"""Minimum total length of the texts. They must not fit into one reply: the demo shows a truncated one."""


@frozen
class Piece:
    """A text to save as one memory."""

    text: str

    @property
    def title(self) -> str:
        """The first line, without the sign of a heading."""
        return self.text.partition("\n")[0].removeprefix("# ")


def gather() -> Sequence[Piece]:
    """Return the texts to save, the newest commit first. Say where they come from."""
    pieces = [*_commits()]
    if pieces:
        screen.say(f"The newest {counted(len(pieces), 'commit')} of the git repository {ROOT}.")
    else:
        screen.say(f"{ROOT} has no git history, so there are no commits to save.")
    if git("rev-parse", "--is-shallow-repository") == "true":
        screen.say("The clone is shallow. To show more: git fetch --unshallow")
    commits = len(pieces)
    for page in sorted((ROOT / "docs").glob("*.md")):
        if sum(len(piece.text) for piece in pieces) >= _ENOUGH_CHARACTERS:
            break
        pieces.append(Piece(page.read_text("utf-8")[:_MAX_CHARACTERS]))
    if added := len(pieces) - commits:
        screen.say(
            f"The demo also saves the beginnings of {counted(added, 'page')} of docs, to fill several replies."
        )
    return pieces


def git(*arguments: str) -> str:
    """Return the output of git in this checkout; empty if the checkout has no repository, or git fails."""
    # In a source archive, git would find a repository around the checkout.
    if not (ROOT / ".git").exists():
        return ""
    done = subprocess.run(  # noqa: S603 - git alone
        ["git", *arguments],  # noqa: S607 - from the user's PATH
        cwd=ROOT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.stdout.strip()


def _commits() -> Iterator[Piece]:
    """Yield the message, id and changed files of each of the newest commits."""
    shown = ("--no-merges", f"--max-count={MAX_COMMITS}", "--format=%x00%B%nCommit %h%n%nFiles:", "--name-only")
    for text in git("log", *shown).split("\0")[1:]:
        yield Piece(text.strip()[:_MAX_CHARACTERS])
