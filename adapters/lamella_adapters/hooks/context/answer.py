"""Context that a hook gives to the model.

The dependency container is too slow for a hook, so this module assembles the objects itself. For each event, only
the needed modules are imported, and none of them imports attrs.
"""

# ruff: noqa: PLC0415 - see above
# ruff: noqa: PTH117, PTH118 - importing pathlib would take longer than the rest of a hook

import os
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from contextlib import suppress

from lamella_adapters.hooks.clients import PROMPT, START, Edit, Event
from lamella_adapters.hooks.context import projects
from lamella_adapters.hooks.context.already_shown import forget, not_yet_shown, shown_before, start_now
from lamella_adapters.hooks.context.pending import Pending, brought_back
from lamella_adapters.hooks.options import NOTICE, switched_on
from lamella_adapters.hooks.session_records import names_a_file
from lamella_adapters.process.start import storage_url

LONGEST = 1.0
"""Time limit of an answer in seconds, including imports.

An answer usually takes a fiftieth of this limit. On a busy machine, it takes a fifth.
"""

_MOST_EDITS = 10
"""Maximum number of files of one edit to compare with removed code."""

_UNREAD = "hook-reads"
"""Key of the notice that hooks can't read the storage; see `already_shown`."""

_SCHEME_CHARACTERS = 40

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from lamella.domain.hook_context import Related
    from lamella.ports.hook_reads import HookReads, ProjectReads

    T = TypeVar("T")

    Context = tuple[str, list[str]]
    """The text, and the keys of the memories in it."""


def answer(event: Event, directory: str) -> "Context | None":
    """Return the context for the model. Return None if there is no context, or after an error.

    Args:
        event: An event at which the client accepts one of the `CONTEXTS`.
        directory: The data directory.

    Raises:
        TimeoutError: Time ran out.
    """
    if not names_a_file(event.session) or not os.path.isabs(event.directory):
        return None
    url = storage_url(os.environ.get("LAMELLA_STORAGE", ""), directory)

    def look() -> "Context | None":
        open_reads = projects.opener(url)
        if open_reads is None:
            return _unread(url, directory, event.session) if event.asks == START else None
        reads = open_reads(url, directory)
        if reads is None:
            if event.asks in (START, PROMPT):
                return None
            # The storage is empty. Captures in the spool can still cause a warning.
            reads = projects.nothing_stored()
        return _answer(event, reads, directory)

    return _in_time(look)


def _answer(event: Event, reads: "HookReads", directory: str) -> "Context | None":
    if event.asks == START:
        if event.context_lost:
            forget(directory, event.session)
        return _start(event, reads, directory)
    if event.asks == PROMPT:
        return _related(event, reads, directory)
    warnings = (_warning(event, each, reads, directory) for each in event.edits[:_MOST_EDITS])
    return next(filter(None, warnings), None)


def _start(event: Event, reads: "HookReads", directory: str) -> "Context | None":
    """Return the index of memories. Once per session, add a note if a project has probably moved here."""
    shown, known = None, False
    try:
        shown, known = _index(event, reads, directory)
    except TimeoutError:
        raise  # the caller counts timeouts
    except Exception:  # noqa: BLE001, S110 - most likely, the project has no memories
        pass
    moved = None if known else projects.moved_here(reads, event.directory, directory)
    if moved is None or not not_yet_shown(directory, event.session, [moved.id]):
        return shown
    from lamella_adapters.hooks.context.fence import fenced

    text, keys = shown or ("", [])
    return "\n".join(filter(None, (text, fenced([projects.moved_line(moved)])))), keys


def _unread(url: str, directory: str, session: str) -> "Context | None":
    """Return a line which says that hooks can't read the storage. It is shown once per session."""
    from lamella_adapters.hooks.context.fence import line
    from lamella_adapters.hooks.context.server_tools import server_tools

    if not not_yet_shown(directory, session, [_UNREAD]):
        return None
    # Print only the scheme of the URL: the rest may hold a password.
    scheme = line(url.partition(":")[0], _SCHEME_CHARACTERS)
    search = server_tools().search
    said = f"lamella: hooks can't read the storage {scheme}:, so no memory is shown unasked; {search} finds them."
    return said, []


def _in_time(look: "Callable[[], Context | None]") -> "Context | None":
    """Call `look`, which reads from the storage, in a thread. Return its result; None after other errors.

    Without the thread, the time limit couldn't be kept: SQLite waits up to ten seconds for some locks despite its
    timeout, and signals are not handled during the wait.

    Raises:
        TimeoutError: `look` takes longer than `LONGEST`, or raises this error.
    """
    results: list[Context | None] = []
    late: list[TimeoutError] = []
    done = allocate_lock()

    def looked() -> None:
        try:
            results.append(look())
        except TimeoutError as error:
            late.append(error)
        except Exception:  # noqa: BLE001, S110 - no error may interrupt the user's work
            pass
        finally:
            done.release()

    done.acquire()
    start_new_thread(looked, ())
    if not done.acquire(timeout=LONGEST) or late:
        raise TimeoutError
    return results[0] if results else None


