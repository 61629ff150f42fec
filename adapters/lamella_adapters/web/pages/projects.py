"""List of projects with their sizes, and pages to merge and split projects and to switch memory off and on."""

from http import HTTPStatus

from starlette.responses import Response

from lamella.domain.projects.identity import is_everywhere
from lamella.ports.storage.storage import Capability
from lamella_adapters.process.commands import unsynced
from lamella_adapters.web.page_context import PageContext


def projects(context: PageContext) -> Response:
    """List every project."""
    sizes = list(context.lamella.measure_projects())
    return context.show(
        "projects/list.html",
        sizes=sizes,
        own={each.project.id for each in sizes if not is_everywhere(each.project.aliases)},
        names={each.project.id: each.project.name for each in sizes},
        merges=Capability.MERGE in context.lamella.storage.capabilities,
        moved=context.number("moved", 0, most=10**12),
        unsynced=unsynced(context.lamella, context.text("merged")),
    )


def merge_preview(context: PageContext) -> Response:
    """Show the extent of a merge."""
    preview = context.lamella.merge_projects.preview(context.text("old"), context.text("new"))
    return context.show("projects/merge.html", preview=preview)


def merge(context: PageContext) -> Response:
    """Merge a project into another one."""
    # Check that the project exists, because the use case would create it.
    preview = context.lamella.merge_projects.preview(context.text("old"), context.text("new"))
    if preview.new.id != context.text("new"):
        return context.show("projects/merge.html", preview=preview, outdated=True, status=HTTPStatus.CONFLICT)
    moved = context.lamella.merge_projects(context.call, context.text("old"), context.text("new"))
    return context.go("/projects", project=None, done="merged", moved=moved.memories or None, merged=moved.old)


def split_preview(context: PageContext) -> Response:
    """Show the effect of a split."""
    return context.show("projects/split.html", preview=context.lamella.split_project.preview(context.text("old")))


def split(context: PageContext) -> Response:
    """Undo a merge."""
    preview = context.lamella.split_project.preview(context.text("old"))
    if preview.home.project.id != context.text("home"):
        return context.show("projects/split.html", preview=preview, outdated=True, status=HTTPStatus.CONFLICT)
    moved = context.lamella.split_project(context.call, context.text("old"))
    return context.go("/projects", project=None, done="split", moved=moved.memories or None)


def switch(context: PageContext) -> Response:
    """Switch memory off or on in a project."""
    on = bool(context.text("on"))
    context.lamella.switch_project(context.caller.call(project=context.text("which")), on=on)
    return context.go("/projects", done="on" if on else "off", which=context.text("which"))
