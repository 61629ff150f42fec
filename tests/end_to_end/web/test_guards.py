"""Every guard of the pages, attacked over real sockets."""

import re
import socket
from pathlib import Path
from typing import Any

import pytest

from lamella_adapters.web.pages import ROUTES, UPLOADS
from lamella_adapters.web.tables import HEADERS
from tests.end_to_end.support.web_pages import REQUESTS, Answer, WebPages, titles, web_pages
from tests.end_to_end.web.visitor import fields
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS, until

PATHS = [*ROUTES, "/static/htmx.js", "/static/lamella.css", "/nothing", "/enter", "/favicon.ico"]
GETS = [path for path, methods in ROUTES.items() if "GET" in methods]
POSTS = [path for path, methods in ROUTES.items() if "POST" in methods]


def has_guarding_headers(answer: Answer) -> bool:
    held = {name: answer.headers.get(name.lower()) for name in HEADERS}
    return held == HEADERS and not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("host", [*REQUESTS["web_hosts"], None])
def test_a_foreign_host_is_refused_before_anything_else(site: WebPages, host: str | None) -> None:
    named = None if host is None else host.format(port=site.port)
    refused = [site.ask(path, host=named) for path in ("/", "/static/lamella.css", f"/enter?token={site.token}")]
    # Without the header the request is no HTTP/1.1 at all.
    assert {each.status for each in refused} == {421 if host is not None else 400}
    assert all(map(has_guarding_headers, refused))
    assert "ferry" not in "".join(each.body for each in refused)


def test_both_names_of_this_machine_are_answered(site: WebPages) -> None:
    assert [site.ask("/", host=f"{name}:{site.port}").status for name in ("127.0.0.1", "localhost")] == [200, 200]


@pytest.mark.parametrize("headers", REQUESTS["web_headers"])
def test_a_request_of_another_page_is_refused(site: WebPages, headers: dict[str, str]) -> None:
    sent: dict[str, Any] = {name: value.format(host=site.host) for name, value in headers.items()}
    before = site.ask("/").body
    form = {"form_token": site.form_token(), "id": site_ids(site)}
    answers = [site.ask("/", **sent), site.ask("/enter?token=x", **sent)]
    answers += [site.ask(path, method="POST", form=form, **sent) for path in POSTS]
    answers.append(site.ask("/", method="OPTIONS", **sent, access_control_request_method="POST"))
    assert {each.status for each in answers} == {403}
    assert all(map(has_guarding_headers, answers))
    assert site.ask("/").body == before


@pytest.mark.parametrize("headers", REQUESTS["web_own_headers"])
def test_forms_of_our_own_pages_are_taken(site: WebPages, headers: dict[str, str]) -> None:
    sent: dict[str, Any] = {name: value.format(host=site.host) for name, value in headers.items()}
    form = {"form_token": site.form_token(), "id": "ffffffff"}
    assert site.ask("/purge", method="POST", form=form, **sent).status == 303


def site_ids(site: WebPages) -> list[str]:
    return [link.partition("id=")[2] for link in site.ask("/search").links()]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_nothing_is_shown_to_who_has_no_cookie(locked: WebPages, method: str) -> None:
    form = {"id": "x", "form_token": ""} if method == "POST" else None
    for path in PATHS:
        for cookie in (None, f"lamella-{locked.port}=", f"lamella-{locked.port}=x", "lamella=x; other=1"):
            answer = locked.ask(path, method=method, form=form, cookie=cookie)
            assert (answer.status, "ferry" in answer.body, has_guarding_headers(answer)) == (403, False, True)


def test_the_token_works_once_and_is_gone_from_the_address(fresh: WebPages) -> None:
    assert fresh.ask("/enter?token=wrong").status == 403
    assert fresh.ask("/enter").status == 403
    assert fresh.ask(f"/enter?token={fresh.token}", method="HEAD").status == 403
    answer = fresh.ask(f"/enter?token={fresh.token}")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert re.fullmatch(
        rf"lamella-{fresh.port}=[\w-]{{43}}; HttpOnly; Path=/; SameSite=Strict", cookie, re.IGNORECASE
    )
    assert fresh.token not in cookie
    replayed = fresh.ask(f"/enter?token={fresh.token}")
    assert (replayed.status, "set-cookie" in replayed.headers) == (403, False)
    fresh.cookie = cookie.partition(";")[0]
    assert fresh.ask("/").status == 200
    # A browser that opens the link again is known already.
    assert fresh.ask(f"/enter?token={fresh.token}").status == 303


