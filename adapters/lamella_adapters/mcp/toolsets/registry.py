"""Tools of a server: one or several toolsets."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module

from attrs import evolve

from lamella.domain.errors import InvalidValueError
from lamella_adapters.mcp.toolsets.tool import Tool, texts_of
from lamella_adapters.process import start

_EVERY = texts_of("every")


def chosen(names: str, *, reading: bool = False, all_projects: bool = False) -> dict[str, Tool]:
    """Return the tools of the toolsets `names` (`a,b`, or `all`), keyed by registered name.

    The first toolset's tools are registered under their own names. A later toolset's tool becomes
    `{toolset}_{name}` if the tool searches, or if the name is taken. Models choose tools by name. Without a
    prefix, the name `search` wouldn't say whether memories or messages are searched.

    Args:
        names: The toolsets.
        reading: True to return only the tools that read.
        all_projects: True to let the tools read all projects.

    Raises:
        InvalidValueError: A toolset doesn't exist.
    """
    return {
        name: evolve(tool if all_projects else tool.for_one_project(), name=name, registered=_names(registered))
        for _, registered in _registered(names, reading=reading)
        for name, tool in registered.items()
    }


def instructions(names: str, *, reading: bool = False) -> str:
    """Return the instructions of the toolsets `names` for the model, under 2,000 characters.

    Args:
        names: The toolsets.
        reading: True to return the instructions for the tools that only read.

    Raises:
        InvalidValueError: A toolset doesn't exist.
    """
    described = [text.format_map(_names(registered)) for text, registered in _registered(names, reading=reading)]
    return "\n\n".join([_EVERY["about"], *described, _EVERY["queries"], _EVERY["data"]])


def _names(registered: Mapping[str, Tool]) -> Mapping[str, str]:
    return {tool.name: name for name, tool in registered.items()}


def _registered(names: str, *, reading: bool) -> Iterator[tuple[str, Mapping[str, Tool]]]:
    """Yield the instructions of each toolset, and the toolset's tools, keyed by registered name."""
    taken: set[str] = set()
    for name in start.named_toolsets(names):
        if name not in start.TOOLSETS:
            known = ", ".join([*start.TOOLSETS, start.ALL])
            raise InvalidValueError(name="A toolset", given=repr(name), allowed=f"one of {known}")
        module = import_module(f"{__package__}.{name}")
        tools: Sequence[Tool] = module.TOOLS
        registered = {
            f"{name}_{tool.name}" if taken and (tool.searches or tool.name in taken) else tool.name: tool
            for tool in tools
        }
        taken.update(registered)
        if reading:
            readers = {name: tool.for_readers() for name, tool in registered.items()}
            registered = {name: tool for name, tool in readers.items() if tool is not None}
        yield getattr(module, "READING", module.INSTRUCTIONS) if reading else module.INSTRUCTIONS, registered
