"""Reader for damaged SQLite files. It works page by page, and skips broken parts.

If a page of a tree is broken, SQLite can't read the rest of the tree. This reader checks each page and each row
individually. The file format is documented and stable: sqlite.org/fileformat2.html.
"""

from collections.abc import Iterator
from mmap import mmap

from attrs import define, field, frozen

Value = int | float | str | bytes | None

_INDEX_NODE, _TABLE_NODE, _INDEX_LEAF, _TABLE_LEAF = 0x02, 0x05, 0x0A, 0x0D
_NODES = (_INDEX_NODE, _TABLE_NODE)
_TABLE_PAGES = (_TABLE_NODE, _TABLE_LEAF)
_FILE_HEADER = 100
_NULL, _ZERO, _ONE, _FIRST_BLOB = 0, 8, 9, 12
# Sizes of values, keyed by serial type. Our tables have no floating-point numbers (type 7), and types 10 and 11
# are reserved.
_BYTES = {_NULL: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, _ZERO: 0, _ONE: 0}
_VARINT_BYTES, _SEVEN_BITS = 9, 0x7F


class _BrokenError(Exception):
    """Bytes of a page violate the file format."""


@frozen
class Record:
    """Row of a table, or entry of an index. Only rows of tables with rowids have a `rowid`."""

    values: tuple[Value, ...]
    rowid: int | None = None


@define
class Pages:
    """The pages of a database, including the contents of its write-ahead log."""

    _bytes: mmap
    _size: int = field(init=False)
    _usable: int = field(init=False)
    _count: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        # A page size of 65,536 does not fit into two bytes, and is stored as 1.
        size = int.from_bytes(self._bytes[16:18], "big")
        self._size = 65536 if size == 1 else size
        self._usable = self._size - self._bytes[20]
        self._count = len(self._bytes) // self._size

    def below(self, root: int, seen: set[int]) -> Iterator[Record]:
        """Yield the readable records in the tree of the page `root`. Add the tree's pages to `seen`."""
        kinds = _TABLE_PAGES if self._kind(root) in _TABLE_PAGES else (_INDEX_NODE, _INDEX_LEAF)
        mine = set[int]()
        waiting = [root]
        while waiting:
            number = waiting.pop()
            # A broken page may refer to a page of another kind, or to one of its own ancestors.
            if number not in mine and self._kind(number) in kinds:
                mine.add(number)
                records, branches = self._read(number)
                yield from records
                waiting += reversed(branches)
        seen |= mine

    def strays(self, known: set[int]) -> Iterator[Record]:
        """Yield the records of all pages that aren't in `known`.

        A page isn't in `known` if a page above it in its tree is broken. Deleted rows aren't found, because
        `secure_delete` has overwritten their bytes.
        """
        for number in range(1, self._count + 1):
            if number not in known and self._kind(number) in (_INDEX_NODE, _INDEX_LEAF, _TABLE_LEAF):
                yield from self._read(number)[0]

    def _kind(self, number: int) -> int | None:
        if not 1 <= number <= self._count:
            return None
        return self._bytes[(number - 1) * self._size + (_FILE_HEADER if number == 1 else 0)]

    def _read(self, number: int) -> tuple[list[Record], list[int]]:
        """Return the records on a page, and the numbers of its child pages, in tree order."""
        start = (number - 1) * self._size
        page = memoryview(self._bytes)[start : start + self._usable]
        header = _FILE_HEADER if number == 1 else 0
        kind = page[header]
        cells = header + (12 if kind in _NODES else 8)
        records, branches = list[Record](), list[int]()
        for place in range(cells, cells + 2 * _number(page, header + 3, 2), 2):
            at = _number(page, place, 2)
            if kind in _NODES and cells < at <= len(page) - 4:
                branches.append(_number(page, at, 4))
                at += 4
            if kind != _TABLE_NODE:
                try:
                    records.append(self._record(page, at, numbered=kind == _TABLE_LEAF))
                except (_BrokenError, LookupError, UnicodeDecodeError):
                    continue
        if kind in _NODES:
            branches.append(_number(page, header + 8, 4))
        return records, branches

    def _record(self, page: memoryview, at: int, *, numbered: bool) -> Record:
        size, at = _varint(page, at)
        rowid = None
        if numbered:
            rowid, at = _varint(page, at)
        return Record(_values(self._payload(page, at, size, numbered=numbered)), rowid)

    def _payload(self, page: memoryview, at: int, size: int, *, numbered: bool) -> bytes:
        """Return the `size` bytes of a record, including the part on overflow pages."""
        if not 0 < size <= len(self._bytes):
            raise _BrokenError
        most = self._usable - 35 if numbered else (self._usable - 12) * 64 // 255 - 23
        here = size
        if size > most:
            least = (self._usable - 12) * 32 // 255 - 23
            here = least + (size - least) % (self._usable - 4)
            here = here if here <= most else least
        payload = bytearray(page[at : at + here])
        if len(payload) < here:
            raise _BrokenError
        following = _number(page, at + here, 4) if here < size else 0
        while len(payload) < size:
            start = (following - 1) * self._size
            if not 0 < start < len(self._bytes) or not any(self._bytes[start : start + self._usable]):
                # A lost page is read as zeros. As text, zeros would be valid.
                raise _BrokenError
            room = min(size - len(payload), self._usable - 4)
            payload += self._bytes[start + 4 : start + 4 + room]
            following = _number(self._bytes, start, 4)
        return bytes(payload)


def _values(payload: bytes) -> tuple[Value, ...]:
    head, at = _varint(payload, 0)
    body = head
    values: list[Value] = []
    while at < head:
        kind, at = _varint(payload, at)
        length = (kind - _FIRST_BLOB) // 2 if kind >= _FIRST_BLOB else _BYTES[kind]
        values.append(_value(kind, payload[body : body + length]))
        body += length
    if (at, body) != (head, len(payload)):
        raise _BrokenError
    return tuple(values)


def _value(kind: int, content: bytes) -> Value:
    if kind >= _FIRST_BLOB:
        return content.decode() if kind % 2 else content
    if kind in (_ZERO, _ONE):
        return kind - _ZERO
    return None if kind == _NULL else int.from_bytes(content, "big", signed=True)


def _number(page: bytes | memoryview | mmap, at: int, length: int) -> int:
    return int.from_bytes(page[at : at + length], "big")


def _varint(page: bytes | memoryview | mmap, at: int) -> tuple[int, int]:
    """Return a variable-length integer of up to 64 bits, and the offset after it."""
    number, last = 0, at + _VARINT_BYTES - 1
    for place in range(at, last):
        number = number << 7 | page[place] & _SEVEN_BITS
        if page[place] <= _SEVEN_BITS:
            return number, place + 1
    number = number << 8 | page[last]
    return number - (number >> 63 << 64), last + 1
