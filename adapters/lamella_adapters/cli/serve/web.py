"""The command that shows memories in a browser."""

import os
import webbrowser
from contextlib import suppress
from threading import Thread

import click

from lamella.domain.call import USER
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, say
from lamella_adapters.cli.runtime import needing, present_directory
from lamella_adapters.process.settings import caller_from, settings_from


@click.command(short_help="Read and edit memories in a browser.")
@options("web")
def web(port: int, no_open: bool, idle: float, project: str | None) -> None:
    """Search, read, correct and delete memories in a browser on this machine.

    The printed address works once, for one browser. Other machines can't connect. Press Ctrl-C to stop.
    """
    with needing("web", "jinja2", "markupsafe", reason="The pages need Jinja2."):
        from lamella_adapters.web.serve import serve  # noqa: PLC0415 - the module needs the extra `web`
    caller = caller_from(os.environ, present_directory(), actor=USER)

    def announce(url: str) -> None:
        echo(f"lamella is at {url}\nThe address works once. Press Ctrl-C to end.")
        if not no_open:
            # Opening some browsers blocks, and the server has to answer meanwhile.
            Thread(target=_open, args=[url], daemon=True).start()

    serve(settings_from(os.environ), caller, announce, port=port, idle_minutes=idle, project=project)


def _open(url: str) -> None:
    """Open the browser named by BROWSER, or else a graphical one."""
    with suppress(webbrowser.Error):
        browser = webbrowser.get()
        # Skip a plain `GenericBrowser`: it would run in this terminal and take the terminal over.
        if os.environ.get("BROWSER") or type(browser) is not webbrowser.GenericBrowser:
            browser.open(url)
            return
    say("No browser was found. Open the address in one on this machine.")
