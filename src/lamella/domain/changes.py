"""What a code change says of its lines: which came, which went, and how it is told in words.

The hunks of a change are a unified diff without file headers. Where a file was edited several times, the hunks of
the edits follow one another in time, an empty line between them: no line of a diff is empty.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import evolve

from lamella.domain.hunks import EDITS_APART, MAX_HUNK_CHARACTERS
from lamella.domain.kinds import EDITED, FOUND
from lamella.domain.marks_of_hunks import LineMarks, marks_of
from lamella.domain.observation import CodeChange, Draft, Kind, Observation
from lamella.domain.outside_changes import net

JOINING = timedelta(minutes=10)
"""How long after the first edit of a file another one, for the same request, is part of the same observation."""

TICK = timedelta(milliseconds=100)
"""How far apart two clocks may tell of one moment: that of a file, and those of hooks that run at once."""

MAX_CONTENT_CHARACTERS = 10_000
"""The longest account of a change, as for any memory that is saved."""

_PARTS = "\n\n"
"""What the parts of an account are apart by: the reason, and each file."""
_LEAST_TOLD = 200
"""How many characters are told of each file at least, as long as there is room."""
_CUT_CHARACTERS = 40
"""Room for the line that says how much was left out."""


def line_marks(changes: Sequence[CodeChange]) -> tuple[LineMarks, ...]:
    """For each of an observation's changes which lines came and went.

    What stands on both sides of an edit did neither. What one edit took and a later one put back is back; what one
    brought and a later one took is gone. What went from one file and came in another has moved: it is not gone.
    """
    return marks_of([change.hunks for change in changes])


def told(changes: Sequence[CodeChange], reason: str, limit: int = MAX_CONTENT_CHARACTERS) -> str:
    """Changes in words: the reason, then of each file how much changed and the lines that went and came.

    What went comes first, because it is nowhere else; of several files each gets an equal share of the room.
    """
    share = max(_LEAST_TOLD, (limit - len(reason)) // max(1, len(changes)))
    parts = [*([reason] if reason else []), *(_told(change, share) for change in changes)]
    return _PARTS.join(parts)[:limit]


def joined(older: Observation, draft: Draft, at: datetime, asked: datetime | None = None) -> Observation | None:
    """`older` with what `draft` captured at `at` as a further edit; None where that is a memory of its own.

    Both must be changes of one file, the same one, in one session, and `older` not purged; both with one title,
    which says why, and made for the same request of the user, who `asked` for it then, if that is known. What was
    found after a command is apart from what edits tell, unless it is the same: an edit that was made before the
    command ended, and is told of later, makes the lines its own that were found, also where they seemed nobody's.
    """
    paths = [change.path for change in older.changes]
    if older.kind is not Kind.CHANGE or draft.kind is not Kind.CHANGE or older.purged or draft.session is None:
        return None
    if len(paths) != 1 or paths != [change.path for change in draft.changes]:
        return None
    if older.source != draft.source:
        return _claimed(older, draft) if at <= older.updated_at + TICK else None
    if older.session != draft.session:
        return None
    (first,), (second,) = older.changes, draft.changes
    hunks = EDITS_APART.join(filter(None, (first.hunks, second.hunks)))
    # The same reason need not be told twice.
    reason, _, rest = draft.content.partition(_PARTS)
    said = rest if rest and older.content.startswith(reason + _PARTS) else draft.content
    content = older.content + _PARTS + said
    late = not timedelta() <= at - older.created_at <= JOINING
    another = older.title != draft.title or (asked is not None and older.created_at < asked)
    if late or another or len(hunks) > MAX_HUNK_CHARACTERS or len(content) > MAX_CONTENT_CHARACTERS:
        return None
    change = CodeChange(
        path=first.path,
        former=first.former or second.former,
        additions=_sum(first.additions, second.additions),
        deletions=_sum(first.deletions, second.deletions),
        hunks=hunks,
    )
    return evolve(older, content=content, changes=(change,), updated_at=max(at, older.updated_at))


def _claimed(found: Observation, edit: Draft) -> Observation | None:
    """What was `found`, as the work of an `edit` that is all of it, or that is part of it; None if it isn't.

    Why it was thought to have changed is told after that.
    """
    if (found.source, edit.source) != (FOUND, EDITED) or found.session not in (None, edit.session):
        return None
    lines, mine = net(found.changes[0].hunks), net(edit.changes[0].hunks)
    if lines == mine:
        why, more, _ = found.content.partition(_PARTS)
        content = _PARTS.join([edit.content, *([why] if more else [])])[:MAX_CONTENT_CHARACTERS]
        return evolve(found, title=edit.title, content=content, source=edit.source)
    part = all(times * lines.get(line, 0) >= times * times for line, times in mine.items())
    if not part or not any(mine.values()):
        return None
    return evolve(found, content=_PARTS.join([found.content, edit.content])[:MAX_CONTENT_CHARACTERS])


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _told(change: CodeChange, room: int) -> str:
    came = _lines(change.additions or 0)
    counts = "" if change.additions is None else f": {came} added, {change.deletions} removed"
    renamed = f", renamed from {change.former}" if change.former else ""
    lines = [f"Changed {change.path}{renamed}{counts}."]
    room -= len(lines[0])
    for sign, title in (("-", f"Removed from {change.path}:"), ("+", f"Added to {change.path}:")):
        text = [line[1:] for line in change.hunks.split("\n") if line.startswith(sign) and line[1:].strip()]
        if text and room > len(title) + _CUT_CHARACTERS:
            lines.append(title)
            room -= len(title) + 1
            for number, line in enumerate(text):
                room -= len(line) + 1
                if room < _CUT_CHARACTERS:
                    lines.append(f"[...{_lines(len(text) - number, 'more ')}]")
                    break
                lines.append(line)
    return "\n".join(lines)


def _lines(count: int, more: str = "") -> str:
    return f"{count} {more}{'line' if count == 1 else 'lines'}"
