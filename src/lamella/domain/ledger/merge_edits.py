"""Decide whether two captured edits are one memory, and merge them."""

from datetime import datetime, timedelta

from attrs import evolve

from lamella.domain.ledger.describe import MAX_CONTENT_CHARACTERS
from lamella.domain.ledger.hunks import EDITS_APART, MAX_HUNK_CHARACTERS
from lamella.domain.ledger.unreported import net
from lamella.domain.memories.kind import EDITED, FOUND, PARTS_APART
from lamella.domain.memories.observation import Draft, Kind, Observation

JOINING = timedelta(minutes=10)
"""Maximum time between the first and the last edit in one observation of a file."""


TICK = timedelta(milliseconds=100)
"""Maximum difference between two clocks, such as a file system's and a hook's."""


def joined(older: Observation, draft: Draft, at: datetime, asked: datetime | None = None) -> Observation | None:
    """Return `older` merged with the edit `draft`, made at time `at`; None if the edit is a separate memory.

    `older` and the edit must change the same single file, in the same session, under the same title, and for the
    same request of the user. `older` must not be purged.

    `older` may also be a change that lamella found after a shell command. It is merged only with an edit made
    before the command ended. Such an edit explains the found lines, although it was captured later.

    Args:
        older: The latest observation of the file.
        draft: The captured edit.
        at: The time of the edit.
        asked: Time of the prompt that the edit belongs to, if known.
    """
    if not _is_of_one_file(older, draft) or older.purged or draft.session is None:
        return None
    if older.source != draft.source:
        return _claimed(older, draft) if at <= older.updated_at + TICK else None
    another = older.title != draft.title or (asked is not None and older.created_at < asked)
    if older.session != draft.session or another or not timedelta() <= at - older.created_at <= JOINING:
        return None
    (first,), (second,) = older.changes, draft.changes
    hunks = EDITS_APART.join(filter(None, (first.hunks, second.hunks)))
    content = older.content + PARTS_APART + _without_known_reason(draft.content, older.content)
    if len(hunks) > MAX_HUNK_CHARACTERS or len(content) > MAX_CONTENT_CHARACTERS:
        return None
    change = evolve(
        first,
        former=first.former or second.former,
        additions=_sum(first.additions, second.additions),
        deletions=_sum(first.deletions, second.deletions),
        hunks=hunks,
    )
    return evolve(older, content=content, changes=(change,), updated_at=max(at, older.updated_at))


def _is_of_one_file(older: Observation, draft: Draft) -> bool:
    paths = [change.path for change in older.changes]
    same = len(paths) == 1 and paths == [change.path for change in draft.changes]
    return same and older.kind is draft.kind is Kind.CHANGE


def _without_known_reason(content: str, known: str) -> str:
    """Return the description `content` of changes, without its reason if `known` begins with the same reason."""
    reason, _, rest = content.partition(PARTS_APART)
    return rest if rest and known.startswith(reason + PARTS_APART) else content


def _claimed(found: Observation, edit: Draft) -> Observation | None:
    """Merge a change that was found after a command with the edit that made the change or a part of the change.

    Return None if the edit has lines that the found change lacks. If the edit made the whole change, the text of
    the edit comes first.
    """
    if (found.source, edit.source) != (FOUND, EDITED) or found.session not in (None, edit.session):
        return None
    lines, mine = net(found.changes[0].hunks), net(edit.changes[0].hunks)
    if lines == mine:
        why, more, _ = found.content.partition(PARTS_APART)
        content = PARTS_APART.join([edit.content, *([why] if more else [])])[:MAX_CONTENT_CHARACTERS]
        return evolve(found, title=edit.title, content=content, source=edit.source)
    part = all(times * lines.get(line, 0) >= times * times for line, times in mine.items())
    if not part or not any(mine.values()):
        return None
    return evolve(found, content=PARTS_APART.join([found.content, edit.content])[:MAX_CONTENT_CHARACTERS])


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
