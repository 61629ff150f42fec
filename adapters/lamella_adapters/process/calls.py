"""Calls of the system: those of `posix`, which is a part of the interpreter, or what Windows has of them.

Hooks use it, so it imports little. On Windows, where it is untried, flags that the system lacks are 0.
"""

try:
    import posix
except ImportError:
    import os
    from types import SimpleNamespace

    flags = dict.fromkeys(("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"), 0)
    variables = {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}
    posix = SimpleNamespace(**{**flags, **vars(os), "environ": variables})  # type: ignore[assignment]

__all__ = ["posix"]
