"""Tags written into the user's messages by Claude Code.

Hooks use this module, so it imports nothing.
"""

FOR_THE_MODEL = (
    "system-reminder",
    "local-command-caveat",
    "ide_opened_file",
    "ide_selection",
    "user-prompt-submit-hook",
)
"""Tags around text that the client adds to other messages, for the model."""

COMMAND = ("command-name", "command-message", "command-args")
"""Tags around the parts of a typed slash command."""

SHELL = "bash-input"
"""Tag around a line typed for the shell."""

SHELL_OUTPUT = ("bash-stdout", "bash-stderr")
COMMAND_OUTPUT = ("local-command-stdout", "local-command-stderr")
"""Tags around the output of the shell and of slash commands."""

ENDED = "task-notification"
"""Tag around the notice about the end of a background task."""

_ALL = (*FOR_THE_MODEL, *COMMAND, SHELL, *SHELL_OUTPUT, *COMMAND_OUTPUT, ENDED)


def begins_with(text: str, *tags: str) -> bool:
    """Return True if a text begins with one of `tags`, by default with any tag of the client."""
    return text.startswith("<") and text[1:].partition(">")[0] in (tags or _ALL)
