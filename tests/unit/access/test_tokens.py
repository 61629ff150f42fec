from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
from attrs import define, evolve, field

from lamella.application.access.tokens import (
    NOTED_AFTER,
    CreateToken,
    GrantOf,
    RevokeToken,
    RotateToken,
    TokenRequest,
)
from lamella.domain.access.errors import TokenInvalidError, UnknownTokenError
from lamella.domain.access.grant import Grant, Scope, scopes_named
from lamella.domain.access.token import AccessToken, digest_of, new_secret
from lamella.domain.errors import AmbiguousProjectError, InvalidValueError, StorageReadOnlyError
from lamella.domain.privacy.redaction import redact
from lamella.domain.projects.project import Location
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from tests.unit.support.stand_ins import CountingIds, FixedClock
from tests.unit.support.tables import cases

DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)


@define(slots=False)
class Gate:
    """All use cases about access over one storage."""

    storage: InMemoryStorage = field(factory=InMemoryStorage)
    clock: FixedClock = field(factory=FixedClock)

    def __attrs_post_init__(self) -> None:
        self.create = CreateToken(self.storage, self.clock, CountingIds())
        self.list = partial(self.storage.access_tokens.all, self.storage.tenant)
        self.revoke = RevokeToken(self.storage, self.clock)
        self.rotate = RotateToken(self.create, self.revoke)
        self.grant_of = GrantOf(self.storage, self.clock)

    def refuses(self, secret: str) -> bool:
        try:
            self.grant_of(secret)
        except TokenInvalidError:
            return True
        return False


def test_who_is_refused_is_told_how_to_get_a_token() -> None:
    with pytest.raises(TokenInvalidError, match="Make a new one with: lamella token create"):
        Gate().grant_of("lam_unknown")


def test_a_token_gives_what_it_was_made_for() -> None:
    gate = Gate()
    new = gate.create(TokenRequest(name="laptop", tenant="acme", project="shop", author="Ada", scope=Scope.READ))
    (shop,) = gate.storage.of_tenant("acme").registry.all()
    assert gate.grant_of(new.secret) == Grant(
        tenant="acme", scopes=frozenset({Scope.READ}), project=shop.id, author="Ada", name="laptop 00000001"
    )


@cases
def test_a_scope_includes_earlier_ones(scope: Scope, held: frozenset[Scope], requested: tuple[Scope, ...]) -> None:
    assert (scope.held, scope.requested) == (held, requested)


@cases
def test_scopes_are_named_as_providers_write_them(named: list[str], held: frozenset[Scope]) -> None:
    assert scopes_named(named) == held


def test_a_secret_is_shown_once_and_redacted_everywhere() -> None:
    gate = Gate()
    new = gate.create(TokenRequest(name="laptop"))
    assert new.secret not in repr(new)
    assert new.secret not in repr(gate.storage.access_tokens.tokens)
    assert new.secret not in redact(f"export LAMELLA_TOKEN={new.secret} # {new.secret}")
    assert len(new.secret) == len("lamella_token_") + 64
    assert len({new_secret()[0] for _ in range(100)}) == 100


@cases
def test_a_guess_is_refused(guess: str) -> None:
    gate = Gate()
    gate.create(TokenRequest(name="laptop"))
    assert gate.refuses(guess)


def test_what_has_not_the_form_of_a_secret_asks_no_storage() -> None:
    assert digest_of("lamella_token_" + "g" * 64) is None
    assert digest_of(new_secret()[0].upper()) is None


def test_a_secret_that_differs_in_any_place_is_refused() -> None:
    gate = Gate()
    secret = gate.create(TokenRequest(name="laptop")).secret
    for place in range(len("lamella_token_"), len(secret)):
        other = "0" if secret[place] != "0" else "1"
        assert gate.refuses(secret[:place] + other + secret[place + 1 :])
    assert not gate.refuses(secret)


def test_a_token_expires_at_its_time() -> None:
    gate = Gate()
    new = gate.create(TokenRequest(name="laptop", lifetime=DAY))
    gate.clock.advance(DAY - MICROSECOND)
    assert not gate.refuses(new.secret)
    gate.clock.advance(MICROSECOND)
    assert gate.refuses(new.secret)


def test_a_token_that_is_revoked_is_refused_at_once_and_stays_listed() -> None:
    gate = Gate()
    new, other = (gate.create(TokenRequest(name=name)) for name in ("laptop", "desk"))
    assert gate.revoke("00000001").name == "laptop"
    assert (gate.refuses(new.secret), gate.refuses(other.secret)) == (True, False)
    assert [(each.name, each.revoked_at is None) for each in gate.list()] == [("laptop", False), ("desk", True)]


