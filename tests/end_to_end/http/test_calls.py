"""Calls over HTTP: their project, session and author, and their rights."""

import json
import re
from pathlib import Path

import pytest

from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.http.conftest import Serving
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.http_server import HttpServer

UNNAMED = "No project is named. Send a project's name, such as the repository's, in the header Lamella-Project"


def ok(home: CommandLine, *arguments: str) -> str:
    """Run a command that succeeds, and return what it prints."""
    done = home.run(*arguments)
    assert done.code == 0, done.err
    return done.out


def token(home: CommandLine, *options: str) -> str:
    """Make an access token with a command."""
    found = re.search(r"lamella_\S+", ok(home, "token", "create", "--name", "laptop", *options))
    assert found is not None
    return found[0]


def test_projects_are_kept_apart_by_their_header(open_server: HttpServer) -> None:
    ours, theirs = open_server.caller("ours"), open_server.caller("caf\u00e9".encode().decode("latin-1"))
    assert not ours.call("save_memory", text="A zebra of ours.").failed
    assert theirs.call("recall", query="zebra").text.startswith("No memories found")
    assert "zebra" in open_server.caller("ours").call("recall", query="zebra").text


def test_a_project_that_is_not_named_is_asked_for_as_an_argument(open_server: HttpServer) -> None:
    anonymous = open_server.caller(None)
    schema = anonymous.tools()["recall"]["inputSchema"]
    assert schema["required"] == ["project"]
    assert "project" not in open_server.caller().tools()["recall"]["inputSchema"]["properties"]
    assert anonymous.call("save_memory", text="A gnu.", project="by argument").text.startswith("Memory saved")
    assert "gnu" in open_server.caller("by argument").call("recall", query="gnu").text
    missing = anonymous.call("recall", query="gnu")
    assert (missing.failed, missing.text) == (True, "The argument 'project' is required and must not be blank.")
    for asked in (
        anonymous.rpc("resources/read", uri="memory://observation/ffffffff"),
        anonymous.rpc("resources/list"),
        anonymous.rpc("prompts/get", name="recall"),
    ):
        assert UNNAMED in asked.content.decode()


def test_an_argument_that_the_header_makes_needless_is_unknown(open_server: HttpServer) -> None:
    refused = open_server.caller().call("recall", query="gnu", project="other")
    assert refused.text.startswith("Unknown argument 'project'")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "recall", "arguments": {"query": "gnu"}}),
        ("tools/call", {"name": "forget_all"}),
        ("tools/call", {"name": 3}),
        ("resources/read", {"uri": "memory://observation/ffffffff"}),
        ("prompts/get", {"name": "recall"}),
    ],
)
def test_without_progress_the_answer_is_that_of_an_sdk_session(
    open_server: HttpServer, method: str, params: dict[str, object]
) -> None:
    caller = open_server.caller()
    streamed = caller.rpc(method, **params, _meta={"progressToken": 1}).content
    assert json.loads(streamed.rpartition(b"data: ")[2]) == caller.rpc(method, **params).json


@pytest.mark.parametrize("headers", [{"lamella-project": "x" * 201}, {"lamella-session": "x" * 201}])
def test_long_headers_are_refused(open_server: HttpServer, headers: dict[str, str]) -> None:
    caller = open_server.caller()
    caller.headers |= headers
    refused = caller.call("recall")
    assert (refused.status, "at most 200 characters" in refused.json["error"]) == (400, True)


def test_sessions_are_those_of_the_header(open_server: HttpServer) -> None:
    first = open_server.caller("sessions", lamella_session="first")
    first.call("save_memory", text="An okapi.")
    assert "okapi" in first.call("recall", session_only=True).text
    assert (
        "okapi"
        not in open_server.caller("sessions", lamella_session="second").call("recall", session_only=True).text
    )
    without = open_server.caller("sessions").call("recall", session_only=True)
    assert (without.failed, "header Lamella-Session" in without.text) == (True, True)


def test_no_file_of_the_server_is_read(serve: Serving, tmp_path: Path) -> None:
    repository = Repository.made(tmp_path / "work")
    repository.write("main.c", "int secret_of_the_server;\n")
    repository.write(".env", "PASSWORD=hunter2hunter2\n")
    repository.commit()
    repository.write("main.c", "int another_secret;\n")
    with serve() as server:
        caller = server.caller()
        saved = caller.call("save_memory", text="About files.", paths=["main.c", ".env", "gone.c"])
        assert (saved.failed, "not found" in saved.text) == (False, False)
        full = caller.call("recall", query="files", detail="full").text
        assert "main.c +? -?" in full
        assert "secret" not in full
        assert "hunter2" not in full
        refused = [
            caller.call("save_memory", text="Out.", paths=[str(path)]).text
            for path in (tmp_path / "work/main.c", "/etc/passwd", "../data", "C:\\main.c")
        ]
        assert [text.partition("is ")[2][:8] for text in refused] == [
            "absolute",
            "absolute",
            "outside ",
            "absolute",
        ]


