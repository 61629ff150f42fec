"""What both kinds of model are read from."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from tokenizers import Tokenizer

_DIGEST_BYTES = 6
"""Enough to tell the few models apart that one project ever has; the name of a model is seen by people."""


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer in a file, which fills no text up; whether it cuts long ones is as the file says.

    Raises:
        OSError: there is no such file.
        ValueError: it holds no tokenizer.
    """
    definition = path.read_bytes()
    try:
        tokenizer = Tokenizer.from_buffer(definition)
    except Exception as error:  # the package raises nothing more specific
        raise ValueError from error
    tokenizer.no_padding()
    return tokenizer


def digest_of(paths: Iterable[Path]) -> str:
    """A short digest of the contents of some files, in the order given.

    Raises:
        OSError: one can't be read.
    """
    whole = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for path in paths:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "blake2b").digest())
    return whole.hexdigest()
