"""Recall of memories whose place another one took."""

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.domain.memories.errors import NothingFoundError, ReplacedError
from lamella.domain.memories.query import ById, ByIds, ByText, Recent
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import Desk, desk_with

OLD, NEW = "00000001", "00000002"


def corrected() -> Desk:
    """A desk on which the second memory replaced the first."""
    desk = desk_with("Ship on Friday.")
    desk.saving(SaveRequest(text="Ship on Monday.", title="Ship day", replaces=(OLD,)))
    return desk


def test_the_id_of_a_replaced_memory_leads_to_what_replaced_it() -> None:
    with pytest.raises(ReplacedError) as led:
        corrected().recall(ById(OLD))
    assert (
        str(led.value) == f"The memory {OLD} was replaced by {NEW} (Ship day). Recall that one, or restore {OLD}."
    )


@pytest.mark.parametrize("detail", Detail)
@pytest.mark.parametrize("selector", [ById(OLD), ByIds((OLD,)), ByText("Friday"), Recent()])
def test_a_replaced_memory_that_is_shown_says_what_replaced_it(
    selector: ById | ByIds | ByText | Recent, detail: Detail
) -> None:
    shown = corrected().recall(selector, detail, include_purged=True)
    assert shown.count(f" | replaced by {NEW} (Ship day)") == 1


def test_a_restore_takes_the_old_one_back() -> None:
    desk = corrected()
    desk.restore(desk.call, [OLD])
    assert "replaced by" not in desk.recall(ByIds((OLD, NEW)))


def test_what_replaced_it_may_be_erased() -> None:
    desk = corrected()
    desk.erase(desk.call, [NEW])
    with pytest.raises(NothingFoundError):
        desk.recall(ById(OLD))
