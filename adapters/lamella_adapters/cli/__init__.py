"""The command `lamella`.

Its commonest use is to be started as an MCP server, so nothing is imported here that a server doesn't need.
"""

# ruff: noqa: PLC0415 - that is why imports stand where they are needed

import os
import sys

__all__ = ["main"]


def main() -> int:
    """Run the command that the arguments of the process name.

    Returns:
        The exit code of the process: 0 on success, 1 if something could not be done, 2 if the arguments make no
        sense, 130 if the user interrupted it.
    """
    arguments = sys.argv[1:]
    # A umask may take even the owner's rights away. Memories are for the owner, whatever it says.
    os.umask(0o077)
    try:
        if arguments == ["serve"]:
            # What clients are configured with: straight there, without a parser of arguments.
            from lamella_adapters.cli.serve.stdio import start

            start()
        from lamella_adapters.cli.commands import run

        return run(arguments)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - whatever it is, the user gets a sentence
        from lamella_adapters.cli.output import explained

        return explained(error, debug=arguments[:1] == ["--debug"])
