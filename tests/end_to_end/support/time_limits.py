"""Raised time limits of hooks, commands and git, so that results don't depend on the speed of the machine.

A limit is raised when the process imports the limit's module, so this module imports none of them. The hooks of
tests use this module too, so it imports next to nothing itself.
"""

import sys
from typing import Any

_SECONDS = 300
"""After this, what a test waits for will never come."""


def raise_limits() -> None:
    """Raise the time limits in all modules of this process, imported already or later."""
    for name, raised in _RAISED.items():
        if name in sys.modules:
            raised(sys.modules[name])
    sys.meta_path.insert(0, _Finder())


def _set(name: str) -> Any:
    return lambda module: setattr(module, name, _SECONDS)


def _set_all(*names: str) -> Any:
    def raised(module: Any) -> None:
        for name in names:
            setattr(module, name, _SECONDS)

    return raised


def _set_default(class_name: str) -> Any:
    """Set the default of the constructor's last parameter."""

    def raised(module: Any) -> None:
        constructor = getattr(module, class_name).__init__
        constructor.__defaults__ = (*constructor.__defaults__[:-1], _SECONDS)

    return raised


_RAISED = {
    "lamella_adapters.hooks.context.answer": _set("LONGEST"),
    "lamella_adapters.hooks.run": _set("SECONDS"),
    "lamella_adapters.hooks.session.processes": _set("_PS_SECONDS"),
    "lamella_adapters.cli.runtime": _set("_DRAIN_SECONDS"),
    "lamella_adapters.git.history": _set("_LATEST_SECONDS"),
    "lamella_adapters.git.working_tree": _set_default("GitWorkingTree"),
    "lamella_adapters.connections": _set("HEAD_SECONDS"),
    "lamella_adapters.mcp.http.endpoint": _set_all("BODY_SECONDS", "CALL_SECONDS"),
    "lamella_adapters.web.guards.forms": _set("FORM_SECONDS"),
    "lamella_adapters.web.guards.uploads": _set("UPLOAD_SECONDS"),
    "lamella_adapters.sqlite.hook_reads.open_project": _set_default("Deadline"),
}


class _Finder:
    """Import finder that raises the limits of a module after its import."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        raised = _RAISED.get(name)
        if raised is None:
            return None
        others = (each.find_spec(name, path, target) for each in sys.meta_path if each is not self)
        spec: Any = next(found for found in others if found is not None)
        execute = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            execute(module)
            raised(module)

        spec.loader.exec_module = exec_module
        return spec
