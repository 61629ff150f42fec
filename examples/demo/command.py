"""The command `lamella`, run in this checkout with the memories of a folder."""

import os
import subprocess
import sys
from pathlib import Path

from attrs import frozen
from mcp.client.stdio import StdioServerParameters, get_default_environment

from examples.demo.texts import ROOT

LAMELLA = str(Path(sys.executable).with_name("lamella"))
REPLY_SECONDS = 60.0


class StepFailedError(Exception):
    """A step of the demo failed. The message has the reason."""


@frozen
class Command:
    """The command with the memories of the folder `data`."""

    data: str

    @property
    def environment(self) -> dict[str, str]:
        """Variables for lamella. The user's own settings of lamella don't change the demo."""
        # With a model, replies would mention that it is still loading.
        own = {"LAMELLA_DATA_DIR": self.data, "LAMELLA_EMBEDDER": "none"}
        # Show dates in the user's zone.
        zone = {name: os.environ[name] for name in ("TZ",) if name in os.environ}
        return get_default_environment() | zone | own

    @property
    def server(self) -> StdioServerParameters:
        """Parameters to start a server."""
        return StdioServerParameters(command=LAMELLA, args=["serve"], env=self.environment, cwd=ROOT)

    def run(self, *arguments: str, said: str = "") -> str:
        """Run a command with `said` as its standard input, and return its output.

        Raises:
            StepFailedError: The command failed.
        """
        done = subprocess.run(  # noqa: S603 - our own command
            [LAMELLA, *arguments],
            cwd=ROOT,
            env=self.environment,
            input=said,
            capture_output=True,
            encoding="utf-8",
            timeout=REPLY_SECONDS,
            check=False,
        )
        if done.returncode:
            raise StepFailedError(f"lamella {arguments[0]} failed: {done.stderr}")
        return done.stdout.strip()
