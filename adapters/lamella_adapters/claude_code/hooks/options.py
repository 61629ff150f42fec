"""Options of the plugin, and the data directory."""

# ruff: noqa: PTH109, PTH111, PTH117, PTH118 - importing pathlib costs a hook more than the rest

import os
import sys

CONTEXTS = {
    "SessionStart": "context_at_start",
    "UserPromptSubmit": "context_at_prompt",
    "PreToolUse": "warn_before_edits",
}
"""Events that are answered with context, each with the option that switches it off."""

OPTIONS = ("capture_edits", "capture_conversations", *CONTEXTS.values())
"""All options of the plugin that are on by default."""

_OFF = ("false", "0", "no", "off")


def switched_on(option: str) -> bool:
    """Return True unless the user has switched off an option, such as `capture_edits`."""
    return os.environ.get(f"CLAUDE_PLUGIN_OPTION_{option.upper()}", "").strip().lower() not in _OFF


def data_directory() -> str:
    """Return the data directory that `lamella_adapters.settings` finds with platformdirs.

    Raises:
        OSError: The directory is relative to a working directory that is gone.
        KeyError: The user has no home.
    """
    chosen = os.environ.get("LAMELLA_DATA_DIR", "").strip()
    if chosen:
        chosen = os.path.expanduser(chosen)
        if chosen.startswith("~"):
            raise KeyError(chosen)
        return chosen if os.path.isabs(chosen) else os.path.join(os.getcwd(), chosen)
    base = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(base):
        base = _home() + ("/Library/Application Support" if sys.platform == "darwin" else "/.local/share")
    return os.path.join(base, "lamella")


def _home() -> str:
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home):
        import pwd  # noqa: PLC0415 - seldom needed

        home = pwd.getpwuid(os.getuid()).pw_dir
    return home.rstrip("/")
