"""Singletons of ports and use cases: each is created at the first call, and then shared by all threads.

This is the only module that depends on dependency_injector.
"""

from collections.abc import Callable
from threading import RLock
from typing import Any

Provider = Callable[[], Any]
"""Returns a port or use case, the same object at each call."""


def injected(make: Callable[..., Any], /, **wired: Provider) -> Provider:
    """Return a singleton of dependency_injector, for applications."""
    # `dependency_injector.containers` isn't used, because it imports every installed web framework.
    from dependency_injector import providers  # noqa: PLC0415 - programs that call the API don't need it

    singleton: Provider = providers.ThreadSafeSingleton(make, **wired)
    return singleton


def once(make: Callable[..., Any], /, **wired: Provider) -> Provider:
    """Return a singleton for programs that call the API.

    dependency_injector isn't used, because it imports asyncio and, if installed, PyYAML and pydantic. These
    imports take nearly as long as all other imports up to the first save.
    """
    lock, made = RLock(), list[Any]()

    def provide() -> Any:
        with lock:
            if not made:
                made.append(make(**{name: provider() for name, provider in wired.items()}))
        return made[0]

    return provide
