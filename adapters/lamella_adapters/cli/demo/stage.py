"""Setup of the demo: a server process and a data directory, both removed at the end."""

import asyncio
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from typing import IO, TextIO, cast

import click
from mcp.client import Client, Transport
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client

from lamella.entry_points import NO_EMBEDDER, adapter
from lamella_adapters.cli.demo import comeback, screen
from lamella_adapters.cli.demo.comeback import Run
from lamella_adapters.cli.demo.material import Piece, gather
from lamella_adapters.cli.demo.story import StepFailedError, Story
from lamella_adapters.cli.runtime import present_directory
from lamella_adapters.process.installation import own_command
from lamella_adapters.process.settings import settings_from

_REPLY_SECONDS = 60.0


def play() -> None:
    """Play the demo.

    Raises:
        StepFailedError: A step failed.
    """
    directory, settings = present_directory(), settings_from(os.environ)
    command = own_command()
    screen.say("lamella: persistent memory for coding agents, over MCP")
    material = gather(directory)
    for sentence in material.origin:
        screen.say(sentence)
    with tempfile.TemporaryDirectory(prefix="lamella-demo-") as folder, tempfile.TemporaryFile("w+") as log:
        environment = {
            "LAMELLA_DATA_DIR": folder,
            "LAMELLA_TOKENIZER": settings.tokenizer,
            # Otherwise replies would mention that the model is still loading.
            "LAMELLA_EMBEDDER": NO_EMBEDDER,
        }
        if "TZ" in os.environ:
            # Show dates in the user's zone.
            environment["TZ"] = os.environ["TZ"]
        server = StdioServerParameters(
            command=command, args=["serve"], env=environment, cwd=directory, encoding_error_handler="replace"
        )
        transport = stdio_client(server, errlog=cast("TextIO", log))

        def run(*arguments: str, said: str = "", data: str = folder) -> str:
            done = subprocess.run(  # noqa: S603 - our own command
                [command, *arguments],
                cwd=material.root,
                env=get_default_environment() | environment | {"LAMELLA_DATA_DIR": data},
                input=said,
                capture_output=True,
                text=True,
                timeout=_REPLY_SECONDS,
                check=False,
            )
            return done.stdout.strip()

        try:
            screen.heading("1. Be warned before removed code comes back")
            # Learn in a folder of its own. Otherwise the saves below would find the learned commits.
            comeback.play(partial(run, data=f"{folder}/learned"), material.root, material.commits)
            asyncio.run(_tell(transport, run, settings.tokenizer, material.pieces))
        except (Exception, BaseExceptionGroup) as error:
            cause = _first(error)
            if isinstance(cause, BrokenPipeError):
                # The reader closed the pipe, for example by quitting a pager.
                raise cause from None
            raise StepFailedError(_reason(cause, log)) from error
    screen.heading("Connect your agents, and open the memory in a browser")
    for each in ("setup", "web"):
        click.echo(f"{shlex.quote(command)} {each}")


async def _tell(transport: Transport, run: Run, tokenizer: str, pieces: Sequence[Piece]) -> None:
    count = adapter("tokenizer", tokenizer)().count
    began = time.perf_counter()
    async with Client(transport, read_timeout_seconds=_REPLY_SECONDS) as client:
        milliseconds = (time.perf_counter() - began) * 1000
        screen.heading("2. Ask in other words")
        screen.say(f"lamella serve answered after {milliseconds:.0f} ms, MCP {client.protocol_version}.")
        await Story(client, count, run, pieces).tell()


def _first(error: BaseException) -> BaseException:
    """Return `error`, or its first error if it is an exception group raised by tasks."""
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _reason(error: BaseException, log: IO[str]) -> str:
    """Return the error's message with the server's log."""
    said = error.reason if isinstance(error, StepFailedError) else f"{type(error).__name__}: {error}"
    log.seek(0)
    logged = log.read().strip()
    return f"{said}\nThe server's log:\n{logged}" if logged else said
