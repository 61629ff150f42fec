"""What a command of the command line works with."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve

from lamella.container import Lamella, Settings, running
from lamella.domain.errors import InvalidValueError
from lamella_adapters.environment import settings_from


def present_settings() -> Settings:
    """The settings of this process.

    Raises:
        InvalidValueError: the folder it stands in was deleted.
    """
    try:
        directory = Path.cwd()
    except FileNotFoundError:
        raise InvalidValueError(
            name="The working directory", given="one that was deleted", allowed="a folder that exists"
        ) from None
    return settings_from(os.environ, directory)


@contextmanager
def opened() -> Iterator[Lamella]:
    """The use cases, until the block ends.

    Raises:
        LamellaError: the settings or the storage don't allow it.
    """
    # Who waits at a terminal waits for the embedder too.
    with running(evolve(present_settings(), patient=True)) as lamella:
        yield lamella
