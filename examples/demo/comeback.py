"""Step of the demo about removed code: a hook warns before an edit that brings the code back."""

import json
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path

from attrs import frozen

from examples.demo import screen
from examples.demo.command import Command
from examples.demo.texts import MAX_COMMITS, ROOT, git
from lamella.domain.text.printing import shortened

_TRIED = 12
"""Maximum number of removals to try. No hook warns if the removed code is short, or has moved within the file."""

_LEAST_LINES = 3
_SHOWN_LINES, _LINE_CHARACTERS = 3, 70


@frozen
class Removal:
    """Lines that a commit removed from a file, and that the file doesn't have today."""

    title: str
    path: Path
    lines: tuple[str, ...]


def play(command: Command) -> None:
    """Learn from commits. Then run the hook for an edit that would restore removed lines."""
    screen.heading("1. Be warned before removed code comes back")
    if not git("log", "--max-count=1"):
        screen.say("Without commits, the demo can't show this.")
        return
    screen.say(command.run("ledger", "--backfill", "--commits", str(MAX_COMMITS)))
    for number, removal in enumerate(islice(removals(command), _TRIED)):
        answer = json.loads(command.run("hook", said=_event(removal, session=f"demo-{number}")) or "{}")
        if context := answer.get("hookSpecificOutput", {}).get("additionalContext", ""):
            screen.say(f'Commit "{removal.title}" removed from {removal.path.relative_to(ROOT)}:')
            for line in islice(filter(str.strip, removal.lines), _SHOWN_LINES):
                screen.say(f"  -{shortened(line, _LINE_CHARACTERS)}")
            screen.say("An agent is about to write it again. Before the edit it is told:")
            # A fence surrounds the warning; its first line says that it comes from lamella.
            for line in context.split("\n")[2:-1]:
                screen.say(f"  {line}")
            return
    screen.say("None of them removed code that is still gone, so the demo can't show a warning.")


def removals(command: Command) -> Iterator[Removal]:
    """Yield blocks of lines that learned commits removed from files, the newest commit first."""
    entries = [json.loads(line) for line in command.run("export").split("\n")]
    learned = (entry for entry in entries if entry["type"] == "memory")
    for commit in sorted(learned, key=lambda each: str(each["created_at"]), reverse=True):
        for change in commit.get("changes", ()):
            path = ROOT / change["path"]
            text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
            for sign, block in groupby(change.get("hunks", "").split("\n"), key=lambda line: line[:1]):
                lines = tuple(line[1:] for line in block) if sign == "-" else ()
                if text and sum(map(bool, map(str.strip, lines))) >= _LEAST_LINES and "\n".join(lines) not in text:
                    yield Removal(commit["title"], path, lines)


def _event(removal: Removal, *, session: str) -> str:
    """Return Claude Code's hook input for an edit that hasn't run yet."""
    content = "\n".join([removal.path.read_text("utf-8", errors="replace"), *removal.lines, ""])
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": session,
        "cwd": str(ROOT),
        "tool_name": "Write",
        "tool_input": {"file_path": str(removal.path), "content": content},
    }
    return json.dumps(event) + "\n"