def test_who_may_only_read_changes_nothing(serve: Serving, home: CommandLine) -> None:
    reading, writing = token(home, "--read-only"), token(home)
    with serve("--toolset", "all") as server:
        reader, writer = server.caller(token=reading), server.caller(token=writing)
        saved = writer.call("save_memory", text="A zebra.").text
        id = re.findall(r"[0-9a-f-]{36}", saved)[0]
        offered = reader.tools()
        assert sorted(set(writer.tools()) - set(offered)) == ["forget", "granular_save_memory", "save_memory"]
        assert {each["annotations"]["readOnlyHint"] for each in offered.values()} == {True}
        assert "action" not in offered["recall"]["inputSchema"]["properties"]
        assert "purge" not in offered["recall"]["description"]
        told = reader.rpc(
            "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"}
        ).json["result"]["instructions"]
        assert "Nothing can be saved here." in told
        assert "save_memory" not in told
        before = reader.call("recall", id=id, detail="full").text
        for refused in (reader.call("save_memory", text="Not saved."), reader.call("forget", id=id)):
            assert (refused.status, "insufficient_scope" in refused.headers["www-authenticate"]) == (403, True)
        for action in ("purge", "restore"):
            assert reader.call("recall", id=id, action=action).failed
        assert reader.call("recall", id=id, detail="full").text == before
        nothing = server.caller("empty", token=reading).call("recall").text
        assert nothing == "No memories saved in this project yet."


def test_a_server_for_reading_lets_nobody_write(serve: Serving, home: CommandLine) -> None:
    admin = token(home, "--admin")
    with serve("--read-only") as server:
        assert list(server.caller(token=admin).tools()) == ["recall"]
        assert server.caller(token=admin).call("save_memory", text="Not saved.").failed


def test_a_token_of_one_project_leads_to_no_other(serve: Serving, home: CommandLine) -> None:
    everywhere, bound = token(home, "--author", "ada"), token(home, "--author", "ada", "--project", "ours")
    with serve("--toolset", "unified,granular") as server:
        server.caller("ours", token=everywhere).call("save_memory", text="A zebra of ours.")
        server.caller("theirs", token=everywhere).call("save_memory", text="A zebra of theirs.")
        server.caller("theirs", token=everywhere).call("save_memory", text="Zebras everywhere.", everywhere=True)
        caller = server.caller(None, token=bound)
        found = caller.call("recall", query="zebra").text
        assert ("of ours" in found, "theirs" in found, "everywhere" in found) == (True, False, False)
        assert "theirs" not in caller.call("granular_search", query="zebra").text
        assert caller.call("granular_search", query="zebra", projectId="theirs").text.startswith(
            "No project is known"
        )
        assert caller.call("save_memory", text="All.", everywhere=True).failed
        assert server.caller("theirs", token=bound).call("recall").text.startswith("No project is known")
        assert "of ours" in server.caller("ours", token=bound).call("recall").text


def test_the_author_is_that_of_the_token(serve: Serving, home: CommandLine) -> None:
    ada = token(home, "--author", "ada")
    with serve() as server:
        caller = server.caller(token=ada)
        id = re.findall(r"[0-9a-f-]{36}", caller.call("save_memory", text="By ada.").text)[0]
        caller.call("recall", id=id, action="purge")
        assert "ada" in ok(home, "log", "--project", "project")


def test_a_revoked_token_is_refused_as_soon_as_its_look_up_is_old(serve: Serving, home: CommandLine) -> None:
    secret = token(home)
    with serve(limits={"mcp.http.rates.KNOWN_SECONDS": 0.0}) as server:
        caller = server.caller(token=secret)
        assert caller.call("recall").status == 200
        id = re.findall(r"\b[0-9a-f]{8}", ok(home, "token", "list"))[0]
        ok(home, "token", "revoke", id)
        refused = caller.call("recall")
        assert (refused.status, refused.headers["www-authenticate"].partition(" ")[0]) == (401, "Bearer")
        assert server.caller().call("recall").status == 401


def test_a_storage_of_one_tenant_has_no_other(serve: Serving, home: CommandLine) -> None:
    assert home.run("token", "create", "--name", "x", "--tenant", "other").code == 1
    with serve() as server:
        assert server.end() == (0, server.logged())
