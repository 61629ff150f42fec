"""Run the programs of clients, and check their versions."""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from lamella_adapters.cli.setup.client import Client
from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.cli.setup.machine import UserMachine

_SECONDS = 120
_VERSION_SECONDS = 10


def outdated(client: Client, machine: UserMachine) -> str:
    """Return a sentence about a version too old for lamella, to be followed by the client's `update`.

    Return empty text if the client is new enough, missing, or doesn't answer in time.
    """
    if not client.needs or machine.program(client.program) is None:
        return ""
    try:
        said = run(machine, (client.program, "--version"), seconds=_VERSION_SECONDS)
    except UnfitFileError:
        return ""
    found = re.search(r"\d+\.\d+\.\d+", said)
    if found is None or _numbers(found[0]) >= _numbers(client.needs):
        return ""
    return f"its version is {found[0]}, and lamella needs {client.needs}; update it"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def run(machine: UserMachine, command: Sequence[str], *, seconds: float = _SECONDS) -> str:
    """Run a client's program and return its output.

    The program runs in the user's home, so that no repository affects it.

    Raises:
        UnfitFileError: The program fails, or takes longer than `seconds`.
    """
    program = machine.program(command[0]) or command[0]
    try:
        with (
            subprocess.Popen(  # noqa: S603 - a program that the user has installed
                [program, *command[1:]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env=dict(machine.environment),
                cwd=machine.home,
                process_group=0,
            ) as process
        ):
            try:
                out, err = process.communicate(timeout=seconds)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                # The program may be a script whose children keep the pipes open.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnfitFileError(f"`{shlex.join(command)}` failed: {type(error).__name__}") from None
    if process.returncode:
        raise UnfitFileError(f"`{shlex.join(command)}` failed: {' '.join((err or out).split())}")
    return out
