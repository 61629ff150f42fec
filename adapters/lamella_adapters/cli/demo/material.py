"""Texts for the demo to save: the history of the repository, or other real texts if the history is too short."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

import lamella
from lamella.domain.errors import HistoryUnreadableError
from lamella.domain.memories.observation import CodeChange
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS
from lamella.domain.text.printing import counted, one_line
from lamella.domain.text.words import STOP_WORDS
from lamella.entry_points import adapter
from lamella.ports.history import CodeHistory, Commit
from lamella.ports.working_tree import WorkingTree
from lamella_adapters.process.tables import table

_MAX_COMMITS = 30
_MAX_PIECES = 45
_MAX_CHARACTERS = 4_000
"""Maximum length of one text. Longer texts would make the demo slow to read."""

_ENOUGH_CHARACTERS = 20_000
"""Minimum total length of the texts. They must not fit into one reply: the demo shows a truncated one."""

_MAX_LISTED = 40
_MAX_PATHS = 10
_ID_CHARACTERS = 10
_WORDS = 3

_OTHER_WORDS: dict[str, str] = table(__file__, "other_words")
"""Synonyms of words that are frequent in commit messages."""

_ANY_WORD = re.compile(r"(\W+)")
_WORD = re.compile(r"[^\W_]{2,20}")


@frozen
class Piece:
    """A text to save as one memory."""

    title: str
    text: str
    paths: tuple[str, ...] = ()


@frozen
class Material:
    """The material of the demo.

    Attributes:
        root: Top of the working tree.
        commits: Newest commits of the repository, the latest first.
        pieces: The texts to save.
        origin: Sentences about the source of the texts.
    """

    root: Path
    commits: Sequence[Commit]
    pieces: Sequence[Piece]
    origin: Sequence[str]


def gather(directory: Path) -> Material:
    """Return the texts to save: the newest commits of the repository around `directory`.

    If these texts are too short, add files changed by these commits, and then lamella's own files.
    """
    tree: WorkingTree = adapter("working_tree", "git")()
    location = tree.locate(directory)
    root, commits = location.root, _commits(location.root)
    pieces = [_piece(root, commit, newest=number == 0) for number, commit in enumerate(commits)]
    if commits:
        origin = [f"The newest {counted(len(pieces), 'commit')} of the git repository {root}."]
    elif location.key.startswith("git:"):
        origin = [f"The git repository {root} has no commits yet."]
    else:
        origin = [f"{directory} is not in a git repository, so there are no commits to save."]
    if added := _fill(pieces, _files(root, commits)):
        origin.append(f"The demo also saves the beginnings of {added} of its files, to fill several replies.")
    if added := _fill(pieces, _own_files()):
        origin.append(f"The demo also saves {added} of lamella's own source files, to fill several replies.")
    return Material(root, commits, pieces, origin)


def _fill(pieces: list[Piece], more: Iterator[Piece]) -> int:
    """Add texts until they are long enough for several replies. Return the number of added texts."""
    before = len(pieces)
    for piece in more:
        enough = sum(len(one_line(each.text)) for each in pieces) >= _ENOUGH_CHARACTERS
        if enough or len(pieces) >= _MAX_PIECES:
            break
        pieces.append(piece)
    return len(pieces) - before


def telling_words(pieces: Sequence[Piece]) -> tuple[int, str]:
    """Return the index of the first text with a unique word, and up to three of that text's rarest words.

    Titles are searched before whole texts: the text of a commit always has a unique word, the commit's id.
    """
    texts = [f"{piece.title} {piece.text}" for piece in pieces]
    spread = Counter(word.casefold() for text in texts for word in _words(text))

    def rarest(text: str) -> list[str]:
        words = _words(text)
        # Of equally rare words, take the longest, because long words say more.
        chosen = sorted(words, key=lambda word: (spread[word.casefold()], -len(word)))[:_WORDS]
        return [word for word in words if word in chosen]

    for sources in ([piece.title for piece in pieces], texts):
        for number, text in enumerate(sources):
            words = rarest(text)
            if any(spread[word.casefold()] == 1 for word in words):
                return number, " ".join(words)
    return 0, pieces[0].title


def reworded(title: str) -> str | None:
    """Rephrase an imperative title as a question with synonyms. Return None for any other title."""
    first, *rest = _ANY_WORD.split(title)
    if first.casefold() not in _OTHER_WORDS:
        return None
    return f"Did we {''.join(_OTHER_WORDS.get(each.casefold(), each) for each in (first, *rest))}?"


def _words(text: str) -> list[str]:
    """Return the words without stop words and duplicates, ignoring case."""
    words = {word.casefold(): word for word in _WORD.findall(text)}
    return [word for folded, word in words.items() if folded not in STOP_WORDS]


def _commits(root: Path) -> list[Commit]:
    """Return the newest commits, latest first. Empty outside a repository, or if git fails."""
    history: CodeHistory = adapter("history", "git")()
    try:
        return [*history.read(root, history.commits(root, limit=_MAX_COMMITS))][::-1]
    except HistoryUnreadableError:
        return []


def _piece(root: Path, commit: Commit, *, newest: bool) -> Piece:
    """Return a commit as text, with its additions and deletions. The newest commit also has its files attached."""
    subject, _, body = commit.message.partition("\n")
    called, names = f"Commit {commit.id[:_ID_CHARACTERS]}", _names(commit)
    files = [_listed(change) for change in commit.changes[:_MAX_LISTED]]
    if len(names) > len(files):
        files.append(f"- and {len(names) - len(files)} more")
    parts = [subject, body.strip()[:_MAX_CHARACTERS], "Files:\n" + "\n".join(files) if files else ""]
    return Piece(
        title=one_line(subject)[:MAX_TITLE_CHARACTERS] or called,
        text="\n\n".join(part for part in [*parts, called] if part),
        paths=tuple(name for name in names if newest and _is_inside(root, name))[:_MAX_PATHS],
    )


def _listed(change: CodeChange) -> str:
    counts = "" if change.additions is None else f" +{change.additions} -{change.deletions}"
    return f"- {change.path}{counts}"


def _names(commit: Commit) -> list[str]:
    return [*(change.path for change in commit.changes), *commit.more]


def _is_inside(root: Path, name: str) -> bool:
    """Return True if the path is still a file in the working tree, and no link leads outside."""
    real = (root / name).resolve()
    return real.is_file() and real.is_relative_to(root.resolve())


def _files(root: Path, commits: Sequence[Commit]) -> Iterator[Piece]:
    for name in sorted({name for commit in commits for name in _names(commit)}):
        if _is_inside(root, name) and (text := _beginning(root / name)):
            yield Piece(title=one_line(name)[-MAX_TITLE_CHARACTERS:], text=text, paths=(name,))


def _own_files() -> Iterator[Piece]:
    package = Path(lamella.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if text := _beginning(path):
            yield Piece(title=f"lamella/{path.relative_to(package).as_posix()}", text=text)


def _beginning(path: Path) -> str:
    """Return the first characters of a text file; empty for any other file."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(_MAX_CHARACTERS)
    except (OSError, UnicodeDecodeError):
        return ""
    return "" if "\x00" in text else text.strip()
