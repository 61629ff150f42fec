"""The tags that Claude Code itself writes where a user's words are expected.

Hooks use this module, so it imports nothing.
"""

TOLD_THE_MODEL = (
    "system-reminder",
    "local-command-caveat",
    "ide_opened_file",
    "ide_selection",
    "user-prompt-submit-hook",
)
"""Around what the client tells the model inside of somebody's message."""

COMMAND = ("command-name", "command-message", "command-args")
"""Around the parts of a slash command that was typed."""

SHELL = "bash-input"
"""Around a line that was typed for the shell."""

SHELL_SAID = ("bash-stdout", "bash-stderr")
COMMAND_SAID = ("local-command-stdout", "local-command-stderr")
"""Around what the shell, or a slash command, printed."""

ENDED = "task-notification"
"""Around the news that something has ended which the user asked for before."""

_ALL = (*TOLD_THE_MODEL, *COMMAND, SHELL, *SHELL_SAID, *COMMAND_SAID, ENDED)


def begins_with(text: str, *tags: str) -> bool:
    """Whether a text begins with one of `tags`; with any of the client's, if none is given."""
    return text.startswith("<") and text[1:].partition(">")[0] in (tags or _ALL)
