"""Summary of a session, extracted from what was said and done in it without a model.

It has the requests, the changed files, the decisions, and the errors with what was said or changed after each. A
session without requests, or without any action, has no summary.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from lamella.domain.conversations.message import Message, Role, is_request
from lamella.domain.conversations.session_summary_format import (
    ASKED,
    CHANGED,
    DECIDED,
    SAID_LAST,
    WENT_WRONG,
    part,
)
from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import one_line, shortened

SOURCE = "session"
"""The source of observations that sessions become."""

_DECISION = "decision"
"""The source of notes that say what was decided."""

_REQUESTS, _FILES, _DECISIONS, _ERRORS = 8, 12, 8, 4
"""The most of each in a summary: the first and last requests, and the last errors."""

_LINE_CHARACTERS = 160
_LEAST_WORDS = 3
"""A request with fewer words, such as "go on", says nothing by itself."""

_READ_CHARACTERS = 4_000
"""Characters of a message that are read: what matters is said at its beginning."""

_FAILED = re.compile(r"(?:Exit code [1-9]|Error: )")
"""Beginning of a failed tool's result; a command's exit code comes before its output."""

_COMPLAINT = re.compile(r"(?:\w*(?:Error|Exception)|\b(?:error|fatal|FAILED|panic))\b.*:.*\S")
"""A line that says what went wrong."""


@frozen(kw_only=True)
class SessionSummary:
    """A session, or what was said in it since the summary before."""

    title: str
    content: str


def session_summary(messages: Sequence[Message], observations: Sequence[Observation]) -> SessionSummary | None:
    """Return the summary of a session's `messages` and the memories made meanwhile; None if there is none."""
    requests = list(dict.fromkeys(_requests(messages)))
    changes = [each for each in observations if each.kind is Kind.CHANGE]
    notes = [each for each in observations if each.kind is Kind.NOTE]
    said = [each.text for each in messages if each.role is Role.ASSISTANT]
    acted = any(message.role is Role.TOOL for message in messages)
    if not requests or not (changes or notes or acted):
        return None
    parts = [
        part(ASKED, _ends(requests, _REQUESTS)),
        part(CHANGED, _files(changes)),
        part(DECIDED, _decided(notes)),
        part(WENT_WRONG, list(_errors(messages, changes))[-_ERRORS:]),
        part(SAID_LAST, [_sentence(text) for text in said[-1:]]),
    ]
    return SessionSummary(title=f"Session: {requests[0]}", content="\n".join(filter(None, parts)))


def _requests(messages: Sequence[Message]) -> Iterator[str]:
    """Return the first sentence of each thing that somebody asked for."""
    said = [each.text for each in messages if each.role is Role.HUMAN and is_request(each.text)]
    telling = [text for text in said if len(text.split()) >= _LEAST_WORDS]
    return (_sentence(text) for text in telling or said)


def _sentence(text: str) -> str:
    """Return the first sentence of a text, as one line."""
    return _cut(one_line(generated_title(text[:_READ_CHARACTERS])))


def _cut(line: str) -> str:
    return shortened(line, _LINE_CHARACTERS)


def _ends(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return all lines, or the first and the last of them and how many are between."""
    if len(lines) <= most:
        return lines
    half = most // 2
    return [*lines[:half], f"[...{len(lines) - 2 * half} more]", *lines[-half:]]


def _files(changes: Sequence[Observation]) -> list[str]:
    """Return each file with the lines that came and went, those with most of them first."""
    counts: dict[str, tuple[int, int]] = {}
    for change in (each for observation in changes for each in observation.changes):
        came, went = counts.get(change.path, (0, 0))
        counts[change.path] = came + (change.additions or 0), went + (change.deletions or 0)
    ordered = sorted(counts.items(), key=lambda each: (-sum(each[1]), each[0]))
    lines = [f"{_cut(path)} +{came} -{went}" for path, (came, went) in ordered[:_FILES]]
    left = len(ordered) - len(lines)
    return [*lines, *([f"[...{left} more {'file' if left == 1 else 'files'}]"] if left else [])]


def _decided(notes: Sequence[Observation]) -> list[str]:
    """Return the titles of notes, decisions first."""
    ordered = sorted(notes, key=lambda each: each.source != _DECISION)
    return [_cut(one_line(each.title or generated_title(each.content))) for each in ordered[:_DECISIONS]]


def _errors(messages: Sequence[Message], changes: Sequence[Observation]) -> Iterator[str]:
    """Yield each error once, with what was said after it; where nothing was, with the file that was changed."""
    told: set[str] = set()
    for place, message in enumerate(messages):
        error = _error(message)
        if not error or error in told:
            continue
        told.add(error)
        said = next((each.text for each in messages[place + 1 :] if each.role is Role.ASSISTANT), "")
        changed = next((each.changes[0].path for each in changes if each.created_at >= message.at), "")
        then = _sentence(said) if said else changed and f"changed {_cut(changed)}"
        yield f"{error} | then: {then}" if then else error


def _error(message: Message) -> str:
    """Return what the result of a tool says went wrong; empty where nothing did."""
    if message.role is not Role.TOOL_RESULT or not _FAILED.match(message.text):
        return ""
    lines = [line for each in message.text.split("\n") if (line := one_line(each))]
    complaints = [line for line in lines if _COMPLAINT.search(line)]
    return _cut(complaints[-1] if complaints else lines[-1])
