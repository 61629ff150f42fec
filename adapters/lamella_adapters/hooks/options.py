"""Options of hooks, and the data directory."""

from lamella_adapters.hooks.clients import BEFORE_EDIT, PROMPT, START
from lamella_adapters.hooks.paths import is_absolute, joined, variable
from lamella_adapters.process import start
from lamella_adapters.process.calls import posix

CONTEXTS = {START: "context_at_start", PROMPT: "context_at_prompt", BEFORE_EDIT: "warn_before_edits"}
"""Options that switch context off, keyed by the kind of event at which hooks give it."""

NOTICE = "notice_at_start"
"""Option for the line shown to the user."""

OPTIONS = ("capture_edits", "capture_conversations", *CONTEXTS.values(), NOTICE)
"""All options. All are on by default."""

OFF = "off"
"""File in the data directory that lists the locations with memory off. Usually the file doesn't exist."""

_OFF = ("false", "0", "no", "off")


def switched_on(option: str) -> bool:
    """Return True unless the user has switched off an option, such as `capture_edits`.

    Claude Code's plugin has its own settings. Environment variables such as `LAMELLA_CAPTURE_EDITS` do the same in
    every client.
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
    # Importing and searching takes time, so return early if memory is off nowhere.
    from lamella.domain.projects.key import key_of_name, key_to_bytes  # noqa: PLC0415 - see above

    with open(file, "rb") as opened:  # noqa: PTH123 - opens a descriptor
        places = frozenset(opened.read().split(b"\0"))
    chosen = variable("LAMELLA_PROJECT").strip()
    if chosen:
        return not places.isdisjoint((key_to_bytes(key_of_name(chosen)), key_to_bytes(chosen)))
    from lamella.domain.text.printing import storable, stored_key  # noqa: PLC0415 - see above
    from lamella_adapters.hooks.context.projects import key_at  # noqa: PLC0415 - see above

    return is_absolute(here) and key_to_bytes(stored_key(storable(key_at(here)))) in places


def data_directory() -> str:
    """Return the data directory.

    Raises:
        OSError: The directory is relative to a working directory that is gone.
        KeyError: The user has no home.
    """
    return start.data_directory(variable("LAMELLA_DATA_DIR"), variable("XDG_DATA_HOME"), variable("HOME"))
