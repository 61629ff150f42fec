"""Tags that Claude Code writes into messages of the user.

Hooks use this module, so it imports nothing.
"""

FOR_THE_MODEL = (
    "system-reminder",
    "local-command-caveat",
    "ide_opened_file",
    "ide_selection",
    "user-prompt-submit-hook",
)
"""Tags around the client's words to the model, inside of other messages."""

COMMAND = ("command-name", "command-message", "command-args")
"""Tags around the parts of a slash command that was typed."""

SHELL = "bash-input"
"""Tag around a line that was typed for the shell."""

SHELL_OUTPUT = ("bash-stdout", "bash-stderr")
COMMAND_OUTPUT = ("local-command-stdout", "local-command-stderr")
"""Tags around the output of the shell and of slash commands."""

ENDED = "task-notification"
"""Tag around the news that a task in the background has ended."""

_ALL = (*FOR_THE_MODEL, *COMMAND, SHELL, *SHELL_OUTPUT, *COMMAND_OUTPUT, ENDED)


def begins_with(text: str, *tags: str) -> bool:
    """Return True if a text begins with one of `tags`, by default with any tag of the client."""
    return text.startswith("<") and text[1:].partition(">")[0] in (tags or _ALL)
