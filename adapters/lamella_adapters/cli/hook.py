"""Commands for clients to call: one for hooks that can't find Python by themselves, one to drain."""

import click

from lamella_adapters.hooks.launch.interpreter_link import link_for_plugin
from lamella_adapters.hooks.run import run


@click.command(hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="[CLIENT] [EVENT]", nargs=-1, type=click.UNPROCESSED)
def hook(words: tuple[str, ...]) -> None:
    """Do what a client's hooks need when something happens; it calls this itself, with one line of JSON.

    CLIENT is claude-code by default. EVENT is only needed if the JSON doesn't name it.
    """
    link_for_plugin()
    run(*words[:2])


@click.command(hidden=True)
def drain() -> None:
    """Store what hooks have captured; the plugin calls this itself, when a session ends.

    The session's server may be gone by then, and the next one comes too late for the index that the next session
    begins with.
    """
    from lamella_adapters.cli.runtime import opened  # noqa: PLC0415 - a hook has no time for it

    with opened():
        pass
