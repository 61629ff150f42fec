"""Git processes for hooks and first saves, started without `subprocess`.

Importing `subprocess` would take as long as git takes to answer.

The commands neither compare files of the working tree nor fetch objects, so git runs no filter.
"""

import os
import select
import time
from collections.abc import Callable, Mapping

from lamella_adapters.git.repository import safe

_PIECE_BYTES, _KILLED = 64 * 1024, 9
_NONE: Mapping[str, str] = {}

Ask = Callable[..., bytes | None]
"""Function that returns git's output for some arguments; None if git fails, is missing or takes too long."""


class Started:
    """A git process that runs in parallel to the hook."""

    def __init__(
        self, program: str, root: str, *arguments: str, ends_at: float, variables: Mapping[str, str] = _NONE
    ) -> None:
        """Start git.

        Args:
            program: The name or path of git.
            root: The top of the working tree.
            arguments: The command and its options.
            ends_at: Monotonic time at which the process is killed.
            variables: Environment variables in addition to `safe.environment`.
        """
        self._process, self._ends_at = 0, ends_at
        self._output, ours = os.pipe()
        null = os.open(os.devnull, os.O_RDWR)
        try:
            self._process = os.posix_spawnp(
                program,
                safe.command(program, root, *arguments),
                {**safe.environment(root), **variables},
                file_actions=[(os.POSIX_SPAWN_DUP2, each, to) for each, to in ((null, 0), (ours, 1), (null, 2))],
                setpgroup=0,
            )
        except (OSError, ValueError):
            pass  # git is missing or can't start here
        finally:
            os.close(ours)
            os.close(null)

    def output(self, most: int) -> tuple[bytes, bool]:
        """Return git's output up to some bytes, and True if the output is complete and git succeeded."""
        output, piece = bytearray(), b"-"
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        while piece and len(output) < most and poll.poll(max(0.0, self._ends_at - time.monotonic()) * 1000):
            piece = os.read(self._output, _PIECE_BYTES)
            output += piece
        os.close(self._output)
        if piece and self._process:  # stopped before the end of the output
            os.killpg(self._process, _KILLED)
        return bytes(output), bool(self._process) and os.waitpid(self._process, 0)[1] == 0


def asking(
    root: str, seconds: float, most: int = 1 << 22, *, program: str = "git", variables: Mapping[str, str] = _NONE
) -> Ask:
    """Return a function that runs git in a working tree. All calls together have a time limit of `seconds`."""
    ends_at = time.monotonic() + seconds

    def ask(*arguments: str) -> bytes | None:
        output, well = Started(program, root, *arguments, ends_at=ends_at, variables=variables).output(most)
        return output if well else None

    return ask
