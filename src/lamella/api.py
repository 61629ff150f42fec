"""Everything that `import lamella` offers: requests, selectors, values, errors, and what opens memories."""

from lamella.application.ledger.check_edit import EditRequest
from lamella.application.ledger.file_history import FileHistory
from lamella.application.maintenance.status import Status
from lamella.application.memories.get import Found
from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.application.memories.save import SaveOutcome, SaveRequest
from lamella.application.memories.timeline import TimelineRequest
from lamella.application.search.recall import RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.domain.conversations.errors import MessageNotFoundError
from lamella.domain.conversations.message import Session
from lamella.domain.errors import (
    AmbiguousProjectError,
    CapabilityUnsupportedError,
    InvalidValueError,
    LamellaError,
    MemoryClosedError,
    OutcomeUnknownError,
    PathOutsideProjectError,
    SemanticSearchUnavailableError,
    StaleCursorError,
    StorageBusyError,
    StorageError,
    StorageUnreachableError,
    UnknownProjectError,
)
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.memories.errors import (
    AmbiguousIdError,
    NothingFoundError,
    ObservationNotFoundError,
    ObservationPurgedError,
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
from lamella.domain.projects.project import Project
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.hints import Hints
from lamella.domain.replies.views import Detail
from lamella.domain.text.printing import defused, one_line, printed_line, printed_time
from lamella.memory import Memory, open_memory
from lamella.ports.storage.observations import Added

__all__ = [
    "MAX_QUERY_CHARACTERS",
    "Added",
    "AmbiguousIdError",
    "AmbiguousProjectError",
    "Answer",
    "ById",
    "ByIds",
    "ByText",
    "ByTitle",
    "CapabilityUnsupportedError",
    "CodeChange",
    "Detail",
    "EditRequest",
    "FileChange",
    "FileHistory",
    "Filters",
    "Found",
    "Hints",
    "Hit",
    "InvalidValueError",
    "Kind",
    "LamellaError",
    "Match",
    "Memory",
    "MemoryClosedError",
    "MessageNotFoundError",
    "Mode",
    "NothingFoundError",
    "Observation",
    "ObservationNotFoundError",
    "ObservationPurgedError",
    "OutcomeUnknownError",
    "PathOutsideProjectError",
    "Project",
    "RecallRequest",
    "Recent",
    "SaveOutcome",
    "SaveRequest",
    "SearchRequest",
    "SemanticSearchUnavailableError",
    "Session",
    "StaleCursorError",
    "Status",
    "StatusChangeOutcome",
    "StorageBusyError",
    "StorageError",
    "StorageUnreachableError",
    "Surroundings",
    "TimelineRequest",
    "UnknownProjectError",
    "defused",
    "one_line",
    "open_memory",
    "printed_line",
    "printed_time",
]
