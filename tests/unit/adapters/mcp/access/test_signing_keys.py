"""When keys are fetched: seldom, soon enough, and never because a stranger wants it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import Event
from typing import Any

import pytest
from attrs import define, field

from lamella_adapters.mcp.http.access.authenticator import ProviderUnreachableError
from lamella_adapters.mcp.http.access.signing_keys import FRESH_SECONDS, STALE_SECONDS, WAIT_SECONDS, SigningKeys
from tests.unit.adapters.mcp.access.issuer import ec_key, published
from tests.waiting import HANG_SECONDS


@define
class Provider:
    """A provider with named keys, which is there or not, and a clock."""

    kids: list[str] = field(factory=lambda: ["one"])
    is_there: bool = True
    fetched: int = 0
    now: float = 1000.0

    def fetch(self) -> Sequence[dict[str, Any]]:
        self.fetched += 1
        if not self.is_there:
            raise ProviderUnreachableError(reason="It is away.", advice="Try again.")
        return [published(ec_key(), kid=kid) for kid in self.kids]

    @cached_property
    def keys(self) -> SigningKeys:
        return SigningKeys(self.fetch, lambda: self.now)

    def knows(self, kid: str) -> bool:
        return self.keys.find(kid, "ES256") is not None


def test_keys_are_fetched_once_used_for_a_while_and_refused_once_they_are_withdrawn() -> None:
    provider = Provider()
    assert [provider.knows("one") for _ in range(100)] == [True] * 100
    provider.now += FRESH_SECONDS - 1
    assert (provider.knows("one"), provider.fetched) == (True, 1)
    provider.kids = ["two"]
    provider.now += 1
    assert (provider.knows("one"), provider.knows("two"), provider.fetched) == (False, True, 2)


def test_a_new_key_is_fetched_when_a_token_names_it() -> None:
    provider = Provider()
    assert provider.knows("one")
    provider.kids = ["one", "two"]
    provider.now += WAIT_SECONDS
    assert (provider.knows("two"), provider.fetched) == (True, 2)


def test_unknown_keys_cost_the_provider_one_request_in_a_while() -> None:
    provider = Provider()
    for fetched in (1, 2):
        assert not any(provider.knows(f"invented {number}") for number in range(1000))
        assert provider.fetched == fetched
        provider.now += WAIT_SECONDS


def test_known_keys_are_used_while_the_provider_is_away_but_not_for_ever() -> None:
    provider = Provider()
    assert provider.knows("one")
    provider.is_there = False
    provider.now += FRESH_SECONDS
    assert all(provider.knows("one") for _ in range(100))
    assert provider.fetched == 2
    provider.now += STALE_SECONDS - FRESH_SECONDS
    with pytest.raises(ProviderUnreachableError):
        provider.knows("one")
    provider.is_there = True
    provider.now += WAIT_SECONDS
    assert provider.knows("one")


def test_a_provider_that_was_never_there_is_not_asked_by_each_request() -> None:
    provider = Provider(is_there=False)
    for _ in range(100):
        with pytest.raises(ProviderUnreachableError):
            provider.knows("one")
    assert provider.fetched == 1
    provider.is_there = True
    provider.now += WAIT_SECONDS
    assert provider.knows("one")


def test_a_provider_that_hangs_holds_up_one_thread_while_keys_are_known() -> None:
    asked, goes_on = Event(), Event()

    class Hanging(Provider):
        def fetch(self) -> Sequence[dict[str, Any]]:
            if self.fetched:
                asked.set()
                assert goes_on.wait(HANG_SECONDS)
            return super().fetch()

    provider = Hanging()
    assert provider.knows("one")
    provider.now += FRESH_SECONDS
    with ThreadPoolExecutor(1) as threads:
        held = threads.submit(provider.knows, "one")
        assert asked.wait(HANG_SECONDS)
        assert [provider.knows("one") for _ in range(10)] == [True] * 10
        assert not held.done()
        goes_on.set()
        assert held.result(HANG_SECONDS)


def test_keys_that_share_an_id_are_unused_and_only_the_first_hundred_are_read() -> None:
    assert not Provider(["one", "one"]).knows("one")
    provider = Provider([str(number) for number in range(200)])
    assert (provider.knows("99"), provider.knows("100")) == (True, False)
