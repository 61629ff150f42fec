"""Reference pages made of docstrings and of the help of commands."""

import inspect
import re
from collections.abc import Iterator
from enum import EnumType
from types import MappingProxyType
from typing import Any, Final

import attrs

import lamella
from lamella.ports.embedder import Embedder
from lamella.ports.tokenizer import Tokenizer
from tests.release.commands import every_command, inner

_SECTION: Final = re.compile(r"^(Args|Attributes|Returns|Raises|Example):$")
_ENTRY: Final = re.compile(r"^(\*{0,2}\w+): (.*)")
_WIDTH: Final = 80
_PARAMETER: Final = re.compile(r"(?<=^\()|(?<=,) (?=\*|\w+:)")
_PLAIN: Final = (
    (r"(: |-> )'([^']*)'", r"\1\2"),  # annotations that weren't evaluated
    (r"\b(?:[a-z_]+\.)+(\w+)", r"\1"),
    (r"= NOTHING\b|= <.*?>|= \w+\(.*?\)(?=\)|, \w+:)", "= ..."),
)
_PORTS: Final = MappingProxyType({"Tokenizer": Tokenizer, "Embedder": Embedder})


def api() -> str:
    """Return the page of all public names of `lamella`."""
    names = sorted(lamella.__all__)  # type: ignore[attr-defined] # made of the stub
    public = {name: getattr(lamella, name) for name in names}
    errors = {name: each for name, each in public.items() if _is(each, lamella.LamellaError)}
    functions = {name: each for name, each in public.items() if inspect.isfunction(each)}
    main = {name: public[name] for name in ("Memory", "AsyncMemory")}
    values = {name: each for name, each in public.items() if not {name} & {*errors, *functions, *main}}
    chapters = {
        "Functions": functions,
        "Memories": main,
        "Requests and values": values,
        "Ports": _PORTS,
        "Errors": errors,
    }
    lines = ["# The API", "", "All names of `import lamella`, made of their docstrings.", ""]
    for chapter, members in chapters.items():
        lines += f"## {chapter}", ""
        for name, each in members.items():
            lines += _documented(name, each, "###")
    return "\n".join(lines) + "\n"


def command_line() -> str:
    """Return the page of all commands."""
    lines = ["# All commands", "", "Made of `lamella COMMAND --help`.", ""]
    for command, context in every_command():
        below = [f"- `{name}`: {each.get_short_help_str(200)}" for name, each in inner(command, context)]
        usage = f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}"
        lines += f"## {context.command_path}", "", "```text", usage, "```", ""
        for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
            kept = paragraph.removeprefix("\b\n")
            lines += [kept, ""] if kept == paragraph else ["```text", kept, "```", ""]
        records = filter(None, (each.get_help_record(context) for each in command.get_params(context)))
        options = [f"- `{option}`: {text}" for option, text in records]
        lines += [*options, "", *below, ""]
    return "\n".join(lines) + "\n"


def _documented(name: str, thing: Any, level: str) -> Iterator[str]:
    """Yield the Markdown of a function, a class with its methods, or a constant."""
    yield from (f"{level} {name}", "")
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        yield from (f"`{thing!r}`", "")
        return
    if signature := _signature(thing):
        yield from ("```python", name + signature, "```", "")
    yield from _markdown(inspect.getdoc(thing) or "")
    if isinstance(thing, EnumType):
        yield from (", ".join(f"`{each}`" for each in thing.__members__), "")
    for each, member in inspect.getmembers(thing) if inspect.isclass(thing) else ():
        if each.startswith("_"):
            continue
        # The methods of `AsyncMemory` are those of `Memory`.
        if inspect.isfunction(member) and thing is not lamella.AsyncMemory:
            yield from _documented(f"{name}.{each}", member, level + "#")
        elif isinstance(member, property):
            yield from (f"`{name}.{each}`: {inspect.getdoc(member)}", "")


def _signature(thing: Any) -> str:
    """Return parameters as source text; empty where programs don't call the class."""
    if inspect.isclass(thing) and (not attrs.has(thing) or _is(thing, Exception) or _has_private_fields(thing)):
        return ""
    given = inspect.signature(thing)
    kept = [each for name, each in given.parameters.items() if name != "self"]
    returned = given.empty if inspect.isclass(thing) else given.return_annotation
    text = str(given.replace(parameters=kept, return_annotation=returned))
    for pattern, plain in _PLAIN:
        text = re.sub(pattern, plain, text)
    return text if len(text) <= _WIDTH else re.sub(_PARAMETER, "\n    ", text)


def _has_private_fields(kind: type[attrs.AttrsInstance]) -> bool:
    return any(each.name.startswith("_") for each in attrs.fields(kind))


def _markdown(docstring: str) -> Iterator[str]:
    """Yield a docstring in Google's style as Markdown."""
    section, code = "", False
    for line in docstring.split("\n"):
        text = line.removeprefix("    ") if section else line
        if found := _SECTION.match(line):
            section = found[1]
            yield from (f"**{section}**", "")
        elif text.startswith(">>> ") and not code:
            code = True
            yield from ("```pycon", text)
        elif code and not text:
            code = False
            yield from ("```", "")
        elif not code and section and (entry := _ENTRY.match(text)):
            yield f"- `{entry[1]}`: {entry[2]}"
        else:
            yield text
    yield from (["```", ""] if code else [""])


def _is(thing: object, kind: type) -> bool:
    return inspect.isclass(thing) and issubclass(thing, kind)
