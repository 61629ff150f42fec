"""Reader of Claude Code's transcripts, one file for each conversation.

A session is `{configuration}/projects/{folder}/{session id}.jsonl`: one JSON object per line, appended in order of
time. `{configuration}` is `~/.claude`, or `CLAUDE_CONFIG_DIR`. `{folder}` is the working directory at the start,
with all but letters and digits replaced by `-`, irreversibly. But each message has its `cwd`. As `cwd` changes
with every `cd`, the first one is the directory of the conversation. As of version 2.1.329:

- `user` and `assistant` records have `uuid`, `timestamp`, `sessionId`, `cwd` and `message`, in wire format: its
  `content` is text, or a list of parts (`text`, `thinking`, `tool_use`, `tool_result`, `image`). A message of the
  assistant is several records, one for each part. `user` records also have text not typed by the user: results of
  tools, output of slash commands, the end of a background task. Records with `isMeta` are for the model.
- `--resume` appends to the same file. `--fork-session` begins a new one with a copy of the messages. Only their
  `sessionId` is new, and `uuid` still identifies each record.
- A compaction appends a `system` record (`compact_boundary`) and a `user` one with `isCompactSummary`. Earlier
  records stay. Times do not always rise.
- A sub-agent has a separate file, `{session id}/subagents/agent-{agent id}.jsonl`, with `agentId`, `isSidechain`
  and the `sessionId` of its parent. Older versions have such records within the session's file.
- `custom-title` is the user's name for the session (`--name`, `/rename`), `ai-title` a generated one. Both are
  repeated often. A `summary` of older versions names the conversation with the last record `leafUuid`, usually in
  another file.
- Nine tenths of the bytes are other records (`attachment`, `api-request-shape`, `api-request-blob`, ...): requests
  to the model, its prompts and tools, and context from hooks. They have up to some 100 KB each.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.claude_code.heads import head_of, sources_of
from lamella_adapters.transcripts.claude_code.records import ClaudeCodeCourse
from lamella_adapters.transcripts.recorded import RecordedTranscripts, place_of


def open_transcripts(path: Path | None) -> "ClaudeCodeTranscripts":
    """Return the transcripts in a file or folder, by default this user's own of Claude Code.

    Raises:
        TranscriptsUnreadableError: No path is given, and the user has no home.
    """
    kept = path or place_of("Claude Code", "CLAUDE_CONFIG_DIR", ".claude") / "projects"
    return ClaudeCodeTranscripts(kept, named=path is not None)


@frozen
class ClaudeCodeTranscripts(RecordedTranscripts):
    """The transcripts of Claude Code in a file, or in a folder and all folders below it."""

    def sources_of(self, paths: Iterable[Path]) -> tuple[Source, ...]:
        """Return the files as sources, in order of their first times.

        The id of a source is made of the ids of its session, its agent and its first message, or of the file's
        name without any of these. The first message distinguishes several files of one session, even after a move.
        Of copies, the longest file keeps the id, so each has its own position.
        """
        return sources_of(sorted(map(head_of, paths), key=lambda head: (head.begun, head.path)))

    def course(self, path: Path, state: Mapping[str, Any] | None) -> ClaudeCodeCourse:
        """Return the parser of a file. A position from before summaries were read has no state."""
        del path
        return ClaudeCodeCourse() if state is None else ClaudeCodeCourse.resumed(state)
