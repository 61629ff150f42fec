"""lamella: persistent memory for coding agents, disclosed leaf by leaf.

Open the memories of a project, and call a use case:

    import lamella

    with lamella.open_memory("path/of/the/repository") as memory:
        memory.save("Staging is reset every night.")
        print(memory.recall("staging"))

`help(lamella.Memory)` lists the use cases. Every error is a `LamellaError`. Names are imported on first use;
`__init__.pyi` lists them.
"""


# ruff: noqa: PLC0415 - hooks import this package without using any of its names


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    from lamella.stub import attribute, offered

    return [*offered(__name__)] if name == "__all__" else attribute(__name__, name)


def __dir__() -> list[str]:
    from lamella.stub import offered

    return [*globals(), "__all__", *offered(__name__)]
