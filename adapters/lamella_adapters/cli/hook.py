"""Commands that clients call: `hook`, for hooks that can't find Python by themselves, and `drain`."""

import click

from lamella_adapters.hooks.launch.interpreter_link import link_for_plugin
from lamella_adapters.hooks.run import run


@click.command(hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="[CLIENT] [EVENT]", nargs=-1, type=click.UNPROCESSED)
def hook(words: tuple[str, ...]) -> None:
    """Handle a client's event. Clients call this themselves, with one line of JSON on stdin.

    CLIENT is claude-code by default. EVENT is needed only if the JSON doesn't name it.
    """
    link_for_plugin()
    run(*words[:2])


@click.command(hidden=True)
def drain() -> None:
    """Store captures of hooks. The plugin calls this itself when a session ends.

    By then the session's server may be gone. If the next server stored the captures, they would be missing from
    the index that the next session gets at its start.
    """
    from lamella_adapters.cli.runtime import opened  # noqa: PLC0415 - hooks don't need it, and its import is slow

    with opened():
        pass
