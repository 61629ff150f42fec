"""System calls from the built-in module `posix`, or their counterparts on Windows.

Hooks use this module, so it imports little. On Windows (untried), missing flags are 0.
"""

try:
    import posix
except ImportError:
    import os
    from types import SimpleNamespace

    flags = dict.fromkeys(("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"), 0)
    variables = {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}
    posix = SimpleNamespace(**{**flags, **vars(os), "environ": variables})  # type: ignore[assignment]

__all__ = ["Descriptor", "posix"]


class Descriptor(int):
    """Descriptor of an open file, closed at the end of a block."""

    def __enter__(self) -> int:
        return self

    def __exit__(self, *_: object) -> None:
        posix.close(self)
