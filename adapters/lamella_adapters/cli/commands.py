"""The commands by name, each imported at its first use. Only the arguments of `serve` are parsed here."""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType
from typing import Any, cast

import click

from lamella_adapters.cli.options import UTC, options
from lamella_adapters.cli.output import INTERRUPTED, say
from lamella_adapters.process.tables import table

_TABLE = table(__file__, "commands")


class LazyGroup(click.Group):
    """Group of commands that are imported by name. Running one command doesn't load the modules of the others.

    Attributes:
        known: Module and name of each command, in order of importance.
        same: Names of commands, keyed by alias. An alias is the command's name in other programs.
        for_files: Command to run if no argument names a command, but an argument is `-`, or an existing file or
            folder.
    """

    def __init__(
        self,
        *args: Any,
        known: Mapping[str, str] = MappingProxyType({}),
        same: Mapping[str, str] = MappingProxyType({}),
        for_files: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.known = known
        self.same = same
        self.for_files = for_files

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the commands don't depend on the context
        """Return every name, in order of importance."""
        return [*self.known, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command `cmd_name`; None if no command has this name."""
        if cmd_name not in self.known:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.known[cmd_name].partition(":")
        return cast("click.Command", getattr(import_module(f"{__package__}.{module}"), name))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the file-import command if the arguments are files. A leading `help` shows a command's help."""
        if args[:1] == ["help"] and not self.for_files:
            args = args[1:] if ctx.resilient_parsing else [*args[1:], "--help"]
        named = {*ctx.help_option_names, *self.list_commands(ctx)} & set(args)
        if self.for_files and not named and any(each == "-" or os.path.lexists(each) for each in args):
            args = [self.for_files, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, as `click.Group` does.

        Raises:
            click.UsageError: There is no command of that name.
        """
        name, known = args[0], self.list_commands(ctx)
        if name in known or name.startswith("-") or ctx.resilient_parsing:  # completion prints no errors
            return super().resolve_command(ctx, args)
        likely = [self.same[name]] if name in self.same else get_close_matches(name, known, n=2)
        meant = f" Did you mean {' or '.join(map(repr, likely))}?" if likely else ""
        what = "command or file" if self.for_files else "command"
        raise click.UsageError(f"No such {what} {name!r}.{meant}", ctx)


@click.command(
    cls=LazyGroup,
    known=_TABLE["commands"],
    same=_TABLE["same"],
    context_settings={"help_option_names": ["--help", "-h"]},
)
@click.version_option(None, "--version", "-V", package_name="lamella")
@click.option("--utc", **UTC)
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of errors.")
def lamella() -> None:
    """Persistent memory for coding agents.

    Commands use the project of the working directory. LAMELLA_DATA_DIR sets the folder for all memories.
    """


@click.command(short_help="Serve MCP on stdin and stdout, or over HTTP.")
@options("serve", workers={"type": click.IntRange(1, 64)}, drain={"type": click.FloatRange(min=0)})
def serve(toolset: str | None, http: bool, **options: Any) -> None:
    """Serve MCP on stdin and stdout; your MCP client starts this.

    With --http, serve any number of clients until stopped. Other machines need tokens and TLS.
    """
    chosen = {name: value for name, value in options.items() if value is not None and value is not False}
    if http:
        from lamella_adapters.cli.serve.http import serve_http  # noqa: PLC0415 - the module needs the extra `http`

        serve_http(toolset, **chosen)
        return
    if chosen:
        raise click.UsageError(f"--{next(iter(chosen)).replace('_', '-')} can only be used with --http.")
    # `start` is in a separate module. So `lamella --help` doesn't import the MCP driver, and a server without
    # options doesn't import click.
    from lamella_adapters.cli.serve.stdio import start  # noqa: PLC0415 - see above

    start(toolset)


def run(arguments: Sequence[str]) -> int:
    """Run the command in `arguments`, and return its exit code."""
    # On a terminal with another encoding, print unsupported characters as escapes instead of raising.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = lamella.main(list(arguments), prog_name="lamella", standalone_mode=False)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        say(shown.getvalue().rstrip("\n"))
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0
