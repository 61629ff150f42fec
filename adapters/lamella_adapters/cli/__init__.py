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
    _speak_utf8()
    _open_missing_streams()
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


def _speak_utf8() -> None:
    """Start Python anew where its encoding is ASCII: arguments, names of files and output would be cut to that."""
    if sys.getfilesystemencoding() == "ascii" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - the same again


def _open_missing_streams() -> None:
    """Open the null device in the place of a standard stream that the caller has closed.

    Otherwise the next opened file gets its descriptor, and the output with it.
    """
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, descriptor)
            if null != descriptor:
                os.close(null)
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - a descriptor
