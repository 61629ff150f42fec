"""The command that connects clients on this machine."""

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from lamella.domain.errors import LamellaError
from lamella.domain.text.printing import printed_line
from lamella.ports.storage.diagnosis import Finding, Severity
from lamella_adapters.cli.maintenance.model import OFFER, lacks_embedder, offered
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, say
from lamella_adapters.cli.setup.changes import FileChange, ProgramChange, Remark, Setup
from lamella_adapters.cli.setup.client import CLIENTS, Client
from lamella_adapters.cli.setup.connections import connections
from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.cli.setup.files import note_missing, remove_made
from lamella_adapters.cli.setup.machine import UserMachine
from lamella_adapters.hooks import clients as hooks
from lamella_adapters.hooks.launch.command import hook_command
from lamella_adapters.hooks.session_records import last_called
from lamella_adapters.process.installation import is_temporary, own_command, source
from lamella_adapters.process.settings import settings_from

Change = FileChange | ProgramChange

_UNCONNECTED = Finding(
    subject="clients", severity=Severity.FINE, message="none is connected. To connect clients: lamella setup"
)


class TemporaryInstallationError(LamellaError):
    """The server's command is in a temporary environment."""

    def __str__(self) -> str:
        install = shlex.join(["uv", "tool", "install", source()])
        return (
            "lamella runs in an environment of uvx, which uv may delete, and clients would not find it then. "
            f"Install it, for example with `{install}`, and run: lamella setup"
        )


def setup_here() -> Setup:
    """Return the setup for this machine."""
    machine = UserMachine(home=Path.home(), environment=os.environ)
    scripts = {each.stem: each.read_text("utf-8") for each in Path(hooks.__file__).parent.glob("*.js")}
    asks = scripts.pop("ask")
    plugins = {name: f"{asks}\n{script}" for name, script in scripts.items()}
    folders = settings_from(os.environ).data_directory / "setup-folders.json"
    return Setup(
        machine=machine, command=(own_command(), "serve"), hook=hook_command, plugins=plugins, folders=folders
    )


def connections_here() -> Iterator[Finding]:
    """Yield a finding for each connected client on this machine. Without connected clients, yield one finding."""
    data = os.fspath(settings_from(os.environ).data_directory)

    def called(client: str) -> float | None:
        return last_called(data, client.replace("-", "_"))

    yield from [*connections(setup_here(), called, datetime.now(UTC))] or [_UNCONNECTED]


@click.command("setup", short_help="Connect the coding clients on this machine.")
@click.argument("clients", nargs=-1, metavar="[CLIENT]...", type=click.Choice([*CLIENTS]))
@options("setup")
@click.pass_context
def setup(context: click.Context, clients: Sequence[str], *, remove: bool, dry_run: bool, yes: bool) -> None:
    """Write lamella into the configuration of each CLIENT, or of all that are installed.

    Shows all changes and asks first. Nothing else in a file is changed, and its previous version is kept as
    *.before-lamella. Exits with 1 if a file had to be left alone, or if nobody can be asked.

    \b
    Clients: claude-code, codex, gemini, antigravity, copilot, opencode, kilo, qwen, cursor,
             droid, cline, amp, devin, pi;
             with hooks and instructions, as hooks can't show everything: goose, junie;
             with instructions instead of hooks: kiro, continue, crush, vscode, zed, windsurf
    """  # noqa: D301 - click doesn't wrap lines after `\b`
    if not remove and is_temporary():
        raise TemporaryInstallationError
    here = setup_here()
    chosen = [CLIENTS[each] for each in dict.fromkeys(clients)] or [
        each for each in CLIENTS.values() if each.installed(here.machine)
    ]
    if not chosen:
        named = f"To name one anyway: lamella setup{' --remove' * remove} CLIENT"
        echo(f"None of these clients was found: {', '.join(CLIENTS)}. {named}")
    planned = [(client, *_printed_changes(here, client, remove=remove)) for client in chosen]
    changes = [(client, change) for client, wanted, _ in planned for change in wanted]
    trouble = any(each for _, _, each in planned)
    if changes and not dry_run and not yes and not sys.stdin.isatty():
        say("Nothing was changed: not a terminal. To make these changes, pass --yes.")
        trouble = True
    elif changes and _agreed(len(changes), dry_run=dry_run, yes=yes):
        made = [
            client for client, wanted, _ in planned if wanted and _all_made(here, client, wanted, remove=remove)
        ]
        trouble |= len(made) < sum(bool(wanted) for _, wanted, _ in planned)
        if remove:
            remove_made(here.folders)
        for client in made:
            if client.hooks and client.hooks.trust and not remove:
                echo(f"{client.name}: {client.hooks.trust}.")
        if made:
            echo(f"Restart for this to take effect: {', '.join(client.name for client in made)}.")
    if not remove and lacks_embedder():
        echo(f"{OFFER} {' && '.join(offered())}")
    context.exit(int(trouble))


def _printed_changes(here: Setup, client: Client, *, remove: bool) -> tuple[Sequence[Change], bool]:
    """Show the planned changes. Return the changes, and True if a requested change is impossible."""
    changes, trouble, remarks = list[Change](), False, 0
    for each in here.changes(client, remove=remove):
        if isinstance(each, Remark):
            trouble |= each.trouble
            remarks += 1
            ending = f": {each.command}" if each.command else "."
            echo(f"{client.name}: {printed_line(each.text)}{printed_line(ending)}")
            continue
        changes.append(each)
        echo(f"{client.name}:")
        for line in each.lines():
            echo(f"  {line}")
    if not changes and not remarks:
        echo(f"{client.name}: {'nothing to remove' if remove else 'connected already'}.")
    return changes, trouble


def _agreed(count: int, *, dry_run: bool, yes: bool) -> bool:
    if dry_run or yes:
        return yes and not dry_run
    agreed = click.confirm(f"Make {'this change' if count == 1 else f'these {count} changes'}?", err=True)
    if not agreed:
        echo("Nothing was changed.")
    return agreed


def _all_made(here: Setup, client: Client, changes: Sequence[Change], *, remove: bool) -> bool:
    """Make the changes of a client. If the first change (the server) fails, skip the others (hooks)."""
    made = (_made(here, client, each) for each in changes)
    return all([*made] if remove else made)


def _made(here: Setup, client: Client, change: Change) -> bool:
    try:
        if isinstance(change, FileChange) and change.content is not None:
            note_missing(change.found.path.parent, here.folders)
        echo(f"{client.name}: {printed_line(change.make())}.")
    except UnfitFileError as error:
        what = f"left alone {change.name}: " if isinstance(change, FileChange) else ""
        say(f"{client.name}: {what}{error}.")
        return False
    return True