@pytest.mark.parametrize("path", [each for each in POSTS if each not in UPLOADS])
def test_no_form_is_taken_without_its_token(site: WebPages, path: str) -> None:
    before = site.ask("/search?purged=with").body
    fields = {"id": site_ids(site), "sure": "yes", "title": "x", "text": "x"}
    answers = [
        site.ask(path, method="POST", form=fields),
        site.ask(path, method="POST", form={**fields, "form_token": ""}),
        site.ask(path, method="POST", form={**fields, "form_token": "0" * 64}),
        site.ask(f"{path}?form_token={site.form_token()}", method="POST", form=fields),
    ]
    assert {each.status for each in answers} == {403}
    assert all(map(has_guarding_headers, answers))
    assert site.ask("/search?purged=with").body == before


def test_the_token_of_forms_belongs_to_the_cookie(site: WebPages, fresh: WebPages) -> None:
    fresh.enter()
    refused = fresh.ask("/purge", method="POST", form={"form_token": site.form_token(), "id": site_ids(fresh)})
    assert refused.status == 403


def test_a_form_of_an_earlier_server_is_saved_in_its_own_project(tmp_path: Path) -> None:
    """Cases: the project of the form has memories; it has none yet; it never gets any."""
    data, homes = tmp_path / "data", [tmp_path / each for each in ("first", "second", "third")]
    for home in homes:
        home.mkdir()
    with web_pages(data, homes[0]) as pages:
        empty = fields(pages.enter().ask("/new"))
        pages.send("/new", text="begun")
        filled = fields(pages.ask("/new"))
    with web_pages(data, homes[2]) as pages:
        nowhere = fields(pages.enter().ask("/new"))
    with web_pages(data, homes[1]) as pages:
        own = fields(pages.enter().ask("/new"))
        for number, form in enumerate((filled, empty, own)):
            old = {**form, "text": f"late {number}", "form_token": "0" * 64}
            refused = pages.ask("/new", method="POST", form=old)
            assert (refused.status, "If your text is below, try again" in refused.text) == (403, True)
            assert pages.send("/new", **fields(refused)).status == 303
        refused = pages.send("/new", **{**nowhere, "text": "lost"})
        assert (refused.status, "No project is known as" in refused.text) == (404, True)
        assert fields(refused) == fields(pages.send("/new", **fields(refused)))
        assert titles(pages.ask("/search")) == ["late 2"]
    with web_pages(data, homes[0]) as pages:
        assert titles(pages.enter().ask("/search")) == ["late 1", "late 0", "begun"]


def test_other_kinds_of_bodies_and_large_ones_are_refused(site: WebPages) -> None:
    token = site.form_token()
    kinds = ["application/json", "text/plain", "multipart/form-data; boundary=x", ""]
    assert [
        site.ask("/purge", method="POST", form={"form_token": token}, content_type=kind).status for kind in kinds
    ] == [415] * 4
    large = site.ask("/purge", method="POST", form={"form_token": token, "text": "x" * 1_100_000})
    assert (large.status, has_guarding_headers(large), "shorten its text" in large.text) == (413, True, True)
    many = site.ask("/purge", method="POST", form={"form_token": token, "id": ["x"] * 600})
    assert (many.status, "more than 500 fields" in many.text) == (400, True)


def test_a_get_changes_nothing(site: WebPages) -> None:
    state = ("/search?purged=with", "/projects", "/conversations", "/shown")
    ids, before = site_ids(site), [site.ask(each).body for each in state]
    given = f"id={ids[0]}&sure=yes&old=ferry&new=museum&title=x&text=x&form_token={site.form_token()}"
    for path in GETS:
        for target in (path, f"{path}?{given}"):
            for method in ("GET", "HEAD"):
                assert site.ask(target, method=method).status in (200, 303, 400, 404)
    assert [site.ask(each).body for each in state] == before


