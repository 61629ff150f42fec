"""The commands about projects."""

from collections.abc import Sequence

import click

from lamella.domain.projects.identity import is_everywhere
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json, print_rows
from lamella_adapters.cli.runtime import opened


@click.group(short_help="List, merge and split projects; switch memory off in one.")
def project() -> None:
    """List projects, merge one into another, take a merge back, and switch memory off and on."""


@project.command("list", short_help="List every project.")
@options("project-list")
def list_(*, as_json: bool) -> None:
    """List every project.

    Where the output is piped, each is a line with tabs: id, name, day, the project it was merged into, aliases.
    """
    with opened() as (lamella, _):
        projects = lamella.storage.registry.all()
    if as_json:
        echo_json(projects)
        return
    print_rows(
        ((_cells(each), _entry(each)) for each in projects),
        empty="No projects yet. The first memory that is saved makes one.",
    )


@project.command()
@click.argument("old")
@click.argument("new")
def merge(old: str, new: str) -> None:
    """Move the memories and conversations of project OLD into NEW. Safe to repeat; `split` takes it back.

    A project is named by its id, its name, or its present or former folder; `.` is this one, even if it is new.
    """
    with opened() as (lamella, call):
        moved = lamella.merge_projects(call, old, new)
    into = "that of this folder" if new == "." else printed_line(new)
    echo(f"Moved {moved} from {printed_line(old)} into {into}.")


@project.command()
@click.argument("old")
def split(old: str) -> None:
    """Take a merge back: what was saved in OLD before it returns there."""
    with opened() as (lamella, call):
        moved = lamella.split_project(call, old)
    echo(f"Moved {moved} back to {printed_line(old)}.")


@project.command(short_help="Keep nothing and show nothing in this project.")
@options("project-off")
def off(*, project: str | None) -> None:
    """Keep nothing and show nothing in this project, hooks and server included. `on` takes it back."""
    with opened(project) as (lamella, call):
        switched = lamella.switch_project(call, on=False)
    name = printed_line(switched.name) if switched else ""
    echo(f"Memory is off in {name}: from now on nothing is kept or shown.")
    echo("What is stored stays. Switch it on: lamella project on")


@project.command()
@options("project-on")
def on(*, project: str | None) -> None:
    """Keep and show memories in this project again."""
    with opened(project) as (lamella, call):
        switched = lamella.switch_project(call, on=True)
    echo(f"Memory is on{f' in {printed_line(switched.name)}' if switched else ''}.")


def _cells(each: Project) -> Sequence[str]:
    return (
        each.id,
        printed_line(each.name),
        f"{each.created_at.astimezone():%Y-%m-%d}",
        each.moved_to or "",
        ", ".join(map(printed_line, each.aliases)),
    )


def _entry(each: Project) -> str:
    id, name, made, moved_to, _ = _cells(each)
    merged = f", merged into {moved_to}" if moved_to else ", off" if each.off_since else ""
    places = ["what holds in every project"] if is_everywhere(each.aliases) else map(printed_line, each.aliases)
    return "\n  ".join([f"{click.style(id, fg='cyan')}  {name}, made {made}{merged}", *places])
