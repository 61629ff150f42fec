"""The commands about projects."""

from collections.abc import Sequence

import click

from lamella.domain.projects.identity import is_everywhere
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json, print_rows
from lamella_adapters.cli.runtime import opened, project_option
from lamella_adapters.process.commands import unsynced


@click.group(short_help="List, merge and split projects; switch memory off and on.")
def project() -> None:
    """List, merge and split projects, and switch memory off and on."""


@project.command("list", short_help="List every project.")
@options("project-list")
def list_(*, as_json: bool) -> None:
    """List every project.

    Piped output has tab-separated columns: id, name, day of creation, target of a merge, aliases.
    """
    with opened() as (lamella, _):
        projects = lamella.storage.registry.all()
    if as_json:
        echo_json(projects)
        return
    rows = ((_cells(each), _entry(each)) for each in projects)
    print_rows(rows, empty="No projects yet. The first saved memory creates one.")


@project.command(short_help="Move the memories of a project into another.")
@click.argument("old")
@click.argument("new")
def merge(old: str, new: str) -> None:
    """Move the memories and conversations of project OLD into NEW. Safe to repeat; `split` reverses it.

    Name a project by id, name, or present or former folder. `.` is the project of this folder, even if it is new.
    """
    with opened() as (lamella, call):
        moved = lamella.merge_projects(call, old, new)
        left = unsynced(lamella, moved.old)
    into = "that of this folder" if new == "." else printed_line(new)
    echo(f"Moved {moved} from {printed_line(old)} into {into}.")
    if left is not None:
        echo(": ".join(left))


@project.command(short_help="Reverse a merge.")
@click.argument("old")
def split(old: str) -> None:
    """Reverse a merge: move the earlier memories of OLD back to it."""
    with opened() as (lamella, call):
        moved = lamella.split_project(call, old)
    echo(f"Moved {moved} back to {printed_line(old)}.")


@project.command(short_help="Switch memory off in this project.")
@options("project-off")
def off(*, project: str | None) -> None:
    """Switch memory off in this project: hooks and servers save and show nothing. `on` reverses it."""
    with opened(project) as (lamella, call):
        switched = lamella.switch_project(call, on=False)
    name = printed_line(switched.name) if switched else ""
    echo(f"Memory is off in {name}: from now on nothing is kept or shown.")
    echo("Stored memories stay. To switch it on: lamella project on" + project_option(project))


@project.command()
@options("project-on")
def on(*, project: str | None) -> None:
    """Switch memory on again in this project."""
    with opened(project) as (lamella, call):
        switched = lamella.switch_project(call, on=True)
    echo(f"Memory is on{f' in {printed_line(switched.name)}' if switched else ''}.")


def _cells(each: Project) -> Sequence[str]:
    return (
        each.id,
        printed_line(each.name),
        f"{each.created_at.astimezone():%Y-%m-%d}",
        each.moved_to or "",
        ", ".join(map(printed_line, each.shown_aliases)),
    )


def _entry(each: Project) -> str:
    id, name, made, moved_to, _ = _cells(each)
    merged = f", merged into {moved_to}" if moved_to else ", off" if each.off_since else ""
    aliases = ("what holds in every project",) if is_everywhere(each.aliases) else each.shown_aliases
    return "\n  ".join([f"{click.style(id, fg='cyan')}  {name}, made {made}{merged}", *map(printed_line, aliases)])
