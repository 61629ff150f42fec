"""The command that prints completion scripts for shells."""

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from lamella_adapters.cli.commands import lamella

_SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command(short_help="Print the completion script for a shell.")
@click.argument("shell", type=click.Choice(list(_SHELLS)))
def completion(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash: lamella completion bash > ~/.local/share/bash-completion/completions/lamella
    zsh:  lamella completion zsh > a file `_lamella` in a folder of $fpath
    fish: lamella completion fish > ~/.config/fish/completions/lamella.fish
    """  # noqa: D301 - click doesn't wrap lines after `\b`
    click.echo(_SHELLS[shell](lamella, {}, "lamella", "_LAMELLA_COMPLETE").source())
