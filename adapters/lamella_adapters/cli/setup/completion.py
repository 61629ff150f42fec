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
    bash, at the end of ~/.bashrc: eval "$(lamella completion bash)"
    zsh, at the end of ~/.zshrc, after compinit: eval "$(lamella completion zsh)"
    fish: lamella completion fish > ~/.config/fish/completions/lamella.fish
    """  # noqa: D301 - click doesn't wrap lines after `\b`
    script = _SHELLS[shell](lamella, {}, "lamella", "_LAMELLA_COMPLETE").source()
    click.echo(script.replace('split ","', 'split --max 1 ","'))  # in fish, a description may have commas
