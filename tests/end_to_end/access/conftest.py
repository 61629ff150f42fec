"""The command line in a folder in which nothing was saved yet."""

from tests.end_to_end.cli.conftest import lamella

__all__ = ["lamella"]
