"""Options of hooks, and the data directory."""

# ruff: noqa: PTH111 - importing pathlib costs a hook more than the rest

import posix
import sys

from lamella_adapters.hooks.clients import BEFORE_EDIT, PROMPT, START
from lamella_adapters.hooks.paths import is_absolute, joined, variable

CONTEXTS = {START: "context_at_start", PROMPT: "context_at_prompt", BEFORE_EDIT: "warn_before_edits"}
"""Kinds of events that are answered with context, each with the option that switches it off."""

OPTIONS = ("capture_edits", "capture_conversations", *CONTEXTS.values())
"""All options, which are on by default."""

OFF = "off"
"""File of the data directory that lists the places where memory is off. Mostly there is none."""

_OFF = ("false", "0", "no", "off")


def switched_on(option: str) -> bool:
    """Return True unless the user has switched off an option, such as `capture_edits`.

    Claude Code's plugin has settings of its own. Environment variables such as `LAMELLA_CAPTURE_EDITS` do the same
    in every client.
    """
    name = option.upper()
    plugin, own = variable(f"CLAUDE_PLUGIN_OPTION_{name}"), variable(f"LAMELLA_{name}")
    return plugin.strip().lower() not in _OFF and own.strip().lower() not in _OFF


def memory_is_off(directory: str, here: str) -> bool:
    """Return True if memory is switched off in the project of a working directory.

    Args:
        directory: The data directory.
        here: The working directory.
    """
    try:
        file = posix.open(joined(directory, OFF), posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except OSError:
        return False
    # Only those who have switched memory off somewhere pay for the rest.
    from lamella.domain.projects.key import key_of_name, key_to_bytes, storable  # noqa: PLC0415 - see above

    with open(file, "rb") as opened:  # noqa: PTH123 - it is a descriptor
        places = frozenset(opened.read().split(b"\0"))
    chosen = variable("LAMELLA_PROJECT").strip()
    if chosen:
        return not places.isdisjoint((key_to_bytes(key_of_name(chosen)), key_to_bytes(chosen)))
    from lamella.domain.text.keys import stored_key  # noqa: PLC0415 - see above
    from lamella_adapters.hooks.context.projects import key_at  # noqa: PLC0415 - see above

    return is_absolute(here) and key_to_bytes(stored_key(storable(key_at(here)))) in places


def data_directory() -> str:
    """Return the data directory that `lamella_adapters.process.settings` finds with platformdirs.

    Raises:
        OSError: The directory is relative to a working directory that is gone.
        KeyError: The user has no home.
    """
    chosen = variable("LAMELLA_DATA_DIR").strip()
    if chosen:
        if chosen.startswith("~"):
            import os  # noqa: PLC0415 - see `paths`

            chosen = os.path.expanduser(chosen)
        if chosen.startswith("~"):
            raise KeyError(chosen)
        return chosen if is_absolute(chosen) else joined(posix.getcwd(), chosen)
    base = variable("XDG_DATA_HOME")
    if not is_absolute(base):
        base = _home() + ("/Library/Application Support" if sys.platform == "darwin" else "/.local/share")
    return joined(base, "lamella")


def _home() -> str:
    home = variable("HOME")
    if not is_absolute(home):
        import pwd  # noqa: PLC0415 - seldom needed

        home = pwd.getpwuid(posix.getuid()).pw_dir
    return home.rstrip("/")
