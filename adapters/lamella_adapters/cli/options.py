"""Options of the commands, from `options.toml`."""

import os
import re
import time
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

from lamella.domain.memories.kind import Kind
from lamella_adapters.process.tables import table

_Function = TypeVar("_Function", bound=Callable[..., Any])


_DAYS_AGO = {"today": 0, "yesterday": 1}


class _Day(click.DateTime):
    """Type of options whose value is a day, such as 2026-01-31 or yesterday."""

    def __init__(self) -> None:
        super().__init__(["%Y-%m-%d"])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a date as midnight. Unlike click's own error, the error about an invalid date lists no formats."""
        if value in _DAYS_AGO:
            value = f"{date.today() - timedelta(days=_DAYS_AGO[value])}"  # noqa: DTZ011 - in this machine's zone
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is not a date such as 2026-01-31 or yesterday.", param, ctx)


def _bound(given: str) -> int:
    """Parse the limit of a quota, such as 5000 or 2GB. Return -1 for `none`.

    Raises:
        click.BadParameter: The text isn't a limit.
    """
    found = re.fullmatch(r"([0-9]{1,15})([kMGT]?)B?", given)
    if found is None and given != "none":
        raise click.BadParameter(f"{given!r} is not a number such as 5000 or 2GB, nor 'none'.")
    return int(found[1]) * 1000 ** " kMGT".index(found[2] or " ") if found else -1


def _in_utc(_context: click.Context, _parameter: click.Parameter, given: bool) -> None:
    """Set this process's time zone to UTC, for printing times and reading dates."""
    if given:
        os.environ["TZ"] = "UTC"
        getattr(time, "tzset", int)()  # Windows has no `tzset`


UTC: Mapping[str, Any] = {
    "is_flag": True,
    "expose_value": False,
    "is_eager": True,
    "callback": _in_utc,
    "help": "Print times in UTC.",
}
"""The option `--utc`. It can stand before a command or after it."""

ANY_PATH = click.Path(readable=False)
"""Type of paths, which shells complete. The path needn't exist."""

_COMMANDS = table(__file__, "options")
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "flag": {"is_flag": True},
    "count": {"metavar": "N", "type": click.IntRange(min=1)},
    "port": {"type": click.IntRange(0, 65_535)},
    "amount": {"type": click.FloatRange(min=0, min_open=True)},
    "bound": {"metavar": "N", "type": _bound},
    "path": {"metavar": "PATH", "type": ANY_PATH},
    "day": {"metavar": "DATE", "type": _Day()},
    "kind": {"type": click.Choice([each.value for each in Kind])},
    "json": {"to": "as_json", "is_flag": True, "help": "Print one line of JSON."},
    "project": {"metavar": "PROJECT", "help": "Use this project instead of this folder's, by id, alias or name."},
    "tenant": {"metavar": "TENANT", "help": "Use this tenant instead of that of LAMELLA_STORAGE."},
}


def options(command: str, **more: Mapping[str, Any]) -> Callable[[_Function], _Function]:
    """Return a decorator that adds the options of a command.

    Args:
        command: Name of the command's table in `options.toml`.
        more: Further arguments of `click.option`, such as a type or a default, keyed by option.
    """

    def decorated(function: _Function) -> _Function:
        for name, settings in reversed(_COMMANDS[command].items()):
            key = name.strip("-").replace("-", "_")
            given = {"to": key, **_KINDS.get(settings.get("is", ""), {}), **settings, **more.get(key, {})}
            given.pop("is", None)
            option = name if name.startswith("-") else f"--{name}"
            function = click.option(option, given.pop("to"), **given)(function)
        return click.option("--utc", hidden=True, **UTC)(function)

    return decorated


def undashed(_context: click.Context, _argument: click.Parameter, given: str | None) -> Path | None:
    """Return the path of an argument; None for `-`, which stands for stdin or stdout.

    The argument is compared as text, because `Path("./-")`, the path of a file, equals `Path("-")`.
    """
    return None if given is None or given == "-" else Path(given)
