"""Texts that the demo saves: the history of the repository it stands in, or the next best real text."""

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

import lamella
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS
from lamella.domain.text.printing import one_line
from lamella.domain.text.words import STOP_WORDS

_MAX_COMMITS = 30
_MAX_PIECES = 45
_MAX_CHARACTERS = 4_000
"""Of one text; the demo is to be read, not to be waited for."""

_ENOUGH_CHARACTERS = 20_000
"""So much text doesn't fit into one reply, whatever it is, and the demo is to show what happens then."""

_MAX_LISTED = 40
_MAX_PATHS = 10
_GIT_SECONDS = 60.0
_WORDS = 3
_WORD = re.compile(r"[^\W_]{2,20}")


@frozen
class Piece:
    """One thing to save."""

    title: str
    text: str
    paths: tuple[str, ...] = ()


def gather(directory: Path) -> tuple[list[Piece], list[str]]:
    """Return what to save: the newest commits of the repository that `directory` is in.

    Where they say too little, add files of the repository, and then lamella's own.

    Returns:
        The pieces, and sentences that say where they are from.
    """
    pieces: list[Piece] = []
    top = _top(directory)
    if top is None:
        origin = [f"{directory} is not in a git repository, so there are no commits to save."]
    else:
        pieces = _commits(top)
        some = f"The newest {len(pieces)} commit(s) of the git repository {top}."
        origin = [some if pieces else f"The git repository {top} has no commits yet."]
        if added := _fill(pieces, _files(top)):
            origin.append(f"To have more than one reply can hold, also the beginnings of {added} of its files.")
    if added := _fill(pieces, _own_files()):
        origin.append(f"To have more than one reply can hold, {added} of lamella's own source files.")
    return pieces, origin


def _fill(pieces: list[Piece], more: Iterator[Piece]) -> int:
    """Add pieces until there is enough. Return how many were added."""
    before = len(pieces)
    for piece in more:
        enough = sum(len(one_line(each.text)) for each in pieces) >= _ENOUGH_CHARACTERS
        if enough or len(pieces) >= _MAX_PIECES:
            break
        pieces.append(piece)
    return len(pieces) - before


def telling_words(pieces: Sequence[Piece]) -> tuple[int, str]:
    """Return the number of a piece, and up to three of its words, at least one of which no other has.

    They are from a title if a title has such a word; the text of a commit has its hash.
    """
    texts = [f"{piece.title} {piece.text}" for piece in pieces]
    spread = Counter(word.casefold() for text in texts for word in _words(text))

    def rarest(text: str) -> list[str]:
        words = _words(text)
        # The longest of equals: they say more.
        chosen = sorted(words, key=lambda word: (spread[word.casefold()], -len(word)))[:_WORDS]
        return [word for word in words if word in chosen]

    for sources in ([piece.title for piece in pieces], texts):
        found = [(number, rarest(text)) for number, text in enumerate(sources)]
        telling = [each for each in found if any(spread[word.casefold()] == 1 for word in each[1])]
        if telling:
            number, words = min(telling, key=lambda each: max(spread[word.casefold()] for word in each[1]))
            return number, " ".join(words)
    return 0, pieces[0].title


def _words(text: str) -> list[str]:
    """Return each word once, whatever its case, without those that a search leaves out."""
    words = {word.casefold(): word for word in _WORD.findall(text)}
    return [word for folded, word in words.items() if folded not in STOP_WORDS]


def _top(directory: Path) -> Path | None:
    answer = _git(directory, "rev-parse", "--show-toplevel")
    return Path(answer.removesuffix("\n")) if answer else None


def _commits(top: Path) -> list[Piece]:
    # Marks that no text holds: \x01 before a commit, \x02 after each of its parts, \x00 after each file.
    form = "--format=%x01%h%x02%s%x02%b%x02"
    written = _git(
        top, "log", f"-{_MAX_COMMITS}", "-z", "--numstat", "--no-renames", "--diff-merges=first-parent", form
    )
    return [
        _commit(top, each, newest=number == 0) for number, each in enumerate((written or "").split("\x01")[1:])
    ]


def _commit(top: Path, written: str, *, newest: bool) -> Piece:
    """Return a commit with what it added and deleted; the files of the newest one are attached as they are now."""
    hash_, subject, body, listed = written.split("\x02", 3)
    counts = [each.split("\t", 2) for each in listed.strip("\n\x00").split("\x00") if each]
    files = [f"- {name} +{added} -{deleted}" for added, deleted, name in counts[:_MAX_LISTED]]
    if len(counts) > len(files):
        files.append(f"- and {len(counts) - len(files)} more")
    parts = [subject, body.strip()[:_MAX_CHARACTERS], "Files:\n" + "\n".join(files) if files else ""]
    return Piece(
        title=one_line(subject)[:MAX_TITLE_CHARACTERS] or f"Commit {hash_}",
        text="\n\n".join(part for part in [*parts, f"Commit {hash_}"] if part),
        paths=tuple(name for _, _, name in counts if newest and _is_inside(top, name))[:_MAX_PATHS],
    )


def _is_inside(top: Path, name: str) -> bool:
    """Return True if it is still a file of the working tree, and no link that leads out of it."""
    real = (top / name).resolve()
    return real.is_file() and real.is_relative_to(top.resolve())


def _files(top: Path) -> Iterator[Piece]:
    for name in (_git(top, "ls-files", "-z") or "").split("\x00"):
        if name and _is_inside(top, name) and (text := _beginning(top / name)):
            yield Piece(title=one_line(name)[-MAX_TITLE_CHARACTERS:], text=text, paths=(name,))


def _own_files() -> Iterator[Piece]:
    package = Path(lamella.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if text := _beginning(path):
            yield Piece(title=f"lamella/{path.relative_to(package).as_posix()}", text=text)


def _beginning(path: Path) -> str:
    """Return the first characters of a text file; empty for any other."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(_MAX_CHARACTERS)
    except (OSError, UnicodeDecodeError):
        return ""
    return "" if "\x00" in text else text.strip()


def _git(directory: Path, *arguments: str) -> str | None:
    """Return what git prints; None if it fails or is not there. Nothing that a repository configures is run."""
    settings = ("core.fsmonitor=false", "core.quotePath=false", "log.showSignature=false", "log.showRoot=true")
    command = ["git", "-C", str(directory), *(part for each in settings for part in ("-c", each)), *arguments]
    # The repository is the one of the directory, not one that a hook of another was started with.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - a list of our own words, no shell
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_GIT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode(errors="replace")
