"""Files of both kinds of models: the tokenizer, and a digest of all files."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from tokenizers import Tokenizer

_DIGEST_BYTES = 6
"""Enough to distinguish the few models of a project, and short because people see the name of a model."""


def read_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer in a file, without padding; truncation stays as the file defines it.

    Raises:
        OSError: The file can't be read.
        ValueError: The file holds no tokenizer.
    """
    definition = path.read_bytes()
    try:
        tokenizer = Tokenizer.from_buffer(definition)
    except Exception as error:  # the package raises nothing more specific
        raise ValueError from error
    tokenizer.no_padding()
    return tokenizer


def digest_of(paths: Iterable[Path]) -> str:
    """Return a short digest of the contents of some files, in the given order.

    Raises:
        OSError: A file can't be read.
    """
    whole = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for path in paths:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "blake2b").digest())
    return whole.hexdigest()
