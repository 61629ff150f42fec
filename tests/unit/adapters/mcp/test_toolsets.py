import re
from itertools import permutations
from pathlib import Path

import pytest

from lamella.domain.errors import InvalidValueError
from lamella.domain.replies.budget import REPLY_CHARACTERS
from lamella_adapters.mcp.toolsets.registry import chosen, instructions
from lamella_adapters.mcp.toolsets.unified import Action
from lamella_adapters.process.start import TOOLSETS
from tests.end_to_end.clients.story import SEARCHES
from tests.unit.support.tables import cases

UNIFIED = ["save_memory", "recall"]
CONVERSATION = ["recall", "remember"]
GRANULAR = ["save_memory", "search", "get_observations", "timeline", "forget"]
SEMANTIC = ["search_memories"]
BESIDE = ["granular_save_memory", "granular_search", *GRANULAR[2:]]
"""Names of `granular` behind another toolset."""
ALL = [*UNIFIED, *BESIDE, "conversation_recall", "remember", "semantic_search_memories"]

OF_UNIFIED = Path(__file__).with_name("unified.txt").read_text("utf-8").rstrip("\n")
"""Instructions of the default toolset, word for word."""


@cases
def test_a_toolset_offers_its_tools_under_every_way_of_naming_it(names: str, offered: list[str]) -> None:
    assert list(chosen(names)) == offered


def test_only_the_first_toolset_keeps_names_that_others_have_and_those_of_searches() -> None:
    both = chosen("unified,granular")
    assert both["save_memory"].arguments is not both["granular_save_memory"].arguments


@pytest.mark.parametrize("names", ["granule", "unified,granule", "all,granule", "", ","])
def test_an_unknown_toolset_is_refused_with_the_known_ones(names: str) -> None:
    known = ", ".join([*TOOLSETS, "all"])
    with pytest.raises(InvalidValueError, match=rf"A toolset must be one of {known}, not '(granule|,|)'\."):
        chosen(names)


def test_the_model_is_told_how_to_use_the_default_tools() -> None:
    assert instructions("unified") == OF_UNIFIED


@pytest.mark.parametrize("names", [*TOOLSETS, "all", "conversation,unified", "granular, semantic"])
def test_the_model_is_told_of_the_tools_that_there_are_and_of_no_others(names: str) -> None:
    told = instructions(names)
    words = set(re.findall(r"\w+", told))
    assert set(chosen(names)) <= words
    assert {word for word in words if "_" in word or word == "recall"} <= set(chosen(names))
    assert ("detail=full" in told) == (names == "all" or "unified" in names)
    assert told.startswith(OF_UNIFIED.partition("\n\n")[0])
    assert told.endswith(OF_UNIFIED.rpartition("\n\n")[2])
    assert len(told) < 2_000


COMBINATIONS = [",".join(names) for count in (1, 2, len(TOOLSETS)) for names in permutations(TOOLSETS, count)]
"""At most two toolsets have a tool of one name: in the orders of all and of pairs there is every clash."""


@pytest.mark.parametrize("names", COMBINATIONS)
def test_texts_name_tools_as_they_are_registered_in_every_combination(names: str) -> None:
    for tool in chosen(names).values():
        texts = [tool.described, *(each["description"] for each in tool.schema["properties"].values())]
        assert "{" not in "".join(texts)
        mentioned = {word for text in texts for word in re.findall(r"\w+", text)}
        of_tools = {word for word in mentioned if "_" in word or word == "recall"}
        assert of_tools <= set(tool.registered.values())
        assert tool.name in tool.registered.values()


def test_a_tool_that_is_registered_under_another_name_is_named_so() -> None:
    def texts(names: str) -> tuple[str, str]:
        remember = chosen(names)["remember"]
        return remember.described.partition(" found")[0], remember.schema["properties"]["message_id"][
            "description"
        ]

    named = {names: texts(names) for names in ("conversation", "conversation,unified", "unified,conversation")}
    alone = ("Zoom into one message that recall", "Number of the message, from recall.")
    beside = ("Zoom into one message that conversation_recall", "Number of the message, from conversation_recall.")
    assert named == {"conversation": alone, "conversation,unified": alone, "unified,conversation": beside}


def test_the_longest_reply_is_announced_as_it_is() -> None:
    assert f"may have up to {REPLY_CHARACTERS:,} characters" in chosen("granular")["get_observations"].described


@pytest.mark.parametrize("phrase", SEARCHES)
def test_a_search_by_any_of_its_words_finds_both_tools(phrase: str) -> None:
    """So Droid searches for tools: a word is found in a name, or anywhere in a description."""
    texts = {name: f"lamella {name} {tool.described}".casefold() for name, tool in chosen("unified").items()}
    assert [name for name, text in texts.items() if any(word in text for word in phrase.split())] == UNIFIED


def test_every_query_asks_for_synonyms_and_one_topic() -> None:
    described = {
        name: tool.schema["properties"]["query"]["description"]
        for name, tool in chosen("all").items()
        if "query" in tool.schema["properties"]
    }
    sentence = (
        "A question or words. Any of them is enough: add synonyms and likely identifiers. One topic a call; if the"
        " match is weak, ask again in other words."
    )
    more = {"recall": f"{sentence} Or #tag, branch:name."}
    searches = ("granular_search", "conversation_recall", "semantic_search_memories")
    assert described == dict.fromkeys(searches, sentence) | more


@pytest.mark.parametrize("names", TOOLSETS)
@pytest.mark.parametrize("reading", [False, True])
def test_instructions_ask_for_synonyms(names: str, reading: bool) -> None:
    assert "add synonyms and likely identifiers" in instructions(names, reading=reading)


def test_what_readers_of_one_project_are_not_given_keeps_its_default() -> None:
    given = chosen("unified", reading=True)["recall"].arguments()
    assert (given.action, given.all_projects) == (Action.VIEW, False)
