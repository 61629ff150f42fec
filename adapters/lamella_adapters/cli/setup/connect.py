"""The command that connects this machine to a team's server."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import click
from attrs import evolve

from lamella.container import running
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo
from lamella_adapters.cli.setup.command import setup
from lamella_adapters.process.connection import Connection, disconnect, keep
from lamella_adapters.process.settings import settings_from
from lamella_adapters.process.urls import endpoint_url

_TOKEN = "LAMELLA_TOKEN"  # noqa: S105 - the name of a variable


@click.command(short_help="Use the memories of a team's server.")
@click.argument("url", required=False)
@options("connect")
@click.pass_context
def connect(context: click.Context, url: str | None, *, token: str | None, remove: bool, yes: bool) -> None:
    """Connect this machine to the server at URL, such as https://memory.example.com/mcp.

    Takes the token from --token, LAMELLA_TOKEN or standard input, or asks for it. Checks it, and keeps it in the
    keyring or else in a private file. Then connects the coding clients, as `lamella setup` does: their tools and
    hooks use the server. Memories on this machine stay, and are used again after --remove.
    """
    if (url is None) != remove:
        raise click.UsageError("Give either URL or --remove.")
    settings = settings_from(os.environ)
    if url is None:
        echo("Disconnected from the server." if disconnect(settings.data_directory) else "No server is connected.")
    else:
        made = Connection(endpoint_url(url), token or _given())
        with TemporaryDirectory() as trial:
            made.write(Path(trial))
            with running(evolve(settings, data_directory=Path(trial), storage=made.url)) as lamella:
                tenant = lamella.storage.tenant
        kept = keep(settings.data_directory, evolve(made, url=f"{made.url}#{quote(tenant, safe='')}"))
        echo(f"Connected to {made.url}. The token is in {'the keyring' if kept else 'a private file'}.")
        if os.environ.get("LAMELLA_STORAGE", "").strip():
            echo("LAMELLA_STORAGE is set and takes precedence: unset it.")
    context.invoke(setup, clients=(), remove=remove, dry_run=False, yes=yes)


def _given() -> str:
    """Return the token from the environment or standard input. At a terminal, ask for it.

    Raises:
        click.UsageError: There is no token.
    """
    token = os.environ.get(_TOKEN, "").strip()
    if not token and sys.stdin.isatty():
        token = click.prompt("Token", hide_input=True, err=True)
    token = (token or sys.stdin.readline()).strip()
    if not (token.isascii() and token.isprintable() and token):
        raise click.UsageError(f"No token was given. Pipe it, or set {_TOKEN}.")
    return token
