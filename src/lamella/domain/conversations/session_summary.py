"""Summary of a session, extracted from its messages and code changes without a language model.

A summary lists the session's requests, changed files, decisions, errors and last sentences. An error counts as
fixed only if the same command passed later. A session without requests, or without any action, has no summary.
A summary doesn't repeat saved memories, because the copies would stay when the memories are purged or erased.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence

from attrs import frozen

from lamella.domain.conversations.message import Message, Role, is_request
from lamella.domain.conversations.session_summary_format import (
    ASKED,
    CHANGED,
    DECIDED,
    SAID_LAST,
    TITLE,
    WENT_WRONG,
    part,
)
from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.excerpts import passages
from lamella.domain.text.languages.rationale import decides, gives_reason
from lamella.domain.text.printing import one_line, shortened

SOURCE = "session"
"""The source of session summaries."""

_REQUESTS, _FILES, _ERRORS = 8, 12, 4
"""Maximum number of requests, files and errors in a summary: the first and last requests, and the last errors."""

_SAID_DECISIONS, _SAID_LAST = 4, 4
"""Maximum number of decisions in a summary, and of sentences from the last message."""

_LINE_CHARACTERS = 160
_SENTENCE_CHARACTERS = 300
"""Maximum length of a decision or reason. Nearly all reasons fit."""

_LEAST_WORDS = 3
"""Minimum number of words of a request in a summary. Shorter requests, such as "go on", say nothing."""

_READ_CHARACTERS = 4_000
"""Number of characters to read of a message. The important part of a message comes first."""

_FAILED = re.compile(r"(?:Exit code [1-9]|Error: )")
"""Beginning of the result of a failed tool. For a command, the exit code comes before the output."""

_COMMAND = re.compile(r'"command":"((?:[^"\\]|\\.)*)')
"""The command in a tool call. Other arguments, such as a description, vary between calls."""

_COMPLAINT = re.compile(r"(?:\w*(?:Error|Exception)|\b(?:error|fatal|FAILED|panic))\b.*:.*\S")
"""Pattern of a line that contains an error message."""


@frozen(kw_only=True)
class SessionSummary:
    """Summary of a session, or of the part of a session after its previous summary."""

    title: str
    content: str


def session_summary(messages: Sequence[Message], observations: Sequence[Observation]) -> SessionSummary | None:
    """Summarise a session from its messages and memories. Return None if there is nothing to summarise."""
    requests = list(dict.fromkeys(_requests(messages)))
    changes = [each for each in observations if each.kind is Kind.CHANGE]
    noted = any(each.kind is Kind.NOTE for each in observations)
    spoken = [place for place, each in enumerate(messages) if each.role is Role.ASSISTANT]
    last = spoken[-1] if spoken else len(messages)
    acted = any(message.role is Role.TOOL for message in messages)
    if not requests or not (changes or noted or acted):
        return None
    parts = [
        part(ASKED, _ends(requests, _REQUESTS)),
        part(CHANGED, _files(changes)),
        part(DECIDED, _said_decisions(messages[:last])),
        part(WENT_WRONG, list(_errors(messages, changes))[-_ERRORS:]),
        part(SAID_LAST, _said_last(messages[last].text) if spoken else []),
    ]
    return SessionSummary(title=f"{TITLE}{requests[0]}", content="\n".join(filter(None, parts)))


def _requests(messages: Sequence[Message]) -> Iterator[str]:
    """Yield the first sentence of each request."""
    said = [each.text for each in messages if _asks(each)]
    telling = [text for text in said if len(text.split()) >= _LEAST_WORDS]
    return (_sentence(text) for text in telling or said)


def _asks(message: Message) -> bool:
    return message.role is Role.HUMAN and is_request(message.text)


def _sentence(text: str) -> str:
    """Return the first sentence of a text, as one line."""
    return _cut(one_line(generated_title(text[:_READ_CHARACTERS])))


def _cut(line: str) -> str:
    return shortened(line, _LINE_CHARACTERS)


def _ends(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return at most `most` of the first and last lines. A line between them says how many lines are omitted."""
    if len(lines) <= most:
        return lines
    half = most // 2
    return [*lines[:half], f"[...{len(lines) - 2 * half} more]", *lines[-half:]]


