"""Findings about connected clients: the server's program, hooks, and the last hook call."""

from collections.abc import Callable, Iterator
from datetime import datetime

from attrs import frozen

from lamella.ports.storage.diagnosis import Finding, Severity
from lamella_adapters.cli.setup import claude_code, files, programs
from lamella_adapters.cli.setup.changes import Setup, program_of
from lamella_adapters.cli.setup.client import CLIENTS, Client
from lamella_adapters.cli.setup.entries import NAME, UnfitFileError, ours_in

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


@frozen
class _Connection:
    """Connection of a client: the server's program, and whether its hooks and instructions are set up."""

    program: str | None
    hooked: bool
    instructed: bool = False


def connections(setup: Setup, last_called: Callable[[str], float | None], now: datetime) -> Iterator[Finding]:
    """Yield a finding for each client with lamella's entries, and another one if this client is outdated.

    Args:
        setup: The setup of this machine.
        last_called: Returns the time of a client's last hook call, in seconds since 1970, or None.
        now: The present time.
    """
    for client in CLIENTS.values():
        found = _of_claude_code(setup) if client.servers is None else _of_files(setup, client)
        if found.program is not None or found.hooked or found.instructed:
            yield _finding(setup, client, found, last_called(client.name), now)
        elif client.servers is not None:
            continue
        if why := programs.outdated(client, setup.machine):
            message = f"{why}: {client.update}"
            yield Finding(subject=client.title, severity=Severity.WARNING, message=message)


def _of_claude_code(setup: Setup) -> _Connection:
    home = CLIENTS["claude-code"].home(setup.machine)
    plugged = claude_code.has_plugin(home)
    # The plugin finds lamella's program by itself.
    program = claude_code.lost_folder(home) * plugged or setup.command[0]
    return _Connection(program if plugged or claude_code.has_server(home, setup.machine) else None, plugged)


def _of_files(setup: Setup, client: Client) -> _Connection:
    program, instructed = None, False
    hooked = bool(client.plugin) and (client.home(setup.machine) / client.plugin).is_file()
    for path, (format_, entries) in setup.configurations(client).items():
        try:
            present = list(ours_in(format_.parsed(files.read(path).text or ""), entries))
        except UnfitFileError:
            continue
        for where, value in present:
            if client.servers and where[:-1] == client.servers.path:
                program = program_of(value)
            elif where == (NAME,):
                instructed = True
            else:
                hooked = True
    return _Connection(program, hooked, instructed)


def _finding(setup: Setup, client: Client, found: _Connection, called: float | None, now: datetime) -> Finding:
    facts, severity, ending = ["connected"], Severity.FINE, "."
    if found.program is None:
        facts, severity = ["its server is missing"], Severity.WARNING
    elif setup.machine.program(found.program) is None:
        facts, severity = [f"{found.program or 'its program'} is not there"], Severity.WARNING
    if severity is Severity.WARNING:
        ending = f"; to connect it anew: lamella setup {client.name}"
    if called is not None and found.hooked:
        facts.append(f"its hooks ran {_ago(now.timestamp() - called)} ago")
    elif found.hooked:
        why = f"; {client.hooks.trust}" if client.hooks and client.hooks.trust else ""
        facts.append(f"its hooks have not run yet{why}")
    elif client.has_hooks:
        facts.append("its hooks are not set up")
    if client.instructions:
        facts.append(f"its instructions are {'' if found.instructed else 'not '}set up")
    return Finding(subject=client.title, severity=severity, message=f"{', '.join(facts)}{ending}")


def _ago(seconds: float) -> str:
    for unit, long in _UNITS:
        if seconds >= long:
            count = int(seconds // long)
            return f"{count} {unit}{'s' * (count > 1)}"
    return "a moment"
