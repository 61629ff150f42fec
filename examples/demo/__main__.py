"""Show the main features of lamella with the commits of this checkout: `make demo`, or `python -m examples.demo`.

The demo runs the command `lamella` of its own environment, with memories in a temporary folder.
"""

import asyncio
import os
import shlex
import sys
import time
from collections.abc import Sequence
from tempfile import TemporaryDirectory

from mcp.client import Client
from mcp.client.stdio import stdio_client

from examples.demo import comeback, screen, texts
from examples.demo.command import LAMELLA, REPLY_SECONDS, Command, StepFailedError
from examples.demo.story import Story
from examples.demo.texts import Piece


def main() -> None:
    """Play the demo."""
    screen.say("lamella: persistent memory for coding agents, over MCP")
    pieces = texts.gather()
    try:
        with TemporaryDirectory(prefix="lamella-demo-") as folder:
            # Learn in a folder of its own. Otherwise the saves below would find the learned commits.
            comeback.play(Command(f"{folder}/learned"))
            asyncio.run(tell(Command(folder), pieces))
    except StepFailedError as error:
        sys.exit(f"The demo failed: {error}")
    screen.heading("Connect your agents, and open the memory in a browser")
    for each in ("setup", "web"):
        print(f"{shlex.quote(LAMELLA)} {each}")


async def tell(command: Command, pieces: Sequence[Piece]) -> None:
    """Start a server, and play the steps that call its tools.

    Raises:
        StepFailedError: A step failed.
        BrokenPipeError: Nobody reads the output any more.
    """
    failed: Exception | None = None
    began = time.perf_counter()
    async with Client(stdio_client(command.server), read_timeout_seconds=REPLY_SECONDS) as client:
        milliseconds = (time.perf_counter() - began) * 1000
        try:
            screen.heading("2. Ask in other words")
            screen.say(f"lamella serve answered after {milliseconds:.0f} ms, MCP {client.protocol_version}.")
            await Story(client, command, pieces).tell()
        except (StepFailedError, BrokenPipeError) as error:
            # Raised here, the error would become part of an exception group.
            failed = error
    if failed:
        raise failed


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader has ended, such as `head`. Without this, Python would try to flush stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
