"""Fields of a record of an export, each read by its name and type."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from lamella.domain.errors import LamellaError
from lamella.domain.memories.observation import Metadata, is_metadata_name, stored_metadata
from lamella.domain.text.printing import read_time, well_formed

MAX_CHARACTERS = 10_000_000
"""Maximum length of an imported text. Only messages come near this length."""

SHORT_CHARACTERS = 100_000
"""Maximum length of imported ids, names, paths and titles."""

_MANY = 10_000
"""Maximum number of aliases of a project, or changes of a memory."""

_PROJECT_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
_KINDS: Mapping[type, str] = {str: "a text", int: "a whole number", list: "a list"}
_T = TypeVar("_T")


class InvalidRecordError(LamellaError):
    """A record of an export cannot be understood; the message says why."""


class Fields:
    """The fields of one object, each read by name and type."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = dict(fields)

    def text(self, name: str, most: int = SHORT_CHARACTERS) -> str:
        """Return the text in the required field `name`, of at most `most` characters."""
        text = self.maybe(name, most)
        if text is None:
            raise InvalidRecordError(f"`{name}` is missing")
        return text

    def maybe(self, name: str, most: int = SHORT_CHARACTERS) -> str | None:
        """Return the text in the optional field `name`; None if the field is missing."""
        text = self._read(name, str)
        if text is not None and len(text) > most:
            raise InvalidRecordError(f"`{name}` has {len(text)} characters, more than {most}")
        return None if text is None else well_formed(text)

    def one_of(self, name: str, values: Mapping[str, _T]) -> _T:
        """Return the value in `values` whose key is the text in the required field `name`."""
        text = self.text(name)
        if text not in values:
            raise InvalidRecordError(f"`{name}` is {text[:60]!r}, not one of {', '.join(values)}")
        return values[text]

    def project(self, name: str) -> str:
        """Return the field `name`, which must be the id of a project."""
        id = self.text(name)
        if not _PROJECT_ID.fullmatch(id):
            raise InvalidRecordError(f"`{name}` is {id[:60]!r}, not the id of a project")
        return id

    def id(self, name: str) -> UUID:
        """Return the field `name`, which must be the id of a memory."""
        text = self.text(name)
        try:
            return UUID(text)
        except ValueError:
            raise InvalidRecordError(f"`{name}` is {text[:60]!r}, not the id of a memory") from None

    def ids(self, name: str) -> tuple[UUID, ...]:
        """Return the list of ids in the optional field `name`.

        Raises:
            InvalidRecordError: An entry is not an id.
        """
        try:
            return tuple(map(UUID, self.each(name, str)))
        except ValueError as error:
            raise InvalidRecordError(f"`{name}` has an entry that is not an id") from error

    def marks(self, name: str) -> frozenset[bytes]:
        """Return the set of erasure marks in the field `name`, a list of hexadecimal texts.

        Raises:
            InvalidRecordError: The field isn't a list of hexadecimal texts.
        """
        try:
            return frozenset(map(bytes.fromhex, self.each(name, str)))
        except ValueError:
            raise InvalidRecordError(f"`{name}` is not a list of erasure marks (hexadecimal)") from None

    def metadata(self, name: str) -> Metadata:
        """Return metadata from the optional field `name`, a list of entries of the form `name=text`.

        Raises:
            InvalidRecordError: An entry is invalid.
        """
        entries = [each.partition("=") for each in self.each(name, str)]
        if not all(is_metadata_name(key) and equals for key, equals, _ in entries):
            raise InvalidRecordError(f"`{name}` has an entry that is not of the form name=text")
        return stored_metadata({key: text for key, _, text in entries})

    def time(self, name: str) -> datetime:
        """Return the time in the field `name`, in UTC."""
        text = self.text(name)
        try:
            return read_time(text)
        except (ValueError, OverflowError):
            raise InvalidRecordError(f"`{name}` is {text[:60]!r}, not a time") from None

    def number(self, name: str) -> int | None:
        """Return the whole number in the optional field `name`, which must be in the range of storages."""
        number = self._read(name, int)
        if number is not None and not 0 <= number < 2**63:
            raise InvalidRecordError(f"`{name}` is out of range")
        return number

    def each(self, name: str, kind: type[_T]) -> Sequence[_T]:
        """Return the values of the list in the field `name`; empty if the field is missing."""
        found = self._read(name, list) or []
        if len(found) > _MANY or any(type(each) is not kind for each in found):
            raise InvalidRecordError(f"`{name}` is not a list of at most {_MANY}")
        return found

    def has(self, name: str) -> bool:
        """Return True if a field is present."""
        return name in self.fields

    def require_all_read(self) -> None:
        """Check that all fields were read. A field that wasn't read is unknown to this version."""
        if self.fields:
            raise InvalidRecordError(f"the field {min(self.fields)[:60]!r} is not known")

    def _read(self, name: str, kind: type[_T]) -> _T | None:
        value = self.fields.get(name)
        if value is not None and type(value) is not kind:
            raise InvalidRecordError(f"`{name}` is not {_KINDS[kind]}")
        self.fields.pop(name, None)
        return value