@pytest.mark.parametrize("lifetime", [None, 3 * DAY])
def test_a_token_is_replaced_by_one_with_its_rights_and_stays_valid_a_while(lifetime: timedelta | None) -> None:
    gate = Gate()
    request = TokenRequest(
        name="laptop", tenant="acme", project="shop", author="Ada", scope=Scope.READ, lifetime=lifetime
    )
    old = gate.create(request)
    gate.clock.advance(DAY)
    new = gate.rotate(old.token.id.hex, tenant="acme", keep=DAY)
    assert gate.grant_of(new.secret) == evolve(gate.grant_of(old.secret), name="laptop 00000002")
    assert new.token.expires_at == (lifetime and gate.clock.now() + lifetime)
    gate.clock.advance(DAY - MICROSECOND)
    assert not gate.refuses(old.secret)
    gate.clock.advance(MICROSECOND)
    assert (gate.refuses(old.secret), gate.refuses(new.secret)) == (True, False)


def test_a_token_is_revoked_by_any_spelling_of_its_id_and_for_its_tenant_only() -> None:
    gate = Gate()
    new = gate.create(TokenRequest(name="laptop", tenant="acme"))
    for asked in ("", "000", "0001", "laptop", str(new.token.id)):
        with pytest.raises(UnknownTokenError, match="lamella token list"):
            gate.revoke(asked)
    assert not gate.refuses(new.secret)
    assert gate.revoke(str(new.token.id).upper(), tenant="acme").revoked_at == gate.clock.now()


def test_of_two_tokens_that_an_id_could_mean_none_is_revoked() -> None:
    gate = Gate()
    for _ in range(2):
        gate.create(TokenRequest(name="laptop"))
    with pytest.raises(UnknownTokenError):
        gate.revoke("0000")
    assert {each.revoked_at for each in gate.list()} == {None}


def test_a_token_of_a_project_stays_with_it_whatever_is_called_like_it() -> None:
    gate = Gate()
    registry, now = gate.storage.registry, gate.clock.now()
    shop = registry.at(Location(key="/shop", name="shop", root=Path("/shop")), now=now)
    by_name, by_key = (gate.create(TokenRequest(name="laptop", project=asked)) for asked in ("shop", "/shop"))
    registry.at(Location(key="/other/shop", name="shop", root=Path("/other/shop")), now=now)
    for new in (by_name, by_key):
        assert gate.grant_of(new.secret).project == shop.id
    with pytest.raises(AmbiguousProjectError):
        gate.create(TokenRequest(name="laptop", project="shop"))


def test_a_use_is_noted_now_and_then() -> None:
    gate = Gate()
    new = gate.create(TokenRequest(name="laptop"))
    used: list[datetime | None] = []
    for _ in range(3):
        gate.grant_of(new.secret)
        used.append(gate.list()[0].used_at)
        gate.clock.advance(NOTED_AFTER / 2)
    start = used[0]
    assert start is not None
    assert used == [start, start, start + NOTED_AFTER]


def test_who_is_recognised_comes_in_although_the_use_cannot_be_noted() -> None:
    class Full(InMemoryAccessTokens):
        def note_use(self, id: UUID, *, tenant: str, now: datetime) -> None:
            raise StorageReadOnlyError(reason=f"{id} {tenant} {now}", advice="")

    gate = Gate()
    gate.storage.access_tokens = Full()
    new = gate.create(TokenRequest(name="laptop"))
    assert not gate.refuses(new.secret)


@cases
def test_a_request_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    gate = Gate()
    with pytest.raises(InvalidValueError):
        gate.create(TokenRequest(**{"name": "laptop", **wrong}))  # type: ignore[arg-type]
    assert not gate.storage.access_tokens.exist()


def test_a_name_cannot_deceive_who_reads_a_log() -> None:
    gate = Gate()
    new = gate.create(TokenRequest(name="ops\n2026-11-23 allowed \u202e"))
    assert gate.grant_of(new.secret).name == "ops 2026-11-23 allowed \\u{202E} 00000001"


def test_a_token_needs_scopes_of_the_right_type() -> None:
    with pytest.raises(InvalidValueError):
        AccessToken(id=UUID(int=1), name="x", scopes=["memory:read"], created_at=FixedClock().now())  # type: ignore[arg-type]
