"""Stories of `granular` and `semantic` as the SDK's client lives them, in both eras, word for word."""

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella.domain.call import Call as CallContext
from lamella.settings import Settings
from tests.end_to_end.support.tools import count
from tests.end_to_end.toolsets.eras import Call, Reply, refused, told
from tests.minilm import minilm
from tests.waiting import HANG_SECONDS

GONE = "00000000-0000-4000-8000-000000000000"
SECRET = "ghp_" + "a1B2" * 9
PORT = "The server listens on 8123; the proxy has 8080."
DEPLOY = "We deploy from main only, since the outage of May showed that branches are not what was tested before."
KEY = f"The key of the mail server is {SECRET}."
INDENTING = "Anna likes indenting with tabs better than with spaces."
LOADING = "Search by meaning cannot answer now: the embedder is loading. Try again in a few seconds."
SOON = ". Try again in a few seconds."


def compact(value: object) -> str:
    """JSON as it is printed."""
    return json.dumps(value, separators=(",", ":"))


def found(query: str, results: Sequence[object]) -> str:
    """The JSON of a search, which tells its own size."""
    answer = {"results": results, "totalCount": len(results), "query": query}
    estimate = next(n for n in range(2_000) if count(compact({**answer, "tokenEstimate": n})) == n)
    return compact({**answer, "tokenEstimate": estimate})


def test_the_story_of_granular(live: Callable[..., None]) -> None:
    def saved(text: str, beginning: str, *more: str) -> tuple[str, Reply]:
        """The id in the reply to a save, and what that reply is otherwise."""
        id = re.findall(r"\(id: (.{36})\)", text)[0]
        return id, told("\n".join([f"Memory saved (id: {id}). Text: {beginning}...", *more]))

    async def story(call: Call) -> None:
        assert await call("search", query="deploy") == told("No observations found matching 'deploy'.")
        empty = json.loads((await call("timeline")).blocks[0])
        assert empty == {
            "items": [],
            "anchor": empty["anchor"],
            "totalBefore": 0,
            "totalAfter": 0,
            "hasMore": False,
        }

        replies = [
            await call("save_memory", text=PORT),
            await call("save_memory", text=DEPLOY, source="decision"),
            await call("save_memory", text=KEY),
        ]
        redacted = KEY.replace(SECRET, "[redacted]")
        (port, first), (deploy, second), (key, third) = (
            saved(replies[0].blocks[0], PORT),
            saved(replies[1].blocks[0], DEPLOY[:80]),
            saved(replies[2].blocks[0], redacted, "Redacted: 1 secret(s)."),
        )
        assert replies == [first, second, third]

        listed = await call("search", query="mail", limit=5)
        (hit,) = json.loads(listed.blocks[0])["results"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", hit["createdAt"])
        assert hit["score"] > 0
        when = {key: hit["createdAt"]}
        result = {
            "id": key,
            "score": hit["score"],
            "snippet": redacted,
            "source": "manual",
            "createdAt": when[key],
        }
        assert listed == told(found("mail", [result]))

        def item(id: str, text: str, source: str = "manual") -> dict[str, Any]:
            return {
                "id": id,
                "text": text,
                "source": source,
                "sessionId": "the-session",
                "createdAt": when[id],
            }

        got = await call("get_observations", ids=[deploy, GONE, port])
        when |= {each["id"]: each["createdAt"] for each in json.loads(got.blocks[0])}
        assert when[port] <= when[deploy] <= when[key]
        assert got == told(
            compact(
                [
                    {**item(deploy, DEPLOY, "decision"), "updatedAt": when[deploy]},
                    {**item(port, PORT), "updatedAt": when[port]},
                ]
            ),
            compact({"not_found": [GONE]}),
        )
        assert await call("timeline", anchor=deploy, before=1, after=1) == told(
            compact(
                {
                    "items": [item(port, PORT), item(deploy, DEPLOY, "decision"), item(key, redacted)],
                    "anchor": deploy,
                    "totalBefore": 1,
                    "totalAfter": 1,
                    "hasMore": False,
                }
            )
        )

        assert await call("forget", id=deploy) == told(
            f"Memory forgotten (id: {deploy}). It has been removed from search but can be recovered."
        )
        assert await call("forget", id=deploy) == told(f"Observation {deploy} was already forgotten.")
        assert await call("search", query="outage") == told("No observations found matching 'outage'.")
        assert await call("get_observations", ids=[deploy]) == told("No observations found for the provided IDs.")

        gone = refused(f"No observation found with id: {GONE}")
        assert [await call("forget", id=GONE), await call("timeline", anchor=GONE)] == [gone, gone]

    live("granular", story)


def days(reply: Reply) -> Reply:
    """`reply` with `TODAY` for the present day, which may have begun while the story was lived."""
    return Reply(tuple(re.sub(r"(?<=match, )\d+/\d+/\d{4}(?=\))", "TODAY", block) for block in reply.blocks))


def test_the_story_of_semantic(live: Callable[..., None], tmp_path: Path) -> None:
    async def story(call: Call) -> None:
        question = "Does Anna prefer tabs or spaces for indenting?"
        assert await call("search_memories", query=question) == told("No relevant memories found for that query.")
        # By another program: this toolset has no tool that saves.
        context = CallContext(directory=tmp_path)
        with running(Settings(data_directory=tmp_path / "data")) as lamella:
            for text in (INDENTING, PORT):
                lamella.save(context, SaveRequest(text=text))
        reply = await call("search_memories", query=question)
        assert reply == refused(LOADING) or not reply.failed
        with anyio.fail_after(HANG_SECONDS):
            while reply.failed:
                assert reply.blocks[0].endswith(SOON)
                await anyio.sleep(0.05)
                reply = await call("search_memories", query=question)
        days_of_reply = re.findall(r"match, (\d+/\d+/\d{4})", reply.blocks[0])
        (unrelated,) = re.findall(r"\[2\] \((\d)% match", reply.blocks[0])
        both = (
            "Found 2 relevant memories:\n\n"
            f"[1] (100% match, TODAY)\n{INDENTING}\n\n[2] ({unrelated}% match, TODAY)\n{PORT}"
        )
        assert days(reply) == told(both)
        assert set(days_of_reply) <= {f"{day:%-m/%-d/%Y}" for day in (began, datetime.now(UTC))}
        assert days(await call("search_memories", query=question, limit="50", days_back=1)) == told(both)
        assert days(await call("search_memories", query=question, limit=1)) == told(
            f"Found 1 relevant memories:\n\n[1] (100% match, TODAY)\n{INDENTING}"
        )

    began = datetime.now(UTC)
    live("semantic", story, LAMELLA_EMBEDDER=f"onnx:{minilm()}")
