"""The server whose transport is mistreated, in a process that need not import it."""

from pathlib import Path

from tests.end_to_end.support.forked import Command


def echo(*options: str | Path) -> Command:
    """Return the command that starts it."""
    return Command(["echo", *options], Path(), {}, module="tests.end_to_end.wire.echo_server")