@pytest.mark.parametrize("path", sorted({*POSTS} - {*GETS}))
def test_what_changes_something_cannot_be_had_by_get(site: WebPages, path: str) -> None:
    answer = site.ask(f"{path}?id={site_ids(site)[0]}&sure=yes")
    assert (answer.status, has_guarding_headers(answer)) == (405, True)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_other_methods_are_refused(site: WebPages, method: str) -> None:
    answer = site.ask("/", method=method)
    assert (answer.status in (400, 405), has_guarding_headers(answer)) == (True, True)


@pytest.mark.parametrize("target", REQUESTS["web_paths"])
def test_tricks_with_paths_lead_nowhere(site: WebPages, target: str) -> None:
    answer = site.ask(target)
    assert (answer.status, "There is no such page." in answer.text) == (404, True)
    assert has_guarding_headers(answer)


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "..", "a\0b", "~/.ssh/id_rsa", "ferry/../../x"]
)
def test_no_path_of_a_file_leaves_the_project(site: WebPages, path: str) -> None:
    for page in ("/file", "/search"):
        answer = site.ask(f"{page}?path={path}".replace("\0", "%00"))
        assert (answer.status in (200, 400), "root:" in answer.body) == (True, False)


@cases
def test_what_is_no_http_is_refused_with_every_header(site: WebPages, request_: bytes) -> None:
    answer = site.raw(request_)
    assert (answer.status, has_guarding_headers(answer)) == (400, True)
    assert site.ask("/").status == 200


def test_an_upgrade_to_a_socket_is_no_way_in(site: WebPages) -> None:
    answer = site.ask(
        "/", connection="Upgrade", upgrade="websocket", sec_websocket_key="dGhlIHNhbXBsZSBub25jZQ==", cookie=None
    )
    assert answer.status == 403


def test_slow_requests_are_cut(tmp_path: Path) -> None:
    limits = {"connections.HEAD_SECONDS": 0.2, "web.guards.forms.FORM_SECONDS": 0.2}
    with web_pages(tmp_path / "data", tmp_path, limits=limits) as pages:
        # Whoever is slow because the machine is busy is cut too.
        attack_slowly(until(pages.enter))


def attack_slowly(site: WebPages) -> None:
    form = f"POST /purge HTTP/1.1\r\nHost: {site.host}\r\nCookie: {site.cookie}\r\nContent-Length: 100\r\n"
    form += "Content-Type: application/x-www-form-urlencoded\r\n\r\nid="
    # The server closes the connections of slow heads, and answers the slow form.
    assert [answered(site, begun) for begun in ("", "GET / HTTP/1.1\r\nHost:")] == [b"", b""]
    until(lambda: answered(site, form)[:12] == b"HTTP/1.1 408")
    until(lambda: site.ask("/").status == 200)


def answered(site: WebPages, begun: str) -> bytes:
    with socket.create_connection(("127.0.0.1", site.port), timeout=HANG_SECONDS) as connection:
        connection.sendall(begun.encode())
        return connection.recv(65_536)


def test_only_this_machine_can_connect(site: WebPages) -> None:
    listed = Path("/proc/net/tcp").read_text("ascii") if Path("/proc/net/tcp").exists() else ""
    listening = [line.split()[1] for line in listed.splitlines()[1:] if line.split()[3] == "0A"]
    assert {each for each in listening if each.endswith(f":{site.port:04X}")} <= {f"0100007F:{site.port:04X}"}


def test_the_server_ends_when_nobody_looks(tmp_path: Path) -> None:
    with web_pages(tmp_path / "data", tmp_path, "--idle", "0.001") as pages:
        assert pages.process.wait() == 0


def test_ctrl_c_ends_it_without_a_word(fresh: WebPages) -> None:
    assert fresh.enter().end() == (0, b"")
