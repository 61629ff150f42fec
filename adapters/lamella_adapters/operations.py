"""Calls of other machines to a team's server: the operations for their hooks, and headers of their calls."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints
from uuid import UUID

from cattrs.preconf.json import make_converter

from lamella.application.capture.serve_hooks import ServeHooks
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError

HOOKS = "hooks"
"""Name of the toolset and of its only tool, which calls operations. An incompatible change needs a new name."""

PROJECT, SESSION = "lamella-project", "lamella-session"
CLIENT, TOOLSET, EVERYWHERE = "lamella-client", "lamella-toolset", "lamella-everywhere"
"""Headers of a call: project (id, alias or name), session, client, toolset of the called tool, global memories.

The value `off` of `EVERYWHERE` leaves out global memories.
"""

_OPERATIONS = ("after", "at", "known", "look", "record", "states", "tenant")
"""Methods of `ServeHooks` that may be called."""


def request(name: str, arguments: Sequence[object]) -> str:
    """Return the request for an operation."""
    given = zip(arguments, _kinds(name)[:-1], strict=True)
    return json.dumps([name, [_converter().unstructure(each, kind) for each, kind in given]])


def answered(hooks: ServeHooks, call: Call, text: str) -> str:
    """Run the operation of a request, and return its answer.

    Raises:
        LamellaError: The operation failed.
    """
    try:
        name, given = json.loads(text)
        *kinds, returned = {each: _kinds(each) for each in _OPERATIONS}[name]
        arguments = [_converter().structure(each, kind) for each, kind in zip(given, kinds, strict=True)]
    except Exception as error:  # noqa: BLE001 - callers may send anything
        return json.dumps({"invalid": type(error).__name__})
    return json.dumps({"result": _converter().unstructure(getattr(hooks, name)(call, *arguments), returned)})


def result(name: str, answer: str) -> Any:
    """Return the result in an answer.

    Raises:
        InvalidValueError: The server doesn't understand the request.
    """
    said = json.loads(answer)
    if "invalid" in said:
        raise InvalidValueError(name="The request", given=said["invalid"], allowed="known to the server")
    return _converter().structure(said["result"], _kinds(name)[-1])


@cache
def _kinds(name: str) -> Sequence[Any]:
    """Return the types of an operation's arguments and, last, of its result."""
    return [kind for each, kind in get_type_hints(getattr(ServeHooks, name)).items() if each != "call"]


@cache
def _converter() -> Any:
    made = make_converter(detailed_validation=False)
    for kind in (UUID, Path):
        made.register_unstructure_hook(kind, str)
        made.register_structure_hook(kind, lambda value, kind: kind(value))
    return made
