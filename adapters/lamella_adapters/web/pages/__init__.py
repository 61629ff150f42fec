"""The pages: functions from a context to an answer, by path and method."""

from collections.abc import Callable, Mapping

from starlette.responses import Response

from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages import (
    activity,
    backups,
    changes,
    conversations,
    edit,
    exchange,
    export,
    files,
    log,
    memory,
    projects,
    search,
)
from lamella_adapters.web.pages import timeline as days

Page = Callable[[PageContext], Response]
"""Answers one request of a page."""

ROUTES: Mapping[str, Mapping[str, Page]] = {
    "/": {"GET": search.search},
    "/timeline": {"GET": days.timeline},
    "/memory": {"GET": memory.memory},
    "/files": {"GET": files.files},
    "/file": {"GET": files.file},
    "/conversations": {"GET": conversations.conversations},
    "/conversation": {"GET": conversations.conversation},
    "/message": {"GET": conversations.message},
    "/conversation/erase": {"POST": changes.erase_conversation},
    "/projects": {"GET": projects.projects},
    "/projects/merge": {"GET": projects.merge_preview, "POST": projects.merge},
    "/projects/split": {"GET": projects.split_preview, "POST": projects.split},
    "/projects/switch": {"POST": projects.switch},
    "/shown": {"GET": activity.shown},
    "/log": {"GET": log.log},
    "/undo": {"GET": log.undo, "POST": log.undo},
    "/import": {"GET": exchange.import_form},
    "/import/upload": {"POST": exchange.preview_file},
    "/import/file": {"POST": exchange.import_file},
    "/import/program": {"GET": exchange.program, "POST": exchange.program},
    "/import/conversations": {"GET": exchange.conversations, "POST": exchange.conversations},
    "/export": {"GET": export.export_form},
    "/export/file": {"GET": export.export},
    "/backups": {"GET": backups.backups, "POST": backups.back_up},
    "/backups/preview": {"GET": backups.preview},
    "/chosen": {"GET": changes.chosen},
    "/purge": {"POST": changes.purge},
    "/restore": {"POST": changes.restore},
    "/erase": {"POST": changes.erase},
    "/edit": {"GET": edit.form, "POST": edit.save},
}
"""Every path that is answered. What a page is about is a parameter, so that no path is ever put together."""

UPLOADS = frozenset({"/import/upload"})
"""Paths whose forms come with a file."""
