"""Projects with their sizes; merge them and take a merge back."""

from starlette.responses import Response

from lamella.domain.errors import ProjectChangeError, UnknownProjectError
from lamella.domain.projects.project import Project
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
    old = _merged(visit)
    home = visit.lamella.storage.registry.named(old.id)
    return visit.show("projects/split.html", old=old, home=visit.lamella.measure_projects.of(home))


def split(visit: Visit) -> Response:
    """Take a merge back."""
    moved = visit.lamella.split_project(visit.call, _merged(visit).id)
    return visit.go("/projects", project=None, done="split", moved=moved.memories or None)


def _merged(visit: Visit) -> Project:
    asked = visit.text("old")
    for each in visit.lamella.storage.registry.all():
        if each.id == asked:
            if each.moved_to is None:
                raise ProjectChangeError(reason=f"{each.id} was not merged into another project.")
            return each
    raise UnknownProjectError(asked=asked)
