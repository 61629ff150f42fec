"""The pages: functions from a visit to an answer, by path and method."""

from collections.abc import Callable, Mapping

from starlette.responses import Response

from lamella_adapters.web.pages import activity, changes, conversations, edit, files, memory, projects, search
from lamella_adapters.web.pages import timeline as days
from lamella_adapters.web.visit import Visit

Page = Callable[[Visit], Response]
"""Answers a visit."""

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
    "/shown": {"GET": activity.shown},
    "/chosen": {"GET": changes.chosen},
    "/purge": {"POST": changes.purge},
    "/restore": {"POST": changes.restore},
    "/erase": {"POST": changes.erase},
    "/edit": {"GET": edit.form, "POST": edit.save},
}
"""Every path that is answered. What a page is about is a parameter, so that no path is ever put together."""
