"""The command `lamella`.

The command usually starts an MCP server, so this module imports only what a server needs.
"""

# ruff: noqa: PLC0415 - each function imports its own modules, to start faster

import os
import sys

__all__ = ["main"]


def main() -> int:
    """Run the command in the arguments of the process.

    Returns:
        The exit code of the process: 0 on success, 1 on a failure, 2 for invalid arguments, 130 after an interrupt
        by the user.
    """
    _speak_utf8()
    _open_missing_streams()
    arguments = sys.argv[1:]
    # Create files for their owner only. Replace the umask: an unusual one could deny access even to the owner.
    os.umask(0o077)
    try:
        match arguments:
            # Clients usually start the server with at most a toolset, which needs no argument parser.
            case ["serve"] | ["serve", "--toolset", _] if not arguments[-1].startswith("-"):
                from lamella_adapters.cli.serve.stdio import start

                start(*arguments[2:])
        from lamella_adapters.cli.commands import run

        return run(arguments)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - users get a message instead of a traceback
        from lamella_adapters.cli.output import explained

        return explained(error, debug=arguments[:1] == ["--debug"])


def _speak_utf8() -> None:
    """Restart Python in UTF-8 mode if its encoding is ASCII, which can't represent all arguments and output."""
    if sys.getfilesystemencoding() == "ascii" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - runs the same command again


def _open_missing_streams() -> None:
    """Open the null device in place of standard streams that the caller closed.

    Otherwise the next opened file would get the stream's descriptor, and output would go into that file.
    """
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, descriptor)
            if null != descriptor:
                os.close(null)
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - the stream stays open
