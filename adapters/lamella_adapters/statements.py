"""Loader of SQL statements. Each module with statements has a `.sql` file beside it.

Hooks use this module, so it imports little.
"""

from collections.abc import Iterable, Mapping

_BEGIN = "-- statement: "


def statements(module: str, **parts: object) -> Mapping[str, str]:
    """Return the statements in the `.sql` file beside a module, keyed by name.

    Args:
        module: `__file__` of the module.
        **parts: Values of placeholders in braces, such as `{columns}`. Other placeholders stay, for `str.format`.
    """
    with open(f"{module.rpartition('.')[0]}.sql", encoding="utf-8") as file:  # noqa: PTH123 - see above
        written = file.read()
    for placeholder, part in parts.items():
        written = written.replace(f"{{{placeholder}}}", str(part))
    found: dict[str, str] = {}
    for line in written.splitlines():
        if line.startswith(_BEGIN):
            found[name := line.removeprefix(_BEGIN)] = ""
        elif line and not line.startswith("--"):
            found[name] += f"{line}\n"
    return {name: statement.rstrip("\n") for name, statement in found.items()}


def listed(digits: Iterable[str]) -> str:
    """Return hexadecimal ids as a JSON array for `json_each`. Importing `json` would take too long for a hook."""
    return "[" + ",".join(f'"{each}"' for each in digits) + "]"
