import pytest
from attrs import evolve

from lamella.domain.errors import InvalidValueError
from lamella_adapters.mcp import toolsets, unified
from lamella_adapters.mcp.toolsets import chosen


def test_unified_offers_two_tools_under_every_way_of_naming_it() -> None:
    assert list(chosen("unified")) == ["save_memory", "recall"]
    assert list(chosen("all")) == list(chosen(" unified , unified ")) == ["save_memory", "recall"]


def test_the_first_toolset_keeps_a_name_and_a_later_one_says_whose_tool_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, recall = unified.TOOLS
    other = evolve(recall, title="Another Recall")
    monkeypatch.setattr(toolsets, "TOOLSETS", {"unified": unified.TOOLS, "other": (other,)})
    both = chosen("unified,other")
    assert list(both) == ["save_memory", "recall", "other_recall"]
    assert (both["other_recall"].name, both["other_recall"].title) == ("other_recall", "Another Recall")
    assert list(chosen("other,unified")) == ["recall", "save_memory", "unified_recall"]


@pytest.mark.parametrize("names", ["granule", "unified,granule", "", "unified,"])
def test_an_unknown_toolset_is_refused_with_the_known_ones(names: str) -> None:
    with pytest.raises(InvalidValueError, match=r"A toolset must be one of unified, all, not '(granule|)'\."):
        chosen(names)
