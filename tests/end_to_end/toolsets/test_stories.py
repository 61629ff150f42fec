"""Stories of `granular` and `semantic` as the SDK's client lives them, in both eras, word for word."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import anyio

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella.domain.call import Call as CallContext
from lamella.settings import Settings
from tests.end_to_end.toolsets.eras import Call, told
from tests.minilm import minilm
from tests.waiting import HANG_SECONDS

PORT = "The server listens on 8123; the proxy has 8080."
INDENTING = "Anna likes indenting with tabs better than with spaces."
LOADING = "Search by meaning cannot answer now: the embedder is loading. Try again in a few seconds."
QUESTION = "Does Anna prefer tabs or spaces for indenting?"
DAY = re.compile(r"(?<=match, )\d+/\d+/\d{4}(?=\))")


def test_the_story_of_granular(live: Callable[..., None]) -> None:
    live("granular", partial(told, "granular"))


def test_the_story_of_semantic(live: Callable[..., None], tmp_path: Path) -> None:
    async def found(call: Call, **arguments: object) -> str:
        failed, (text,) = await call("search_memories", query=QUESTION, **arguments)
        assert (failed, text) == (True, LOADING) or not failed
        return "" if failed else text

    async def story(call: Call) -> None:
        assert await found(call) == "No relevant memories found for that query."
        # By another program: this toolset has no tool that saves.
        context = CallContext(directory=tmp_path)
        with running(Settings(data_directory=tmp_path / "data")) as lamella:
            for text in (INDENTING, PORT):
                lamella.save(context, SaveRequest(text=text))
        both = ""
        with anyio.fail_after(HANG_SECONDS):
            while not both:
                await anyio.sleep(0.05)
                both = await found(call)
        # The present day may have begun while the story was lived.
        assert set(DAY.findall(both)) <= {f"{day:%-m/%-d/%Y}" for day in (began, datetime.now(UTC))}
        ours, theirs = DAY.sub("TODAY", both).split("\n\n[2] ")
        assert ours == f"Found 2 relevant memories:\n\n[1] (100% match, TODAY)\n{INDENTING}"
        assert re.fullmatch(rf"\(\d% match, TODAY\)\n{re.escape(PORT)}", theirs)
        assert await found(call, limit="50", days_back=1) == both
        first = ours.replace("Found 2", "Found 1")
        assert DAY.sub("TODAY", await found(call, limit=1)) == first

    began = datetime.now(UTC)
    live("semantic", story, LAMELLA_EMBEDDER=f"onnx:{minilm()}")