def _files(changes: Sequence[Observation]) -> list[str]:
    """Return each file with its added and removed lines, the most changed first."""
    counts: dict[str, tuple[int, int]] = {}
    for change in (each for observation in changes for each in observation.changes):
        came, went = counts.get(change.path, (0, 0))
        counts[change.path] = came + (change.additions or 0), went + (change.deletions or 0)
    ordered = sorted(counts.items(), key=lambda each: (-sum(each[1]), each[0]))
    lines = [f"{_cut(path)} +{came} -{went}" for path, (came, went) in ordered[:_FILES]]
    left = len(ordered) - len(lines)
    return [*lines, *([f"[...{left} more {'file' if left == 1 else 'files'}]"] if left else [])]


def _said_decisions(messages: Sequence[Message]) -> list[str]:
    """Return the latest decisions stated in the messages."""
    said = [each.text for each in messages if each.role is Role.ASSISTANT or _asks(each)]
    decisions = [each for text in said for each in _sentences(text) if decides(each)]
    return [shortened(each, _SENTENCE_CHARACTERS) for each in dict.fromkeys(decisions)][-_SAID_DECISIONS:]


def _said_last(text: str) -> list[str]:
    """Return the first sentence of a session's last message, and the decisions and reasons in that message."""
    telling = [each for each in _sentences(text) if decides(each) or gives_reason(each)]
    first = [] if telling[:1] == _sentences(text)[:1] else [_sentence(text)]
    return [*first, *(shortened(each, _SENTENCE_CHARACTERS) for each in dict.fromkeys(telling))][:_SAID_LAST]


def _sentences(text: str) -> list[str]:
    return passages("", text[:_READ_CHARACTERS])


def _errors(messages: Sequence[Message], changes: Sequence[Observation]) -> Iterator[str]:
    """Yield each error once. If the same command succeeded later, add how the error was fixed; see `_fix`."""
    listed: set[str] = set()
    results = list(_results(messages))
    for number, (place, command) in enumerate(results):
        error = _error(messages[place])
        if not error or error in listed:
            continue
        listed.add(error)
        again = [later for later, same in results[number + 1 :] if command and same == command]
        if again and not _error(messages[again[-1]]):
            error = f"{error} | fixed: {_fix(messages[place : again[-1] + 1], changes)}"
        yield error


def _results(messages: Sequence[Message]) -> Iterator[tuple[int, str]]:
    """Yield the index of each tool result, and the command that it belongs to (empty if unknown).

    Results come in the order of their calls. Calls that have no result when the user or the assistant writes the
    next message never get a result.
    """
    calls: deque[str] = deque()
    for place, message in enumerate(messages):
        if message.role is Role.TOOL:
            command = _COMMAND.search(message.text)
            calls.append(command[1] if command else message.text)
        elif message.role is Role.TOOL_RESULT:
            yield place, calls.popleft() if calls else ""
        else:
            calls.clear()


def _fix(between: Sequence[Message], changes: Sequence[Observation]) -> str:
    """Return the assistant's words between the failure and the success of a command; else the changed file."""
    said = next((each.text for each in between if each.role is Role.ASSISTANT), "")
    if said:
        return _sentence(said)
    first, last = between[0].at, between[-1].at
    changed = next((each.changes[0].path for each in changes if first <= each.created_at <= last), "")
    return f"changed {_cut(changed)}" if changed else "the same command passed later"


def _error(message: Message) -> str:
    """Return the error in the result of a tool; empty if the result has no error."""
    if message.role is not Role.TOOL_RESULT or not _FAILED.match(message.text):
        return ""
    lines = [line for each in message.text.split("\n") if (line := one_line(each))]
    complaints = [line for line in lines if _COMPLAINT.search(line)]
    return _cut(complaints[-1] if complaints else lines[-1])
