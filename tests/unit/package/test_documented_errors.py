"""Errors that reach programs: named in `lamella`, and in the docstrings of what raises them."""

import ast
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import lamella
import lamella.application
import lamella.domain
from lamella import LamellaError, Memory, application
from lamella.container import Lamella

OFFERED: set[str] = {
    name
    for name in lamella.__all__  # type: ignore[attr-defined] # made of the stub
    if inspect.isclass(getattr(lamella, name)) and issubclass(getattr(lamella, name), LamellaError)
}
ERRORS = Path(__file__).with_name("errors_of_commands.tsv")
NOT_OF_THE_LIBRARY = {line.partition("\t")[0] for line in ERRORS.read_text("utf-8").splitlines()[1:]}
"""Errors that reach no program; the table says why."""
METHODS = sorted(name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_"))
EVERYWHERE = set(re.findall(r"\w+Error", f"{Memory.__doc__}"))


def every_error(kind: type[LamellaError] = LamellaError) -> Iterator[type[LamellaError]]:
    for each in kind.__subclasses__():
        if re.match(r"lamella\.(domain|application|ports)\.", each.__module__):
            yield each
        yield from every_error(each)


def raised(documented: Any) -> set[str]:
    """The errors that a docstring says are raised."""
    _, _, section = f"{inspect.getdoc(documented)}".partition("Raises:")
    return set(re.findall(r"^ +(\w+Error):", section, re.MULTILINE))


def use_cases(method: Any) -> Iterator[Any]:
    """What a method of the library calls: the use cases, or their methods."""
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(method))))):
        match node:
            case ast.Attribute(value=ast.Attribute(value=ast.Name("self"), attr="_lamella"), attr=name):
                if kind := use_case(name):
                    yield kind.__call__
                    yield from (kind.__dict__.get(each) for each in ("page", "versions", "begin"))


def use_case(name: str) -> Any:
    package, _, kind = str(Lamella.__annotations__[name]).rpartition(".")
    return getattr(application, kind) if package == "application" else None


def test_every_error_is_offered_or_never_reaches_a_program() -> None:
    for package in (lamella.domain, lamella.application):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    every = {each.__name__ for each in every_error()}
    assert every - OFFERED == NOT_OF_THE_LIBRARY


def test_every_error_that_is_offered_is_documented() -> None:
    documented = [lamella.open_memory, Memory, *(getattr(Memory, name) for name in METHODS)]
    named = {name for each in documented for name in re.findall(r"\w+Error", f"{each.__doc__}")}
    # Base classes, and the error that authors of embedders raise.
    assert OFFERED - named == {"InvalidVectorError"}


def test_the_page_of_the_library_lists_every_error() -> None:
    page = (Path(lamella.__file__).parents[2] / "docs" / "library.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+Error)` \| (.*) \|$", page, re.MULTILINE)
    summaries = {name: f"{inspect.getdoc(getattr(lamella, name))}".partition("\n")[0] for name in OFFERED}
    assert listed == sorted(summaries.items())


@pytest.mark.parametrize("name", METHODS)
def test_a_method_documents_what_its_use_cases_raise(name: str) -> None:
    method = getattr(Memory, name)
    of_use_cases = set[str]().union(*(raised(each) for each in use_cases(method) if each))
    assert of_use_cases - raised(method) - EVERYWHERE == set()
    assert raised(method) <= OFFERED
