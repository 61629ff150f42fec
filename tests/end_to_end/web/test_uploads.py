"""Uploads attacked: forms without their token, bodies that never end, names that lead elsewhere, and bombs."""

import io
import json
import socket
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.support.web_pages import BOUNDARY, REQUESTS, WebPages, file_part, part, web_pages
from tests.end_to_end.web.test_guards import has_guarding_headers
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS

UPLOAD = "/import/upload"
HEADER = {"type": "header", "format": "lamella", "version": 1}
EXPORT = b"".join(json.dumps(each).encode() + b"\n" for each in (HEADER, {"type": "end"}))
PROJECT = b"---\nlamella: 1\ntype: project\nid: x-0000000000\nname: x\ncreated_at: 2026-01-01T00:00:00Z\n---\n"


@contextmanager
def watched(site: WebPages, folder: Path) -> Iterator[None]:
    """Fail if a file appears or grows anywhere below a folder, or a page of memories changes."""

    def seen() -> tuple[dict[Path, int], str]:
        files = {each: each.stat().st_size for each in folder.rglob("*") if each.is_file()}
        return {file: size for file, size in files.items() if ".db" not in file.name}, site.ask("/").body

    before = seen()
    yield
    assert seen() == before


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder around the data directory of `pages`."""
    return tmp_path_factory.mktemp("uploads")


@pytest.fixture(scope="module")
def pages(folder: Path) -> Iterator[WebPages]:
    """Return a server that has let us in, and reads small files only. The tests here share it."""
    (folder / "here").mkdir()
    limits = {"web.guards.uploads.MAX_BYTES": 100_000, "web.archive.MOST_FILE_BYTES": 50_000}
    limits |= {"web.archive.MOST_BYTES": 80_000, "web.archive.MOST_FILES": 20}
    with web_pages(folder / "data", folder / "here", limits=limits) as pages:
        yield pages.enter()


def zipped(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


@cases
def test_no_file_is_taken_before_the_token(
    pages: WebPages, folder: Path, parts: Callable[[str], Sequence[bytes]]
) -> None:
    with watched(pages, folder):
        answer = pages.post_parts(UPLOAD, parts(pages.form_token()))
        assert (answer.status, has_guarding_headers(answer)) == (403, True)
        answer = pages.post_parts(f"{UPLOAD}?form_token={pages.form_token()}", [file_part(EXPORT, "a")])
        assert answer.status == 403


@cases
def test_a_file_from_elsewhere_or_of_another_kind_is_refused(
    pages: WebPages, folder: Path, headers: dict[str, str | None], status: int
) -> None:
    with watched(pages, folder):
        answer = pages.upload(UPLOAD, EXPORT, "export", **headers)
        assert (answer.status, has_guarding_headers(answer)) == (status, True)


def test_a_body_without_a_length_is_cut_where_it_is_too_large(pages: WebPages, folder: Path) -> None:
    token = pages.form_token()
    with watched(pages, folder):
        head = {"host": pages.host, "cookie": pages.cookie, "transfer-encoding": "chunked", "connection": "close"}
        head["content-type"] = f"multipart/form-data; boundary={BOUNDARY.decode()}"
        parts = (part(form_token=token), file_part(b"x" * 200_000, "a"))
        body = b"".join(b"--%b\r\n%b\r\n" % (BOUNDARY, each) for each in parts)
        chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        answer = pages.raw(pages.head("POST", UPLOAD, head) + chunks, "POST")
        assert (answer.status, "larger than 0 MB" in answer.text) == (413, True)
    assert pages.upload(UPLOAD, EXPORT).status == 200


@pytest.mark.parametrize("name", REQUESTS["upload_names"])
def test_the_name_of_a_file_leads_nowhere(pages: WebPages, folder: Path, name: str) -> None:
    with watched(pages, folder):
        answer = pages.upload(UPLOAD, EXPORT, name)
        assert (answer.status, "There is nothing new." in answer.text) == (200, True)


@pytest.mark.parametrize("name", ["../../evil.md", "/etc/evil.md", "a/../../evil.md", "evil\0.md", "C:\\evil.md"])
def test_the_names_in_an_archive_lead_nowhere(pages: WebPages, folder: Path, name: str) -> None:
    with watched(pages, folder):
        answer = pages.upload(UPLOAD, zipped((name, PROJECT), ("x/project.md", PROJECT)), "a.zip")
        assert answer.status in (200, 400)


def lying(content: bytes) -> bytes:
    """Return an archive whose file claims to be small."""
    archive = bytearray(zipped(("x/project.md", content)))
    for signature, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = archive.index(signature) + place
        archive[at : at + 4] = (100).to_bytes(4, "little")
    return bytes(archive)


def test_an_archive_without_files_is_an_empty_export(pages: WebPages) -> None:
    answer = pages.upload(UPLOAD, zipped(), "a.zip")
    assert (answer.status, "There is nothing new." in answer.text) == (200, True)


def test_a_file_that_cannot_be_used_is_named(pages: WebPages, folder: Path) -> None:
    with watched(pages, folder):
        answer = pages.upload(UPLOAD, zipped(("x/project.md", b"\xff\xfe")), "a.zip")
        assert (answer.status, "x/project.md: it is not UTF-8." in answer.text) == (200, True)


@cases
def test_bombs_and_what_is_no_export_are_refused(pages: WebPages, folder: Path, content: bytes, said: str) -> None:
    with watched(pages, folder):
        answer = pages.upload(UPLOAD, content, "a.zip")
        assert (answer.status, said in answer.text, has_guarding_headers(answer)) == (400, True, True), answer.text
    assert pages.upload(UPLOAD, EXPORT).status == 200


@cases
def test_forms_that_make_no_sense_are_refused(pages: WebPages, folder: Path, more: list[bytes]) -> None:
    with watched(pages, folder):
        parts = [part(form_token=pages.form_token()), file_part(EXPORT, "a"), *more]
        assert pages.post_parts(UPLOAD, parts).status in (400, 413)


def test_a_form_without_a_file_or_an_end_is_refused(pages: WebPages) -> None:
    token = part(form_token=pages.form_token())
    assert "Choose a file first." in pages.post_parts(UPLOAD, [token]).text
    assert "Choose a file first." in pages.post_parts(UPLOAD, [token, file_part(b"", "")]).text
    cut = pages.post_parts(UPLOAD, [token, file_part(EXPORT, "a")], content_length="250")
    assert cut.status == 400


@pytest.mark.parametrize("upload", ["", "x", "../../etc/passwd"])
def test_only_a_file_that_is_kept_is_imported(pages: WebPages, upload: str) -> None:
    assert pages.send("/import/file", upload=upload).status == 410


def test_a_slow_upload_is_cut(tmp_path: Path) -> None:
    limits = {"web.guards.uploads.UPLOAD_SECONDS": 0.2}
    with web_pages(tmp_path / "data", tmp_path, limits=limits) as pages:
        pages.enter()
        head = {"host": pages.host, "cookie": pages.cookie, "content-length": "1000"}
        head["content-type"] = f"multipart/form-data; boundary={BOUNDARY.decode()}"
        with socket.create_connection(("127.0.0.1", pages.port), timeout=HANG_SECONDS) as slow:
            slow.sendall(pages.head("POST", UPLOAD, head) + b"--lamella")
            assert slow.recv(65_536)[:12] == b"HTTP/1.1 408"
        assert pages.ask("/import").status == 200
