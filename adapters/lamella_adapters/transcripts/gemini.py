"""Reader of Gemini CLI's sessions, one file for each.

A session is `~/.gemini/tmp/{slug}/chats/session-*.jsonl`, and `~/.gemini/projects.json` has the slug of each
working directory. Earlier versions used a hash of the directory instead of a slug. As of version 0.61:

- The first record has `sessionId`, and the `kind` `subagent` if an agent began it. A message is `{id, timestamp,
  type, content}`: `type` is `user`, `gemini`, or the type of a notice, and `content` is text or a list of parts.
- A message of the model is written again, with the same id, after its `toolCalls`. The later record replaces the
  earlier one. A following `user` message repeats the results to the model.
- `{"$set": {…}}` changes fields of the session. Its first `messages` has the client's words to the model before
  the user's first prompt.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from lamella.domain.conversations.message import Batch, Role
from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.files import opened
from lamella_adapters.transcripts.recorded import SessionTranscripts
from lamella_adapters.transcripts.records import (
    MAX_ID_CHARACTERS,
    Part,
    Record,
    RecordContent,
    SessionParser,
    Skipped,
)
from lamella_adapters.transcripts.texts import call, is_own_tool, joined

_INJECTED = ("<session_context>", "This is the Gemini CLI. We are setting up the context")
_CONTEXT_BEGINS, _CONTEXT_ENDS = "<hook_context>", "</hook_context>"
_MAX_PROJECTS_BYTES = 4 * 1024 * 1024


@frozen
class GeminiTranscripts(SessionTranscripts):
    """The transcripts of Gemini CLI in a file, or in a folder and all folders below it."""

    own = ("Gemini CLI", "GEMINI_CLI_HOME", "", ".gemini/tmp")
    _directories: dict[Path, Mapping[str, str]] = field(factory=dict, init=False, eq=False, repr=False)

    def is_transcript(self, path: Path) -> bool:
        """Return True if a file is a session."""
        return path.suffix == ".jsonl" and (path.name.startswith("session-") or "chats" in path.parts)

    def resumed_parser(self, path: Path, state: Mapping[str, Any] | None) -> "GeminiParser":
        """Return the parser of a file. Its folder determines the directory of the conversation."""
        return GeminiParser(directory=self._directory(path)) if state is None else GeminiParser.resumed(state)

    def read(self, source: Source, since: str) -> Batch:
        """See `RecordedTranscripts.read`.

        If several messages have the same key, return only the last one.
        """
        batch = super().read(source, since)
        return evolve(batch, drafts=tuple({draft.key: draft for draft in batch.drafts}.values()))

    def _directory(self, path: Path) -> str:
        """Return the working directory of the session in `path`, known by its folder; empty if unknown."""
        chats = next((each for each in path.parents if each.name == "chats"), None)
        if chats is None:
            return ""
        slug, home = chats.parent.name, chats.parent.parent.parent
        if home not in self._directories:
            self._directories[home] = _directories(home / "projects.json")
        return self._directories[home].get(slug, "")


@define
class GeminiParser(SessionParser):
    """Parser of a session of Gemini CLI.

    Attributes:
        begun: True after the first user message with text was read.
        delegated: True if an agent gave the task, not the user.
    """

    begun: bool = False
    delegated: bool = False

    def found(self, record: Record) -> RecordContent:
        """Return the content of the next record.

        The content has one message, or several that replace the session's messages.
        """
        if "$set" in record:
            messages = record.object("$set").objects("messages")
            found = [self._message(each, is_set=True) for each in messages]
            return RecordContent.of(found) if found else RecordContent(skipped=Skipped.NO_MESSAGE)
        if not self.session:
            self.session, self.delegated = record.text("sessionId"), record.text("kind") == "subagent"
        return self._message(record, is_set=False)

    def _message(self, record: Record, *, is_set: bool) -> RecordContent:
        self.at = record.time("timestamp") or record.time("startTime") or self.at
        kind, id = record.text("type"), record.text("id")
        if kind not in ("user", "gemini"):
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        if not 0 < len(id) <= MAX_ID_CHARACTERS:
            return RecordContent(skipped=Skipped.INCOMPLETE)
        key = f"{self.session}:{id}"
        if kind == "gemini":
            return self._of_model(key, record)
        text = _text(record.get("displayContent")) or _text(record.get("content"))
        injected = not self.begun and (is_set or text.startswith(_INJECTED))
        self.begun = self.begun or bool(text)
        if injected:
            return RecordContent(skipped=Skipped.FOR_THE_MODEL)
        role = Role.ASSISTANT if self.delegated else Role.HUMAN
        return self.messages(key, self.session, [(0, Part(role, text))])

    def _of_model(self, key: str, record: Record) -> RecordContent:
        """Return the thoughts, the text and the calls of a message. Each has a key that never changes."""
        thoughts = [
            Part(Role.THOUGHT, "\n".join(filter(None, (each.text("subject"), each.text("description")))))
            for each in record.objects("thoughts")
        ]
        text = Part(Role.ASSISTANT, _text(record.get("content")))
        calls = record.objects("toolCalls")
        return RecordContent.of(
            [
                self.messages(f"{key}:thought", self.session, enumerate(thoughts)),
                self.messages(key, self.session, [(0, text)]),
                *(
                    self.messages(f"{key}:{each.text('id')[:MAX_ID_CHARACTERS]}", self.session, _of_call(each))
                    for each in calls
                ),
            ]
        )


def _of_call(record: Record) -> Iterator[tuple[int, Part]]:
    """Yield a call and, if it is done, its result."""
    name, id = record.text("name"), record.text("id")
    own = is_own_tool(name)
    yield 0, Part(Role.TOOL, call(name, record.get("args")), own=own)
    responses = [each.object("functionResponse").object("response") for each in record.objects("result")]
    texts = (each.text("output") or each.text("error") for each in responses)
    yield 1, Part(Role.TOOL_RESULT, "\n".join(filter(None, texts)), id, own)


def _text(content: object) -> str:
    """Return the text of a message, without text that hooks added for the model, and without results of tools."""
    parts = content if isinstance(content, list) else [content]
    said = (each for each in parts if not (isinstance(each, dict) and "functionResponse" in each))
    return joined([_without_context(each) for each in said]).strip()


def _without_context(part: object) -> object:
    """Return a part without text that hooks have added for the model in front of the user's words."""
    if not isinstance(part, dict):
        return part
    text = Record(part).text("text")
    while text.startswith(_CONTEXT_BEGINS):
        text = text.partition(_CONTEXT_ENDS)[2].lstrip()
    return {**part, "text": text}


def _directories(file: Path) -> Mapping[str, str]:
    """Return the working directories, keyed by slug and by hash; no directories for an unreadable file."""
    try:
        with opened(file) as projects:
            known = json.loads(projects.read(_MAX_PROJECTS_BYTES))
        slugs = [(path, slug) for path, slug in known["projects"].items() if isinstance(slug, str)]
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return {}
    hashes = {sha256(path.encode(errors="replace")).hexdigest(): path for path, _ in slugs}
    return hashes | {slug: path for path, slug in slugs}
