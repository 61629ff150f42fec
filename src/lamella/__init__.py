"""lamella: persistent memory for coding agents, disclosed leaf by leaf.

Open the memories of a project, and call a use case:

    import lamella

    with lamella.open_memory("path/of/the/repository") as memory:
        memory.save(lamella.SaveRequest(text="Staging is reset every night."))
        print(memory.recall(lamella.RecallRequest(selector=lamella.ByText("staging"))))

`help(lamella.Memory)` lists the use cases. Every error is a `LamellaError`. Importing `lamella` imports nothing
else before the first name is used.
"""

TYPE_CHECKING = False
"""Known by this name to type checkers; `typing` takes longer to import than a hook may."""

if TYPE_CHECKING:
    from lamella.api import *  # noqa: F403 - `api` says what is offered
    from lamella.api import __all__ as __all__

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import what is offered, when the first of it is used."""
        from importlib import import_module  # noqa: PLC0415 - hooks import this package, and nothing of it

        api = import_module("lamella.api")
        if name not in ("__all__", *api.__all__):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(api, name)

    def __dir__() -> list[str]:
        return [*globals(), *__getattr__("__all__")]
