"""Import of the MCP SDK without the parts that a server on stdin and stdout doesn't use.

`mcp/__init__.py` and `mcp/server/__init__.py` import clients, HTTP servers and cryptography: 12 MB of memory and a
sixth of the start-up time. With this module, both files run only at the first use of a name defined there. Import
this module before any part of `mcp`.
"""

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


class _PostponedPackage(ModuleType):
    """Package with submodules that can be imported before the package's own code has run."""

    def __getattr__(self, name: str) -> Any:
        """Run the package's code if a name is missing, and return the value that the code gives to the name.

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
