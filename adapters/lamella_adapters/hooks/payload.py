"""JSON for hooks, without importing `json`."""

from _json import encode_basestring_ascii, make_scanner

from lamella_adapters.process.calls import posix

MAX_BYTES = 16 * 1024 * 1024
"""Maximum size of input to read. The report of an edit has the whole file, but clients edit no larger files."""

_PIECE_BYTES = 1024 * 1024

Json = dict[str, object]


def read_line(descriptor: int) -> bytes | None:
    """Return the first line without waiting for more input; None if the line is longer than `MAX_BYTES`.

    Raises:
        OSError: Reading failed.
    """
    pieces: list[bytes] = []
    size = 0
    while size <= MAX_BYTES:
        piece = posix.read(descriptor, _PIECE_BYTES)
        line, found, _ = piece.partition(b"\n")
        pieces.append(line)
        size += len(line)
        if found or not piece:
            return b"".join(pieces) if size <= MAX_BYTES else None
    return None


def parsed(line: bytes) -> Json | None:
    """Return the JSON object in a line; None if the line is anything else."""
    try:
        text = line.decode().strip()
        value, end = _scan(text, 0)
    except (ValueError, StopIteration, RecursionError, SystemError):
        # Python 3.11 raises SystemError for invalid JSON, because `json`, which defines the right error, isn't
        # imported.
        return None
    return value if isinstance(value, dict) and end == len(text) else None


def text_in(value: Json, key: str) -> str:
    """Return the text at `key`; empty text for any other value."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def object_in(value: Json, key: str) -> Json:
    """Return the object at `key`; an empty object for any other value."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects_in(value: Json, key: str) -> list[Json]:
    """Return the objects in the list at `key`."""
    found = value.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def as_json(value: Json) -> str:
    """Return an object of texts, numbers, lists and objects as JSON, on one line of ASCII characters."""
    return "{" + ", ".join(f"{_quoted(key)}: {_as_json(each)}" for key, each in value.items()) + "}"


def _as_json(value: object) -> str:
    if isinstance(value, dict):
        return as_json(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_as_json, value))}]"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    if not text.isascii():
        # Lone surrogates can't be encoded, and become U+FFFD.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return encode_basestring_ascii(text)


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


class _Reading:
    """Settings of the JSON scanner, as in the standard library, except that NaN and infinities are refused."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refused)


_scan = make_scanner(_Reading())  # type: ignore[arg-type] # any object with these attributes will do
