"""What a hook gives back for the model's context, or nothing.

A hook has no time for the container: this is a composition root of its own. It imports what an event needs when it
is needed, and nothing with attrs.
"""

# ruff: noqa: PLC0415 - see above
# ruff: noqa: PTH117, PTH118, PTH120 - importing pathlib costs a hook more than the rest

import os
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from contextlib import suppress

from lamella_adapters.claude_code.hooks.already_shown import forget, untold
from lamella_adapters.claude_code.hooks.payload import Json, object_in, text_in
from lamella_adapters.claude_code.session.record_file import names_a_file

LONGEST = 1.0
"""How many seconds an answer may take, imports and all. It takes a fiftieth of that, on a busy machine a fifth."""

_EDITING = ("Edit", "Write", "MultiEdit")
_SQLITE = "sqlite:"
_REPOSITORY = "git:"
"""How the key of a repository begins."""


def answer(event: str, payload: Json, directory: str) -> str | None:
    """What the model is told at this event, one of `CONTEXTS`; None where there is nothing, or anything fails.

    `payload` is what Claude Code says of the event, `directory` the data directory.
    """
    folder, session, here = _storage(directory), text_in(payload, "session_id"), text_in(payload, "cwd")
    if not folder or not names_a_file(session) or not os.path.isabs(here) or not _there(folder):
        return None

    def look() -> str | None:
        if event == "SessionStart":
            if text_in(payload, "source") == "compact":
                forget(directory, session)
            return _index(folder, here, directory, session)
        if event == "UserPromptSubmit":
            return _related(text_in(payload, "prompt"), folder, here, directory, session)
        return _warning(payload, folder, here, directory, session)

    return _in_time(look)


def _in_time(look: Callable[[], str | None]) -> str | None:
    """What `look` returns, unless that takes too long or fails.

    In a thread of its own: where somebody keeps a lock that is never held for long, SQLite tries for ten seconds,
    whatever it is told, and no signal gets through to us.
    """
    told: list[str | None] = []
    done = allocate_lock()

    def looked() -> None:
        try:
            told.append(look())
        except Exception:  # noqa: BLE001, S110 - whatever is wrong, the user's work goes on
            pass
        finally:
            done.release()

    done.acquire()
    start_new_thread(looked, ())
    return told[0] if done.acquire(timeout=LONGEST) and told else None


def _index(folder: str, here: str, directory: str, session: str) -> str | None:
    from lamella_adapters.claude_code.hooks import session_start
    from lamella_adapters.git.repository.locate import find
    from lamella_adapters.sqlite.hook_reads.open_project import Deadline, project_at
    from lamella_adapters.sqlite.hook_reads.session_index import read_index

    key, _, root = find(here)
    with project_at(folder, key, _name(), Deadline()) as connection:
        found = read_index(
            connection,
            decisions=session_start.DECISIONS,
            notes=session_start.NOTES,
            summaries=session_start.SUMMARIES,
            files=session_start.FILES,
        )
    shown = session_start.index(found, lambda path: os.path.lexists(os.path.join(root, path)))
    if shown is None:
        return None
    text, keys = shown
    # What can't be written down may be told once more.
    with suppress(OSError):
        untold(directory, session, keys)
    return text


def _related(said: str, folder: str, here: str, directory: str, session: str) -> str | None:
    from lamella_adapters.claude_code.hooks import prompt

    asked = prompt.asked(said)
    if asked is None:
        return None
    from lamella.domain.text.words import query_words
    from lamella_adapters.git.repository.locate import find
    from lamella_adapters.sqlite.hook_reads.open_project import Deadline, project_at
    from lamella_adapters.sqlite.hook_reads.related import related_memories

    with project_at(folder, find(here)[0], _name(), Deadline()) as connection:
        found = related_memories(connection, query_words(asked), prompt.LOOKED_AT)
    relevant = prompt.relevant(found)
    if not relevant:
        return None
    new = untold(directory, session, [each.memory.key for each in relevant])
    return prompt.told([each for each in relevant if each.memory.key in new]) if new else None


def _warning(payload: Json, folder: str, here: str, directory: str, session: str) -> str | None:
    tool, arguments = text_in(payload, "tool_name"), object_in(payload, "tool_input")
    place = _place(here, text_in(arguments, "file_path")) if tool in _EDITING else None
    if place is None:
        return None
    from lamella_adapters.sqlite.hook_reads.open_project import Deadline, knows_file, project_at

    key, root, path = place
    with project_at(folder, key, _name(), Deadline()) as connection:
        if not knows_file(connection, path):
            return None
        from lamella_adapters.claude_code.hooks import edit_warning
        from lamella_adapters.sqlite.hook_reads.removed_code import find_removals, short_id_of

        edit = edit_warning.edited(tool, arguments)
        found = edit and edit_warning.walked_back(
            *edit,
            lambda marks: find_removals(connection, path, marks),
            edit_warning.present_turn(directory, session),
        )
        if not found:
            return None
        removal, likeness = found
        id = short_id_of(connection, removal)
    # What one sub-agent was told, neither the others nor the session itself have read.
    agent = text_in(payload, "agent_id")
    heard = f"{agent}:" if names_a_file(agent) else ""
    thing = f"{heard}{removal.key}:{removal.path.encode(errors='replace').hex()}"
    if not untold(directory, session, [thing]):
        return None
    return edit_warning.told(removal, likeness, id, root if _elsewhere(here, key) else None)


def _place(here: str, file: str) -> tuple[str, str, str] | None:
    """The key of the project that a file's edits are captured into, its root, and the file's path in it.

    That is the repository of the file, else the session's project; None where it is in neither.
    """
    from lamella_adapters.git.repository.locate import find
    from lamella_adapters.git.repository.paths import inside

    if not os.path.isabs(file):
        return None
    key, _, root = find(os.path.dirname(file))
    if not key.startswith(_REPOSITORY):
        key, _, root = find(here)
    path = inside(root, file)
    return None if path is None else (key, root, path)


def _elsewhere(here: str, key: str) -> bool:
    """Whether the project that lives at `key` is another one than that of the session's server."""
    from lamella_adapters.git.repository.locate import find

    started = os.environ.get("CLAUDE_PROJECT_DIR", "")
    return not _name() and find(started if os.path.isabs(started) else here)[0] != key


def _storage(directory: str) -> str:
    """The folder of SQLite storage; empty where another storage is configured."""
    chosen = os.environ.get("LAMELLA_STORAGE", "").strip() or _SQLITE
    if chosen == _SQLITE:
        return directory
    folder = chosen.removeprefix("sqlite://")
    return folder if folder != chosen and folder.startswith("/") and folder.strip("/") else ""


def _there(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, "registry.db"))


def _name() -> str:
    """The project that the user has set."""
    return os.environ.get("LAMELLA_PROJECT", "").strip()
