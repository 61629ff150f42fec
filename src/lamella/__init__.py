"""lamella: persistent memory for coding agents, disclosed leaf by leaf.

Open the memories of a project, and call a use case:

    import lamella

    with lamella.open_memory("path/of/the/repository") as memory:
        memory.save(lamella.SaveRequest(text="Staging is reset every night."))
        print(memory.recall(lamella.RecallRequest(selector=lamella.ByText("staging"))))

`help(lamella.Memory)` lists the use cases. Every error is a `LamellaError`. A name is imported when
it is first used; `__init__.pyi` lists them.
"""


def __getattr__(name: str) -> object:
    """Import what is offered, when it is first used."""
    offered = _offered()
    if name == "__all__":
        return [*offered]
    if name not in offered:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - hooks import this package, and nothing of it

    return getattr(import_module(offered[name]), name)


def __dir__() -> list[str]:
    return [*globals(), "__all__", *_offered()]


_MODULES: dict[str, str] = {}
"""The module of each name that is offered; empty before the first one is used."""


def _offered() -> dict[str, str]:
    """Return the module of each name that `__init__.pyi` imports."""
    if not _MODULES:
        with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as stub:  # noqa: PTH123 - hooks import this
            imports = [line.split() for line in stub if line.startswith("from ")]
        _MODULES.update({name: module for _, module, _, _, _, name in imports})
    return _MODULES
