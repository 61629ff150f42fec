"""Step of the demo about removed code: a hook warns before an edit that brings the code back."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

from attrs import frozen

from lamella.domain.text.printing import one_line
from lamella.ports.history import Commit
from lamella_adapters.cli.demo import screen

_TRIED = 12
"""Maximum number of removals to try. No hook warns if the removed code is short, or has moved within the file."""

_LEAST_LINES = 3
_SHOWN_LINES = 3
_MAX_BYTES = 200_000


Run = Callable[..., str]
"""Runs `lamella` with the given arguments, and returns its output. The argument `said` is its standard input."""


@frozen
class Removal:
    """Lines that a commit removed from a file, and that the file doesn't have today."""

    commit: Commit
    path: str
    lines: tuple[str, ...]


def play(run: Run, root: Path, commits: Sequence[Commit]) -> None:
    """Learn from commits. Then run the hook for an edit that would restore removed lines."""
    screen.say(run("ledger", "--backfill", "--commits", str(len(commits))) if commits else "There are no commits.")
    for number, removal in enumerate(islice(removals(root, commits), _TRIED)):
        if warning := _context(run("hook", said=_event(root, removal, session=f"demo-{number}"))):
            subject = one_line(removal.commit.message.partition("\n")[0])
            screen.say(f'Commit {removal.commit.id[:7]}, "{subject}", removed from {removal.path}:')
            for line in islice(filter(str.strip, removal.lines), _SHOWN_LINES):
                screen.say(f"  -{line}")
            screen.say("An agent is about to write it again. Before the edit it is told:")
            for line in warning:
                screen.say(f"  {line}")
            return
    screen.say("None of them removed code that is still gone, so there is nothing to warn of.")


def removals(root: Path, commits: Sequence[Commit]) -> Iterator[Removal]:
    """Yield blocks of lines that commits removed from files, starting with commits whose message has a reason."""
    for commit in sorted(commits, key=lambda each: "\n" not in each.message):
        for change in commit.changes:
            text = _text(root / change.path)
            for sign, block in groupby(change.hunks.split("\n"), key=lambda line: line[:1]):
                lines = tuple(line[1:] for line in block) if sign == "-" else ()
                if text and sum(map(bool, map(str.strip, lines))) >= _LEAST_LINES and "\n".join(lines) not in text:
                    yield Removal(commit, change.path, lines)


def _text(path: Path) -> str:
    """Return the text of a regular file in the working tree; empty if it is missing or large."""
    try:
        usual = path.is_file() and not path.is_symlink() and path.stat().st_size <= _MAX_BYTES
        return path.read_text(encoding="utf-8") if usual else ""
    except (OSError, ValueError):
        return ""


def _event(root: Path, removal: Removal, *, session: str) -> str:
    """Return Claude Code's hook input for an edit that hasn't run yet."""
    file = root / removal.path
    content = "\n".join([_text(file), *removal.lines, ""])
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "cwd": str(root),
        "tool_name": "Write",
        "tool_input": {"file_path": str(file), "content": content},
    }
    return json.dumps(event) + "\n"


def _context(answer: str) -> list[str]:
    """Return the context that the hook gives the model, without its fence and first line."""
    try:
        context = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    except (ValueError, LookupError, TypeError):
        return []
    return str(context).split("\n")[2:-1]
