"""Uploads of files. Only the last uploaded file is kept, without a name on disk, until the server ends."""

import asyncio
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, Self, cast

from attrs import define, field, frozen
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request

from lamella_adapters.web.guards.forms import Form, require_token

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_BYTES = 512 * 1024 * 1024
"""Maximum size of a file in bytes, enough for an export of a million memories."""

UPLOAD_SECONDS = 600.0
"""Time limit for receiving a file."""

FILE_FIELD = "file"
"""Field of the file. The token comes before the file, so without a token, nothing is stored."""

_MAX_FIELDS = 10
_MAX_FIELD_BYTES = 4096


@frozen
class Upload:
    """An uploaded file.

    Attributes:
        id: Id of the file, valid until the next upload.
        name: Name of the file on the user's machine, for display only.
        size: Size in bytes.
    """

    id: str
    name: str
    size: int


@define(eq=False)
class Uploads:
    """Store of the last uploaded file.

    Attributes:
        directory: The data directory. Files are on its disk.
    """

    directory: Path
    _upload: Upload | None = None
    _file: BinaryIO | None = None
    _lock: Lock = field(factory=Lock)

    def scratch(self) -> BinaryIO:
        """Return a new file for this process alone. It has no name, so a crash leaves nothing behind."""
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return cast("BinaryIO", tempfile.TemporaryFile(dir=self.directory))

    def keep(self, file: BinaryIO, name: str) -> Upload:
        """Keep a file, dropping the previous one."""
        kept = Upload(id=secrets.token_urlsafe(16), name=name, size=file.tell())
        with self._lock:
            self._close()
            self._upload, self._file = kept, file
        return kept

    @contextmanager
    def opened(self, id: str) -> Iterator[tuple[Upload, BinaryIO]]:
        """Open the file with an id at its beginning. The file can't be replaced until the block ends.

        Raises:
            HTTPException: The file is no longer kept.
        """
        with self._lock:
            if self._upload is None or self._file is None or self._upload.id != id:
                raise HTTPException(410, "The uploaded file has expired. Choose it again.")
            self._file.seek(0)
            yield self._upload, self._file

    def drop(self) -> None:
        """Drop the file."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._upload = self._file = None


async def read_upload(request: Request, cookie: str, uploads: Uploads) -> tuple[Form, Upload]:
    """Return the fields of a form with a file, and the stored file.

    Args:
        request: The request.
        cookie: Value of the admitted browser's cookie.
        uploads: Store for the file.

    Raises:
        HTTPException: The body isn't such a form, is too large or too slow, or lacks the token.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 1 <= len(boundary) <= 70:  # noqa: PLR2004 - RFC 2046
        raise HTTPException(415, "Send the file in a form of type multipart/form-data.")
    if int(request.headers.get("content-length", "0") or 0) > MAX_BYTES + _MAX_FIELDS * _MAX_FIELD_BYTES:
        raise _too_large()
    with _Parts(cookie, uploads) as parts:
        parser = MultipartParser(boundary, parts.callbacks())
        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                async for piece in request.stream():
                    parser.write(piece)
            parser.finalize()
        except TimeoutError:
            raise HTTPException(408, "The file took too long to arrive.") from None
        except FormParserError:
            raise HTTPException(400, "The form can't be read.") from None
        fields, file, name = parts.complete()
    # Wait for a running import, because it uses the previous file.
    return fields, await run_in_threadpool(uploads.keep, file, name)


@define(eq=False)
class _Parts:
    """Parts of a form during its upload: fields are kept in memory, the file on disk."""

    cookie: str
    uploads: Uploads
    _fields: dict[str, list[str]] = field(factory=dict)
    _headers: dict[bytes, bytes] = field(factory=dict)
    _header: bytearray = field(factory=bytearray)
    _value: bytearray = field(factory=bytearray)
    _name: str = ""
    _file: BinaryIO | None = None
    _file_name: str = ""
    _ended: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def callbacks(self) -> "MultipartCallbacks":
        """Return the parser's callbacks."""
        return {
            "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._begin,
            "on_part_data": self._take,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def complete(self) -> tuple[Form, BinaryIO, str]:
        """Return the fields, the file, and the name of the file. The caller must close the file.

        Raises:
            HTTPException: The form is incomplete.
        """
        require_token(self._fields, self.cookie)
        if not self._ended:
            raise HTTPException(400, "The form was cut off.")
        if self._file is None or not self._file.tell():
            raise HTTPException(400, "Choose a file first.")
        file, self._file = self._file, None
        return self._fields, file, self._file_name

    def _end_header(self) -> None:
        self._headers[bytes(self._header).lower()] = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _begin(self) -> None:
        _, options = parse_options_header(self._headers.pop(b"content-disposition", b""))
        self._headers.clear()
        self._name = options.get(b"name", b"").decode(errors="replace")
        if self._name == FILE_FIELD and self._file is None:
            require_token(self._fields, self.cookie)
            # Browsers send a plain name. If another client sends a path, it is only displayed.
            self._file_name = options.get(b"filename", b"").decode(errors="replace")[-200:]
            self._file = self.uploads.scratch()
        elif self._name in (FILE_FIELD, *self._fields) or len(self._fields) >= _MAX_FIELDS:
            raise HTTPException(400, "The form can't be read.")

    def _take(self, data: bytes, start: int, end: int) -> None:
        if self._name == FILE_FIELD and self._file is not None:
            if self._file.tell() + end - start > MAX_BYTES:
                raise _too_large()
            self._file.write(data[start:end])
            return
        self._value.extend(data[start:end])
        if len(self._value) > _MAX_FIELD_BYTES:
            raise HTTPException(413, "The form is too large.")

    def _end_part(self) -> None:
        if not self._name:
            raise HTTPException(400, "The form can't be read.")
        if self._name != FILE_FIELD:
            self._fields[self._name] = [self._value.decode(errors="replace")]
        self._value.clear()
        self._name = ""

    def _end(self) -> None:
        self._ended = True


def _too_large() -> HTTPException:
    most = MAX_BYTES // 1024**2
    return HTTPException(413, f"The file is larger than {most} MB. Import it with: lamella import FILE")
