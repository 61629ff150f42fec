"""Search by meaning as clients meet it, with the real model: `search_memories`, and `recall` in its modes.

The tools word for word, and both eras of the protocol, are in `test_stories`.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import lamella
from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella.domain.call import Call
from lamella.settings import Settings
from lamella_adapters.embedders.minilm import own_folder
from lamella_adapters.process.system import SystemClock
from tests.end_to_end.support.base_install import base_install
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import Tools, started
from tests.minilm import minilm
from tests.waiting import until

INDENTING = "Anna likes indenting with tabs better than with spaces."
CACHE = "The cache key has the schema version in it since the outage of May."
DISK = "As there was no space left on the disk, the nightly job broke off."
TEXTS = (INDENTING, CACHE, DISK)

NO_EMBEDDER = (
    "Search by meaning is not available: no embedder configured. Install one and leave LAMELLA_EMBEDDER unset;"
    " `lamella status` says how."
)
BY_WORDS = (
    "Search by meaning is not available: no embedder configured. Search by words instead (mode 'auto'), or install"
    " one and leave LAMELLA_EMBEDDER unset; `lamella status` says how."
)


class Semantic(Tools):
    """The tools of a running server, as functions."""

    most_tokens = 2_000

    def save(self, *texts: str) -> None:
        """Save memories."""
        for text in texts:
            self.text("save_memory", text=text)

    def ready(self) -> None:
        """Waits until the embedder is loaded and all memories are embedded."""

        def finds_all() -> bool:
            failed, text = self.call("semantic_search_memories", query="anything")
            return not failed and "Not every memory can be found yet" not in text

        until(finds_all)


def serving(folder: Path, toolset: str = "unified,semantic", embedder: str | None = None) -> RawClient:
    """Start a server with this toolset and another that saves."""
    return started(
        folder, LAMELLA_TOOLSET=toolset, LAMELLA_EMBEDDER=f"onnx:{minilm()}" if embedder is None else embedder
    )


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Semantic]:
    """A server whose memories are embedded, of which only questions are asked."""
    with serving(tmp_path_factory.mktemp("embedded")) as client:
        semantic = Semantic(client)
        semantic.save(*TEXTS)
        semantic.ready()
        yield semantic


def test_recall_by_meaning_finds_what_no_word_was_asked_for(embedded: Semantic) -> None:
    question = "storage capacity exhausted"
    reply = embedded.text("recall", query=question, mode="semantic", limit=1)
    assert re.fullmatch(
        rf"\[1\] \w{{8}} \| {re.escape(DISK)} \| 0\.\d\d \| - \| \d{{4}}-\d\d-\d\d\n"
        r"---\n1 result\(s\) \| ~\d+ tokens \| detail: compact( \| weak match: try other words)?",
        reply,
    )
    assert f" | {DISK} | " in embedded.text("recall", query=question).split("\n")[0]
    assert embedded.refused("recall", query=question, mode="keyword") == (
        f"No memories found matching '{question}'. Try broader search terms or check the ID."
    )


def test_recall_searches_by_words_until_the_embedder_is_loaded(tmp_path: Path) -> None:
    question = "storage capacity exhausted"
    with serving(tmp_path) as client:
        fresh = Semantic(client)
        fresh.save(*TEXTS)
        for mode in ("auto", "semantic"):
            reply = fresh.text("recall", query="disk", mode=mode)
            # A process that gets little of a busy machine may see it loaded at once.
            assert reply.partition(" | detail: compact")[2] in (" | keyword only: the embedder is loading", "")
            assert f" | {DISK} | " in reply.split("\n")[0]
        until(lambda: not fresh.call("recall", query=question)[0])
        until(lambda: "keyword only" not in fresh.text("recall", query="disk"))
        for mode in ("auto", "semantic"):
            reply = fresh.text("recall", query=question, mode=mode, limit=1)
            assert f" | {DISK} | " in reply.split("\n")[0]
            assert reply.partition(" | detail: compact")[2] in ("", " | weak match: try other words")
        fresh.save("The proxy listens on port 8080.")
        port = {"query": "Which port does the proxy listen on?", "limit": 1}
        until(lambda: "listens on port 8080" in fresh.call("semantic_search_memories", **port)[1])


def test_an_installed_embedder_needs_no_set_up(tmp_path: Path) -> None:
    own_folder(tmp_path / "data").parent.mkdir(parents=True)
    own_folder(tmp_path / "data").symlink_to(minilm())
    with serving(tmp_path, embedder="") as client:
        fresh = Semantic(client)
        fresh.save(*TEXTS)
        until(lambda: DISK in fresh.call("recall", query="storage capacity exhausted")[1])


def test_without_an_embedder_only_who_asks_for_meaning_alone_is_told_how_to_get_one(tmp_path: Path) -> None:
    settings = {**base_install(tmp_path), "LAMELLA_TOOLSET": "unified,semantic"}
    with started(tmp_path, fresh=True, **settings) as client:
        semantic = Semantic(client)
        assert semantic.refused("semantic_search_memories", query="tabs") == NO_EMBEDDER
        semantic.save(INDENTING)
        assert semantic.refused("semantic_search_memories", query="tabs") == NO_EMBEDDER
        assert semantic.refused("recall", query="tabs", mode="semantic") == BY_WORDS
        assert semantic.text("recall", query="tabs").endswith(" | detail: compact")


def test_an_embedder_that_cannot_be_used_says_so_in_every_reply(tmp_path: Path) -> None:
    with serving(tmp_path, embedder="onnx:nowhere-at-all") as client:
        semantic = Semantic(client)
        semantic.save(INDENTING)
        error = (
            "Search by meaning cannot answer now: LAMELLA_EMBEDDER names a folder that does not exist."
            " Set it to onnx:FOLDER, a folder with model.onnx and tokenizer.json, or to onnx:ORGANISATION/NAME."
        )
        until(lambda: semantic.refused("semantic_search_memories", query="tabs") == error)
        assert semantic.text("recall", query="tabs").endswith(
            " | keyword only: LAMELLA_EMBEDDER names a folder that does not exist"
        )


def test_all_toolsets_together_share_one_memory(tmp_path: Path) -> None:
    with serving(tmp_path, toolset="all") as client:
        every = Semantic(client)
        assert every.text("save_memory", text=DISK, title="Disk").endswith("\nTitle: Disk")
        assert every.text("granular_save_memory", text=INDENTING).endswith(f"Text: {INDENTING}...")
        every.ready()
        assert json.loads(every.text("granular_search", query="tabs"))["results"][0]["snippet"] == INDENTING
        assert DISK in every.text(
            "semantic_search_memories", query="The job failed because the disk was full.", limit=1
        )
        assert every.text("conversation_recall", query="tabs") == 'No results found for "tabs".'
        assert every.text("recall", title="disk").startswith("[1] ")


def test_the_example_of_semantic_is_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Dates are embedded, so that percentages depend on them.
    monkeypatch.setattr(SystemClock, "now", lambda _: datetime(2026, 11, 20, tzinfo=UTC))
    page = Path(__file__).parents[3].joinpath("docs", "semantic.md").read_text("utf-8")
    (example,) = re.findall(r"```text\n(.*?)\n```", page, re.DOTALL)
    asked, _, reply = example.partition("\n\n")
    said = re.fullmatch(r'search_memories\(query="(.*)", limit=(\d)\)', asked)
    assert said
    settings = Settings(data_directory=tmp_path, storage="memory:", embedder=f"onnx:{minilm()}", patient=True)
    call = Call(directory=tmp_path)
    with running(settings) as lamella:
        for text in (
            *re.findall(r"\[\d\] .*\n(.*)", reply),
            "Anna likes indenting with tabs better than with spaces.",
        ):
            lamella.save(call, SaveRequest(text=text))
        answer = lamella.search_by_meaning(call, said[1], limit=int(said[2]))
    assert answer == reply


def test_the_first_question_of_a_program_waits_for_the_embedder(tmp_path: Path) -> None:
    with lamella.open_memory(tmp_path, data_directory=tmp_path, embedder=f"onnx:{minilm()}") as memory:
        memory.save(DISK)
        question = "storage capacity exhausted"
        assert "the nightly job broke off" in memory.recall(question).text
        alike = memory.similar(question)
        assert "the nightly job broke off" in str(alike)
        assert [hit.match for hit in alike.hits] == ["meaning"]
