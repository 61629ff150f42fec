"""Import of the SDK without what a server on stdin and stdout never uses.

`mcp/__init__.py` and `mcp/server/__init__.py` import clients, HTTP servers and cryptography: 12 MB and a sixth of
the start. Here they run only when somebody asks for a name that they define. Import this before anything of `mcp`.
"""

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


class _PostponedPackage(ModuleType):
    """Package whose submodules can be imported before its own code has run."""

    def __getattr__(self, name: str) -> Any:
        """Run the package's code at the first name that is missing, and return what has that name now.

        Raises:
            AttributeError: The package defines no such name.
        """
        object.__setattr__(self, "__class__", ModuleType)
        if self.__spec__ is not None and self.__spec__.loader is not None:
            self.__spec__.loader.exec_module(self)
        return getattr(self, name)


def _postpone(name: str) -> None:
    spec = None if name in sys.modules else find_spec(name)
    if spec is None:
        return
    package = module_from_spec(spec)
    package.__class__ = _PostponedPackage
    sys.modules[name] = package
    parent, _, own = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], own, package)


_postpone("mcp")
_postpone("mcp.server")