def _found(
    reads: "HookReads",
    directory: str,
    place: tuple[str, str],
    look: "Callable[[ProjectReads], T]",
    look_everywhere: "Callable[[ProjectReads], T]",
    *,
    nothing: "Callable[[T], T]",
) -> "tuple[T, T | None]":
    """Call `look` on the project at a location, and `look_everywhere` on the global memories. Return both results.

    If the project can't be read, it has most likely no memories yet. In this case, call `nothing` with the result
    of `look_everywhere`, and return the result of `nothing` for the project.
    """
    held = projects.everywhere(reads, directory, look_everywhere)
    try:
        with projects.project_at(reads, *place, directory) as project:
            found = look(project)
    except TimeoutError:
        raise  # the caller counts timeouts
    except Exception:
        if held is None:
            raise
        found = nothing(held)
    return found, held


def _index(event: Event, reads: "HookReads", directory: str) -> "tuple[Context | None, bool]":
    """Return the index, and True if the project has memories."""
    from lamella_adapters.git.changes.branch_files import BranchFiles

    key, _, root = projects.place_of(reads, event.directory, directory)
    changed = BranchFiles(root)
    # Import these modules while git is running.
    from lamella.domain.memories.nearness import news
    from lamella_adapters.git.repository.paths import inside
    from lamella_adapters.hooks.context import session_start as start
    from lamella_adapters.hooks.context.server_tools import server_tools
    from lamella_adapters.hooks.context.surroundings import surroundings

    here = surroundings(root, inside(root, event.directory) or "", changed.get())
    most = start.MOST_EVERYWHERE
    found, held = _found(
        reads,
        directory,
        (key, root),
        lambda it: it.index(here=here, **start.READ),
        lambda it: it.index(decisions=most, notes=most, summaries=0, files=0),
        nothing=lambda held: held._replace(overview=held.overview._replace(memories=0), decisions=[], notes=[]),
    )
    if held is not None:
        found = found._replace(everywhere=(*held.decisions, *held.notes)[:most])
    known, since = shown_before(directory, event.session) if event.resumed else (frozenset[str](), None)
    if since is not None:
        found = news(found, shown=known, since=since, session=event.session)
    found = start.best(found, here, lambda memories: projects.by_freshness(memories, root))

    def is_there(path: str) -> bool:
        return os.path.lexists(os.path.join(root, path))

    shown = start.index(found, here, is_there, server_tools(), resumed=since is not None)
    # If the record can't be written, show everything, even if it may be shown again.
    with suppress(OSError):
        not_yet_shown(directory, event.session, [start_now(), *(shown[1] if shown else ())])
    if shown and switched_on(NOTICE):
        event.notice = start.notice(found, shown[1])
    return shown, found.overview.memories > 0


def _related(event: Event, reads: "HookReads", directory: str) -> "Context | None":
    from lamella_adapters.hooks.context import prompt

    asked = prompt.asked(event.prompt)
    if asked is None:
        return None
    from lamella.domain.text.words import query_words
    from lamella_adapters.hooks.context.server_tools import server_tools

    words = query_words(asked)

    def look(project: "ProjectReads") -> "list[Related]":
        return project.related(words, prompt.LOOKED_AT)

    key, _, root = projects.place_of(reads, event.directory, directory)
    found, held = _found(reads, directory, (key, root), look, look, nothing=lambda _: [])
    # The weight of a word depends on its rarity in a project, so select from global memories separately.
    others = [each._replace(memory=each.memory._replace(state="everywhere")) for each in held or []]
    mine = prompt.relevant(found)
    looked = {each.key: each for each in projects.by_freshness([each.memory for each in mine], root)}
    mine = [each._replace(memory=looked[each.memory.key]) for each in mine]
    relevant = [*mine, *prompt.relevant(others)][: prompt.MOST]
    if not relevant:
        return None
    new = not_yet_shown(directory, event.session, [each.memory.key for each in relevant])
    shown = [each for each in relevant if each.memory.key in new]
    return (prompt.context(shown, server_tools()), [each.memory.key for each in shown]) if shown else None


def _warning(event: Event, edit: Edit, reads: "HookReads", directory: str) -> "Context | None":
    place = projects.place_of_file(reads, event.directory, edit.path, directory)
    if place is None:
        return None
    key, root, path = place
    pending = Pending(event, directory, edit.path, root, path)
    try:
        with projects.project_at(reads, key, root, directory) as project:
            found = brought_back(event, edit, project, pending)
    except TimeoutError:
        raise  # the caller counts timeouts
    except Exception:
        if not pending.possible:
            raise
        found = brought_back(event, edit, None, pending)  # most likely, the project has no memories yet
    if found is None:
        return None
    from lamella_adapters.hooks.context.edit_warning import context
    from lamella_adapters.hooks.context.server_tools import server_tools

    removal, likeness, why, id = found
    # The context of a sub-agent isn't visible to the session itself, or to other sub-agents. So show the warning
    # once in the session, and once to each sub-agent.
    reader = f"{event.agent}:" if names_a_file(event.agent) else ""
    thing = f"{reader}{removal.key}:{removal.path.encode(errors='replace').hex()}"
    if not not_yet_shown(directory, event.session, [thing]):
        return None
    elsewhere = root if _elsewhere(event, key, reads, directory) else None
    return context(why, likeness, id, server_tools(), elsewhere), [removal.key] if id else []


def _elsewhere(event: Event, key: str, reads: "HookReads", directory: str) -> bool:
    """Return True if the project with this key isn't the project of the session's server."""
    started = event.server_directory if os.path.isabs(event.server_directory) else event.directory
    return not projects.set_project() and projects.place_of(reads, started, directory)[0] != key
