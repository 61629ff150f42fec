"""The commands about projects."""

import sys
from collections.abc import Sequence

import click

from lamella.domain.projects import Project
from lamella.domain.text import printed_line
from lamella_adapters.cli.opening import opened

_COLUMNS = ("id", "name", "made", "merged into", "aliases")


@click.group()
def project() -> None:
    """List projects, merge one into another, and take a merge back."""


@project.command("list")
def list_() -> None:
    """List every project: a table, or lines with tabs where the output is piped."""
    with opened() as lamella:
        projects = lamella.list_projects()
    if not projects:
        click.echo("No projects yet. The first memory that is saved makes one.", err=True)
    elif sys.stdout.isatty():
        _print_table([_row(each) for each in projects])
    else:
        for each in projects:
            click.echo("\t".join(_row(each)))


@project.command()
@click.argument("old")
@click.argument("new")
def merge(old: str, new: str) -> None:
    """Move the memories of project OLD into NEW. Safe to repeat; `split` takes it back."""
    with opened() as lamella:
        moved = lamella.merge_projects(old, new)
    click.echo(f"Moved {moved} memories from {printed_line(old)} into {printed_line(new)}.")


@project.command()
@click.argument("old")
def split(old: str) -> None:
    """Take a merge back: what was saved in OLD before it returns there."""
    with opened() as lamella:
        moved = lamella.split_project(old)
    click.echo(f"Moved {moved} memories back to {printed_line(old)}.")


def _row(each: Project) -> tuple[str, ...]:
    return (
        each.id,
        printed_line(each.name),
        f"{each.created_at.astimezone():%Y-%m-%d}",
        each.moved_to or "",
        ", ".join(printed_line(alias) for alias in each.aliases),
    )


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    # Costs as much as all the rest of a command, and only a terminal needs it.
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(*_COLUMNS, box=None, header_style="bold")
    for column in table.columns:
        column.overflow = "fold"
    for row in rows:
        # As `Text`, because a name with brackets is no markup.
        table.add_row(*map(Text, row))
    Console().print(table)
