"""Metadata: strings by name, attached to a memory by programs."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import Attribute

from lamella.domain.text.printing import one_line, well_formed
from lamella.domain.validation import InvalidValueError, refuse_type

Metadata = Mapping[str, str]

MAX_ENTRIES, MAX_CHARACTERS = 20, 500
"""Maximum number of entries of a memory, and maximum length of a name or text."""


def stored_metadata(given: Metadata) -> Metadata:
    """Normalise metadata for storage: well-formed, names on one line. Invalid values are returned unchanged."""
    if not given or not _are_texts(given):
        return given
    return {one_line(well_formed(name)): well_formed(text) for name, text in given.items()}


def texts_by_name(_instance: object, attribute: "Attribute[Any]", given: object) -> None:
    """Require a mapping of strings to strings."""
    if not _are_texts(given):
        refuse_type(attribute.name, given, "a mapping of texts to texts")


def short_metadata(instance: object, attribute: "Attribute[Any]", given: Metadata) -> None:
    """Validate metadata, including its size."""
    texts_by_name(instance, attribute, given)
    if len(given) > MAX_ENTRIES or any(len(each) > MAX_CHARACTERS for pair in given.items() for each in pair):
        allowed = f"at most {MAX_ENTRIES} entries of at most {MAX_CHARACTERS} characters"
        raise InvalidValueError(name=attribute.name, given="more or longer ones", allowed=allowed)
    if not all(map(_is_name, given)):
        raise InvalidValueError(
            name=attribute.name, given="other values", allowed="texts by names that have no = and are not blank"
        )


def as_entries(metadata: Metadata) -> list[str]:
    """Format metadata as entries of an export, `name=text`."""
    return [f"{name}={text}" for name, text in metadata.items()]


def of_entries(entries: Iterable[str]) -> Metadata:
    """Parse entries of an export.

    Raises:
        ValueError: An entry has no name or no `=`.
    """
    parted = [each.partition("=") for each in entries]
    if not all(_is_name(name) and equals for name, equals, _ in parted):
        raise ValueError
    return stored_metadata({name: text for name, _, text in parted})


def _are_texts(given: object) -> bool:
    return isinstance(given, Mapping) and all(isinstance(each, str) for pair in given.items() for each in pair)


def _is_name(name: str) -> bool:
    return bool(name.strip()) and "=" not in name
