"""Projects with their sizes; merge them and take a merge back; switch memory off and on."""

from starlette.responses import Response

from lamella.ports.storage.storage import Capability
from lamella_adapters.web.visit import Visit


def projects(visit: Visit) -> Response:
    """List every project."""
    sizes = list(visit.lamella.measure_projects())
    return visit.show(
        "projects/list.html",
        sizes=sizes,
        names={each.project.id: each.project.name for each in sizes},
        merges=Capability.MERGE in visit.lamella.storage.capabilities,
        done=visit.text("done"),
        which=visit.text("which"),
        moved=visit.number("moved", 0, most=10**12),
    )


def merge_preview(visit: Visit) -> Response:
    """Show what a merge would move."""
    preview = visit.lamella.merge_projects.preview(visit.text("old"), visit.text("new"))
    return visit.show("projects/merge.html", preview=preview)


def merge(visit: Visit) -> Response:
    """Merge a project into another one."""
    # A project that is chosen on a page exists, so that none is created here.
    visit.lamella.merge_projects.preview(visit.text("old"), visit.text("new"))
    moved = visit.lamella.merge_projects(visit.call, visit.text("old"), visit.text("new"))
    return visit.go("/projects", project=None, done="merged", moved=moved.memories or None)


def split_preview(visit: Visit) -> Response:
    """Show what taking a merge back would do."""
    return visit.show("projects/split.html", preview=visit.lamella.split_project.preview(visit.text("old")))


def split(visit: Visit) -> Response:
    """Take a merge back."""
    moved = visit.lamella.split_project(visit.call, visit.text("old"))
    return visit.go("/projects", project=None, done="split", moved=moved.memories or None)


def switch(visit: Visit) -> Response:
    """Switch memory off or on in a project."""
    on = bool(visit.text("on"))
    visit.lamella.switch_project(visit.caller.call(project=visit.text("which")), on=on)
    return visit.go("/projects", done="on" if on else "off", which=visit.text("which"))
