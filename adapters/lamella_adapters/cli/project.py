"""The commands about projects."""

import click

from lamella.domain.project import Project
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.output import print_table
from lamella_adapters.cli.runtime import opened

_COLUMNS = ("id", "name", "made", "merged into", "aliases")


@click.group()
def project() -> None:
    """List projects, merge one into another, and take a merge back."""


@project.command("list", short_help="List every project.")
def list_() -> None:
    """List every project: a table, or lines with tabs where the output is piped."""
    with opened() as (lamella, _):
        projects = lamella.storage.registry.all()
    print_table(_COLUMNS, map(_row, projects), empty="No projects yet. The first memory that is saved makes one.")


@project.command()
@click.argument("old")
@click.argument("new")
def merge(old: str, new: str) -> None:
    """Move the memories and conversations of project OLD into NEW. Safe to repeat; `split` takes it back."""
    with opened() as (lamella, call):
        moved = lamella.merge_projects(call, old, new)
    click.echo(f"Moved {moved} from {printed_line(old)} into {printed_line(new)}.")


@project.command()
@click.argument("old")
def split(old: str) -> None:
    """Take a merge back: what was saved in OLD before it returns there."""
    with opened() as (lamella, _):
        moved = lamella.split_project(old)
    click.echo(f"Moved {moved} back to {printed_line(old)}.")


def _row(each: Project) -> tuple[str, ...]:
    return (
        each.id,
        printed_line(each.name),
        f"{each.created_at.astimezone():%Y-%m-%d}",
        each.moved_to or "",
        ", ".join(printed_line(alias) for alias in each.aliases),
    )
