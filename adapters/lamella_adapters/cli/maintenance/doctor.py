"""The command that diagnoses and repairs the storage."""

import sys
from collections.abc import Callable, Iterator, Sequence

import click

from lamella.container import Lamella
from lamella.domain.text.printing import counted, printed_line
from lamella.ports.storage.diagnosis import Finding, Severity, StorageDiagnosis
from lamella.ports.storage.storage import Capability
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, say
from lamella_adapters.cli.runtime import drained, opened
from lamella_adapters.cli.setup.command import connections_here

_COLUMNS = 8
"""Width of the column with the severity of findings."""


@click.command(short_help="Find faults, and list the connected clients.")
@options("doctor")
@click.pass_context
def doctor(context: click.Context, repair: bool, yes: bool) -> None:
    """Find faults, and list the connected clients.

    Nothing is ever deleted. Exits with 1 if a fault remains.
    """
    if yes and not repair:
        raise click.UsageError("--yes needs --repair.")
    if repair and not yes and not sys.stdin.isatty():
        raise click.UsageError("Not a terminal; pass --yes.")
    with opened(drain=False) as (lamella, _):
        able = Capability.DIAGNOSE in lamella.storage.capabilities
        diagnosis = lamella.storage.diagnosis if able else None
        findings: Sequence[Finding] = diagnosis.findings() if diagnosis else [_UNCHECKED]
        _show(findings)
        _show(list(_of_captures(lamella, sound=all(each.severity is not Severity.FAULT for each in findings))))
        _show(list(connections_here()))
        if repair and diagnosis:
            findings = _mended(diagnosis, findings, (lambda _: True) if yes else _asked)
        faults = sum(each.severity is Severity.FAULT for each in findings)
        if faults:
            mendable = any(each.repair for each in findings) and not repair
            echo(f"{counted(faults, 'fault')}." + (" To repair: lamella doctor --repair" * mendable))
            # Exit here to skip updating the copy for hooks, which would wait again for an unreachable server.
            context.exit(1)
    echo("No faults." if diagnosis else "No faults in what could be checked.")


_UNCHECKED = Finding(
    subject="storage",
    severity=Severity.WARNING,
    message="lamella can't check this storage. Use the tools of its database.",
)


def _of_captures(lamella: Lamella, *, sound: bool) -> Iterator[Finding]:
    """Yield findings about pending captures. If the storage is `sound`, store them first."""
    account = drained(lamella) if sound else None
    state = lamella.spool.state()
    why = f": {account.trouble}".removesuffix(".") if account and account.trouble else ""
    for count, message in (
        (state.waiting, f"wait to be stored{why}."),
        (state.newer, "were made by a newer lamella. Upgrade this one: they wait."),
        (state.unfinished, "are incomplete: their writer is still at work, or was stopped."),
        (state.aside, "can't be understood. They are kept in the folder spool, as *.aside."),
    ):
        if count:
            yield Finding(subject="captures", severity=Severity.WARNING, message=f"{count} {message}")


def _mended(
    diagnosis: StorageDiagnosis, findings: Sequence[Finding], wanted: Callable[[Finding], bool]
) -> Sequence[Finding]:
    """Make every requested repair. Return the remaining findings.

    After each repair, check again, because a repair may make other parts readable.
    """
    seen, settled = set(findings), set[Finding]()
    while finding := next((each for each in findings if each.repair and each not in settled), None):
        settled.add(finding)
        if not wanted(finding):
            continue
        try:
            echo(f"Repaired: {printed_line(diagnosis.repair(finding))}")
        except Exception as error:  # noqa: BLE001 - continue with the other repairs
            say(str(error) or type(error).__name__)
        findings = diagnosis.findings()
        _show([each for each in findings if each not in seen])
        seen.update(findings)
    return findings


def _asked(finding: Finding) -> bool:
    return click.confirm(f"{printed_line(finding.subject)}: {printed_line(finding.repair)}?", err=True)


def _show(findings: Sequence[Finding]) -> None:
    for each in findings:
        line = f"{each.severity:<{_COLUMNS}}{printed_line(each.subject)}: {printed_line(each.message)}"
        echo(line, indent=_COLUMNS)
        if each.repair:
            echo(f"{'':<{_COLUMNS}}can be repaired: {printed_line(each.repair)}")
