"""The kind of each event that a client gave to hooks, and what the event asks for."""

from types import ModuleType

import pytest

from lamella_adapters.hooks.clients import (
    BEFORE_EDIT,
    COMMAND,
    COMPACTED,
    EDIT,
    END,
    OTHER,
    PROMPT,
    REPLY,
    START,
    codex,
    copilot,
    cursor,
    gemini,
    opencode,
    qwen,
)
from tests.unit.adapters.hooks.clients.recorded import named, recorded

CLIENTS: dict[str, ModuleType] = {
    "codex": codex,
    "copilot": copilot,
    "cursor": cursor,
    "gemini": gemini,
    "opencode": opencode,
    "qwen": qwen,
}
COMMANDS = {
    "codex/PostToolUse-patch-more": "apply_patch",
    "codex/PostToolUse-shell": "sed -i s/1/2/ main.c\ncat main.c",
    "codex/PostToolUse-shell-failed": "echo three >> NOTES.md; false",
    "codex/Stop": "apply_patch",
    "copilot/postToolUse-shell": "echo three >> old.txt",
    "copilot/postToolUse-shell-failed": "echo four >> old.txt; false",
    "copilot/postToolUseFailure-patch-failed": "apply_patch",
    "cursor/afterShellExecution": "echo three >> old.txt",
    "gemini/AfterTool-shell": "sed -i s/1/2/ main.c\ncat main.c",
    "gemini/AfterTool-shell-failed": "echo more >> NOTES.md; false",
    "opencode/tool.execute.after-write-update": "write /home/dev/project/old.txt",
    "opencode/tool.execute.after-shell": "echo three >> old.txt",
    "opencode/tool.execute.after-shell-failed": "echo four >> old.txt; false",
    "qwen/PostToolUse-shell": "echo three >> old.txt",
    "qwen/PostToolUseFailure-shell-failed": "echo four >> old.txt; false",
}
"""What ran, failed or not; what else makes the working tree be looked at is named here too."""
SESSION = "00000001-0000-4000-8000-000000000000"
GEMINI_EDITS = ("replace", "replace-relative", "replace-failed", "write-create", "write-update", "write-spaces")
KINDS = {
    "codex": {
        "SessionStart-startup": (START, START),
        "SessionStart-resume": (START, START),
        "SessionStart-compact": (START, START),
        "PreCompact": (OTHER, OTHER),
        "UserPromptSubmit": (PROMPT, PROMPT),
        "PreToolUse-own-tool": (BEFORE_EDIT, OTHER),
        "PreToolUse-patch": (BEFORE_EDIT, BEFORE_EDIT),
        "PreToolUse-patch-more": (BEFORE_EDIT, BEFORE_EDIT),
        "PreToolUse-patch-failed": (BEFORE_EDIT, BEFORE_EDIT),
        "PreToolUse-shell": (BEFORE_EDIT, OTHER),
        "PreToolUse-shell-failed": (BEFORE_EDIT, OTHER),
        "PreToolUse-shell-patch": (BEFORE_EDIT, BEFORE_EDIT),
        "PostToolUse-own-tool": (OTHER, OTHER),
        "PostToolUse-patch": (EDIT, EDIT),
        "PostToolUse-patch-more": (EDIT, EDIT),
        "PostToolUse-shell": (COMMAND, COMMAND),
        "PostToolUse-shell-failed": (COMMAND, COMMAND),
        "Stop": (REPLY, REPLY),
        "SessionEnd-other": (END, END),
    },
    "copilot": {
        "sessionStart": (START, START),
        "userPromptSubmitted": (PROMPT, PROMPT),
        "preToolUse-own-tool": (BEFORE_EDIT, OTHER),
        "preToolUse-edit": (BEFORE_EDIT, BEFORE_EDIT),
        "preToolUse-edit-failed": (BEFORE_EDIT, BEFORE_EDIT),
        "preToolUse-create": (BEFORE_EDIT, BEFORE_EDIT),
        "preToolUse-patch": (BEFORE_EDIT, BEFORE_EDIT),
        "preToolUse-shell": (BEFORE_EDIT, OTHER),
        "preToolUse-shell-failed": (BEFORE_EDIT, OTHER),
        "postToolUse-own-tool": (OTHER, OTHER),
        "postToolUse-edit": (EDIT, EDIT),
        "postToolUse-create": (EDIT, EDIT),
        "postToolUse-patch": (EDIT, EDIT),
        "postToolUse-shell": (COMMAND, COMMAND),
        "postToolUse-shell-failed": (COMMAND, COMMAND),
        "postToolUseFailure-edit-failed": (OTHER, OTHER),
        "postToolUseFailure-patch-failed": (COMMAND, COMMAND),
        "agentStop": (REPLY, REPLY),
        "sessionEnd": (END, END),
    },
    "cursor": {
        "sessionStart": (START, START),
        "beforeSubmitPrompt": (PROMPT, OTHER),
        "afterFileEdit": (EDIT, OTHER),
        "afterShellExecution": (COMMAND, OTHER),
        "preCompact": (COMPACTED, OTHER),
        "stop": (REPLY, OTHER),
        "sessionEnd": (END, OTHER),
    },
    "gemini": {
        "SessionStart-startup": (START, START),
        "BeforeAgent": (PROMPT, PROMPT),
        "BeforeTool-replace": (OTHER, OTHER),
        "AfterTool-own-tool": (OTHER, OTHER),
        **{f"AfterTool-{name}": (EDIT, BEFORE_EDIT) for name in GEMINI_EDITS},
        "AfterTool-shell": (COMMAND, COMMAND),
        "AfterTool-shell-failed": (COMMAND, COMMAND),
        "PreCompress": (OTHER, OTHER),
        "AfterAgent": (REPLY, REPLY),
        "SessionEnd-exit": (END, END),
    },
    "opencode": {
        "session.start": (START, START),
        "chat.message": (PROMPT, PROMPT),
        "tool.execute.before-edit": (BEFORE_EDIT, BEFORE_EDIT),
        "tool.execute.before-edit-failed": (BEFORE_EDIT, BEFORE_EDIT),
        "tool.execute.before-patch": (BEFORE_EDIT, BEFORE_EDIT),
        "tool.execute.before-write-create": (BEFORE_EDIT, BEFORE_EDIT),
        "tool.execute.before-write-update": (BEFORE_EDIT, BEFORE_EDIT),
        "tool.execute.after-edit": (EDIT, EDIT),
        "tool.execute.after-patch": (EDIT, EDIT),
        "tool.execute.after-write-create": (EDIT, EDIT),
        "tool.execute.after-write-update": (EDIT, EDIT),
        "tool.execute.after-shell": (COMMAND, COMMAND),
        "tool.execute.after-shell-failed": (COMMAND, COMMAND),
        "session.idle": (REPLY, REPLY),
        "dispose": (END, END),
    },
    "qwen": {
        "SessionStart": (START, START),
        "UserPromptSubmit": (PROMPT, PROMPT),
        "UserPromptSubmit-empty": (OTHER, OTHER),
        "PostToolUse-edit": (EDIT, BEFORE_EDIT),
        "PostToolUse-write": (EDIT, BEFORE_EDIT),
        "PostToolUse-shell": (COMMAND, COMMAND),
        "PostToolUseFailure-shell-failed": (COMMAND, COMMAND),
        "Stop": (REPLY, REPLY),
    },
}
TRANSCRIPTS = {
    "copilot": f"/home/dev/.copilot/session-state/{SESSION}/events.jsonl",
    "opencode": "/home/dev/.local/share/opencode/opencode.db/ses_1",
    "qwen": "",
}
"""Places of transcripts that an event doesn't name, or names before they are complete."""
CONTEXT_IN = {"copilot": "additionalContext", "cursor": "additional_context", "opencode": "context"}
"""Fields in which clients expect context at the top; others expect it with the name of the event."""


