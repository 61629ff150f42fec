"""The commands about tenants."""

from pathlib import Path

import click
from attrs import astuple

from lamella.application.exchange.export import ExportRequest
from lamella.domain.access.quota import TenantSize
from lamella.domain.text.printing import counted, printed_line
from lamella_adapters.cli.exchange.export import write_export
from lamella_adapters.cli.options import options, undashed
from lamella_adapters.cli.output import ask, echo, print_rows, printed_size
from lamella_adapters.cli.runtime import opened


@click.group(short_help="List, show, limit, export and delete tenants.")
def tenant() -> None:
    """List, show, limit, export and delete tenants of a database. The login needs the role lamella_admin."""


@tenant.command("list", short_help="List every tenant with its size.")
def list_() -> None:
    """List every tenant with its estimated size in the database.

    Piped output has tab-separated columns: name, projects, memories, bytes, tokens, saves of today, quota.
    """
    with opened(drain=False) as (lamella, _):
        found = lamella.storage.tenants()
    rows = (([printed_line(str(cell)) for cell in astuple(each, recurse=False)], _line(each)) for each in found)
    print_rows(rows, empty="No tenants yet. The first memory or token makes one.")


@tenant.command(short_help="Show the projects of a tenant.")
@click.argument("name")
def show(name: str) -> None:
    """Show a tenant's number of projects, and the memories and bytes of the tenant and of each project."""
    with opened(drain=False) as (lamella, _):
        echo(_line(lamella.measure_tenant(name)))
        for each in lamella.for_tenant(name).measure_projects():
            if each.project.moved_to is None:
                sizes = f"{counted(each.live + each.purged, 'memory')}, {counted(each.messages, 'message')}"
                echo(f"  {each.project.id}  {printed_line(each.project.name)}: {sizes}", indent=4)


@tenant.command(short_help="Set the quota of a tenant.")
@click.argument("name")
@options("tenant-limit")
def limit(name: str, **given: int | None) -> None:
    """Limit a tenant's storage, saves and calls. 'none' removes a limit; omitted limits stay unchanged.

    Once a quota is used up, saves are refused, and captures wait on their machine. Reading still works.
    """
    bounds = {bound: None if most < 0 else most for bound, most in given.items() if most is not None}
    with opened(drain=False) as (lamella, _):
        echo(_line(lamella.limit_tenant(name, **bounds)))


@tenant.command(short_help="Export all memories of a tenant.")
@click.argument("name")
@click.argument("file", required=False, type=click.Path(), callback=undashed)
@options("tenant-export")
def export(name: str, file: Path | None, *, conversations: bool) -> None:
    """Export all memories of a tenant as JSON Lines to stdout or into a new FILE, for `lamella import`."""
    request = ExportRequest(every_project=True, include_messages=conversations)
    with opened(drain=False) as (lamella, call):
        lamella.measure_tenant(name)
        write_export(lamella.for_tenant(name), call, request, file)


@tenant.command(short_help="Delete a tenant for good.")
@click.argument("name")
@options("tenant-delete")
def delete(name: str, *, yes: bool) -> None:
    """Delete a tenant for good: memories, conversations, logs and tokens. Asks first."""
    with opened(drain=False) as (lamella, _):
        echo(f"This will be deleted for good: {_line(lamella.measure_tenant(name))}")
        if not yes:
            ask("Delete for good?", "Nothing was deleted.")
        deleted = lamella.delete_tenant(name)
    echo(f"Deleted {printed_line(deleted.name)}. Its data stays in backups and logs until these are replaced.")


def _line(each: TenantSize) -> str:
    counts = f"{counted(each.projects, 'project')}, {counted(each.memories, 'memory')}"
    stored = f"about {printed_size(each.bytes)}, {counted(each.tokens, 'token')}"
    quota = f"; quota: {each.quota}" if each.quota.bounds else ""
    return f"{printed_line(each.name)}: {counts}, {stored}, {counted(each.saves, 'save')} today{quota}"
