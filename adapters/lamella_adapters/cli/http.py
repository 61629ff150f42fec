"""`lamella serve --http`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamella.container import Lamella
from lamella.domain.errors import AdvisedError
from lamella_adapters.cli.output import echo
from lamella_adapters.settings import settings_from, toolset_from

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from lamella_adapters.mcp.http.access.authenticator import Authenticator


def serve_http(toolset: str | None, **options: Any) -> None:
    """Serve Streamable HTTP until a signal comes.

    Args:
        toolset: Names of the toolsets; None for those of `LAMELLA_TOOLSET`.
        **options: Fields of `HttpOptions` that are given.

    Raises:
        AdvisedError: The extra `http` is not installed, or it would not be safe to start.
        LamellaError: The settings or the storage don't allow it.
    """
    try:
        from lamella_adapters.mcp.http.serve import serve  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if error.name != "prometheus_client":
            raise
        raise AdvisedError(
            reason="Serving over HTTP needs more packages.",
            advice="Install them with: pip install 'lamella[http]'",
        ) from None
    from lamella_adapters.mcp.http.access.authenticator import Everything  # noqa: PLC0415 - as above
    from lamella_adapters.mcp.http.options import HttpOptions  # noqa: PLC0415 - as above

    for name in {"certificate", "key"} & set(options):
        options[name] = Path(options[name])
    chosen = HttpOptions(toolset=toolset or toolset_from(os.environ), **options)

    def let_in(_: Lamella) -> "tuple[Authenticator, Sequence[BaseRoute]]":
        chosen.require_safe(recognises=False)
        return Everything(), ()

    serve(settings_from(os.environ), chosen, let_in, announce=lambda url: echo(f"lamella is at {url}"))