@pytest.mark.parametrize("client", CLIENTS)
def test_every_recorded_event_is_known(client: str) -> None:
    assert named(client) == sorted(f"{client}/{name}" for name in KINDS[client])


@pytest.mark.parametrize(("client", "name"), [(client, name) for client in KINDS for name in KINDS[client]])
def test_each_event_has_its_kind(client: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/dev")
    payload = recorded(f"{client}/{name}")
    called = payload.get("hook_event_name", name.partition("-")[0])
    happened = CLIENTS[client].event(payload, "" if "hook_event_name" in payload else called)
    assert (happened.kind, happened.asks) == KINDS[client][name]
    assert happened.prompt == ("Mend the exit code. Its caller reads it." if happened.kind == PROMPT else "")
    assert happened.command == COMMANDS.get(f"{client}/{name}", "")
    assert (happened.name, happened.process) == (called, payload.get("process", 0))
    assert happened.session == payload.get("session_id", SESSION)
    assert happened.directory == payload.get("cwd", "/home/dev/project")
    assert happened.transcript == TRANSCRIPTS.get(client, payload.get("transcript_path") or "")
    said = CLIENTS[client].output(happened, "hello")
    if client in CONTEXT_IN:
        assert said == {CONTEXT_IN[client]: "hello"}
    else:
        assert said["hookSpecificOutput"] == {"hookEventName": called, "additionalContext": "hello"}
