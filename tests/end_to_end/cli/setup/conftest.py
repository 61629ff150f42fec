"""A machine without clients, as in the unit tests of the command."""

from tests.unit.adapters.cli.setup.conftest import here, home, run

__all__ = ["here", "home", "run"]
