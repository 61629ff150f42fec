"""When keys are fetched: seldom, soon enough, and never because a stranger wants it."""

from collections.abc import Sequence
from threading import Event, Thread
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

    def keys(self) -> SigningKeys:
        return SigningKeys(self.fetch, lambda: self.now)


def known(keys: SigningKeys, kid: str | None) -> bool:
    return keys.find(kid, "ES256") is not None


def test_keys_are_fetched_once_and_used_for_a_while() -> None:
    provider = Provider()
    keys = provider.keys()
    assert [known(keys, "one") for _ in range(100)] == [True] * 100
    provider.now += FRESH_SECONDS - 1
    assert known(keys, "one")
    assert provider.fetched == 1


def test_a_key_that_was_withdrawn_is_refused_after_a_while() -> None:
    provider = Provider()
    keys = provider.keys()
    assert known(keys, "one")
    provider.kids = ["two"]
    provider.now += FRESH_SECONDS
    assert (known(keys, "one"), known(keys, "two"), provider.fetched) == (False, True, 2)


def test_a_new_key_is_fetched_when_a_token_names_it() -> None:
    provider = Provider()
    keys = provider.keys()
    assert known(keys, "one")
    provider.kids = ["one", "two"]
    provider.now += WAIT_SECONDS
    assert (known(keys, "two"), provider.fetched) == (True, 2)


def test_unknown_keys_cost_the_provider_one_request_in_a_while() -> None:
    provider = Provider()
    keys = provider.keys()
    for number in range(1000):
        assert not known(keys, f"invented {number}")
    assert provider.fetched == 1
    provider.now += WAIT_SECONDS
    for number in range(1000):
        assert not known(keys, f"invented {number}")
    assert provider.fetched == 2


def test_known_keys_are_used_while_the_provider_is_away_but_not_for_ever() -> None:
    provider = Provider()
    keys = provider.keys()
    assert known(keys, "one")
    provider.is_there = False
    provider.now += FRESH_SECONDS
    for _ in range(100):
        assert known(keys, "one")
    assert provider.fetched == 2
    provider.now += STALE_SECONDS - FRESH_SECONDS
    with pytest.raises(ProviderUnreachableError):
        known(keys, "one")
    provider.is_there = True
    provider.now += WAIT_SECONDS
    assert known(keys, "one")


def test_a_provider_that_was_never_there_is_not_asked_by_each_request() -> None:
    provider = Provider(is_there=False)
    keys = provider.keys()
    for _ in range(100):
        with pytest.raises(ProviderUnreachableError):
            known(keys, "one")
    assert provider.fetched == 1
    provider.is_there = True
    provider.now += WAIT_SECONDS
    assert known(keys, "one")


def test_a_provider_that_hangs_holds_up_one_thread_while_keys_are_known() -> None:
    asked, goes_on, answered = Event(), Event(), Event()
    provider = Provider()

    def fetch() -> Sequence[dict[str, Any]]:
        if provider.fetched:
            asked.set()
            assert goes_on.wait(HANG_SECONDS)
        return provider.fetch()

    keys = SigningKeys(fetch, lambda: provider.now)
    assert known(keys, "one")
    provider.now += FRESH_SECONDS

    def ask() -> None:
        assert known(keys, "one")
        answered.set()

    held = Thread(target=ask)
    held.start()
    assert asked.wait(HANG_SECONDS)
    assert [known(keys, "one") for _ in range(10)] == [True] * 10
    assert not answered.is_set()
    goes_on.set()
    held.join(HANG_SECONDS)
    assert answered.is_set()


def test_two_keys_of_one_id_are_none() -> None:
    provider = Provider(["one", "one"])
    assert not known(provider.keys(), "one")


def test_no_more_than_a_hundred_keys_are_looked_at() -> None:
    provider = Provider([str(number) for number in range(200)])
    keys = provider.keys()
    assert (known(keys, "99"), known(keys, "100")) == (True, False)
