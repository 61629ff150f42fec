"""lamella: persistent memory for coding agents, disclosed leaf by leaf.

Open the memories of a project, and call a use case:

    import lamella

    with lamella.open_memory("path/of/the/repository") as memory:
        memory.save(lamella.SaveRequest(text="Staging is reset every night."))
        print(memory.recall(lamella.RecallRequest(selector=lamella.ByText("staging"))))

`help(lamella.Memory)` lists the use cases. Every error is a `LamellaError`. Importing `lamella` imports nothing
else: each name is imported when it is first used.
"""

TYPE_CHECKING = False
"""Known by this name to type checkers; `typing` takes longer to import than a hook may."""

if TYPE_CHECKING:
    from lamella.application.ledger.check_edit import EditRequest, WalkBack
    from lamella.application.ledger.file_history import FileHistory
    from lamella.application.maintenance.status import Status
    from lamella.application.memories.get import Found
    from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
    from lamella.application.memories.save import SaveOutcome, SaveRequest
    from lamella.application.memories.timeline import TimelineRequest
    from lamella.application.search.recall import RecallRequest
    from lamella.application.search.request import SearchRequest
    from lamella.domain.conversations.message import Session
    from lamella.domain.errors import (
        AmbiguousIdError,
        CapabilityUnsupportedError,
        InvalidValueError,
        LamellaError,
        MemoryClosedError,
        NothingFoundError,
        ObservationNotFoundError,
        StorageError,
        UnknownProjectError,
    )
    from lamella.domain.memories.observation import CodeChange, Kind, Observation
    from lamella.domain.memories.query import (
        MAX_QUERY_CHARACTERS,
        ById,
        ByIds,
        ByText,
        ByTitle,
        Filters,
        Hit,
        Match,
        Mode,
        Recent,
    )
    from lamella.domain.memories.timeline import Surroundings
    from lamella.domain.project import Project
    from lamella.domain.replies.answer import Answer
    from lamella.domain.replies.views import Detail
    from lamella.domain.text.printing import defused, one_line, printed_line, printed_time
    from lamella.memory import Memory, open_memory

__all__ = [
    "MAX_QUERY_CHARACTERS",
    "AmbiguousIdError",
    "Answer",
    "ById",
    "ByIds",
    "ByText",
    "ByTitle",
    "CapabilityUnsupportedError",
    "CodeChange",
    "Detail",
    "EditRequest",
    "FileHistory",
    "Filters",
    "Found",
    "Hit",
    "InvalidValueError",
    "Kind",
    "LamellaError",
    "Match",
    "Memory",
    "MemoryClosedError",
    "Mode",
    "NothingFoundError",
    "Observation",
    "ObservationNotFoundError",
    "Project",
    "RecallRequest",
    "Recent",
    "SaveOutcome",
    "SaveRequest",
    "SearchRequest",
    "Session",
    "Status",
    "StatusChangeOutcome",
    "StorageError",
    "Surroundings",
    "TimelineRequest",
    "UnknownProjectError",
    "WalkBack",
    "defused",
    "one_line",
    "open_memory",
    "printed_line",
    "printed_time",
]

_HOMES = {
    "lamella.application.ledger.check_edit": "EditRequest WalkBack",
    "lamella.application.ledger.file_history": "FileHistory",
    "lamella.application.maintenance.status": "Status",
    "lamella.application.memories.get": "Found",
    "lamella.application.memories.purge_restore_erase": "StatusChangeOutcome",
    "lamella.application.memories.save": "SaveOutcome SaveRequest",
    "lamella.application.memories.timeline": "TimelineRequest",
    "lamella.application.search.recall": "RecallRequest",
    "lamella.application.search.request": "SearchRequest",
    "lamella.domain.conversations.message": "Session",
    "lamella.domain.memories.observation": "CodeChange Kind Observation",
    "lamella.domain.memories.query": (
        "ById ByIds ByText ByTitle Filters Hit MAX_QUERY_CHARACTERS Match Mode Recent"
    ),
    "lamella.domain.memories.timeline": "Surroundings",
    "lamella.domain.project": "Project",
    "lamella.domain.replies.answer": "Answer",
    "lamella.domain.replies.views": "Detail",
    "lamella.domain.text.printing": "defused one_line printed_line printed_time",
    "lamella.memory": "Memory open_memory",
}
"""Modules of the names that are no errors."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import what is offered under `name`."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - hooks import this package, and nothing of it

        home = next((home for home, names in _HOMES.items() if name in names.split()), "lamella.domain.errors")
        value = globals()[name] = getattr(import_module(home), name)
        return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
