import pytest

from lamella.application.access.tenants import LimitTenant
from lamella.domain.access.quota import Quota, TenantSize
from lamella.domain.errors import InvalidValueError, QuotaExceededError
from lamella.domain.memories.observation import Draft
from lamella.domain.transactions.conversation_writes import AddMessages
from lamella.domain.transactions.other_writes import RememberErased
from lamella.domain.transactions.plan import Insert, Plan, admitted
from lamella_adapters.memory import InMemoryStorage
from tests.unit.capture.drains import EDIT, drained
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, numbered
from tests.unit.support.tables import cases

SAID = Draft(content="x").observed(id=numbered(1), project="p", sequence=1, now=DAWN, occurred_at=DAWN)
SAVE = Insert(observation=SAID, fingerprint=b"", request=None)
PLANS: dict[str, Plan] = {
    "save": (SAVE, SAVE),
    "say": (AddMessages(first=1, drafts=(), origin="p"),),
    "erase": (RememberErased(()),),
}


@cases
def test_what_a_quota_has_room_for_is_admitted(bounds: Quota, act: str, outcome: str) -> None:
    size = TenantSize("acme", memories=5, bytes=2_000, saves=3, quota=bounds)
    try:
        after = admitted(PLANS[act], size)
        said = f"{after.memories} memories, {after.saves} saves"
    except QuotaExceededError as error:
        said = str(error)
    assert said == outcome


def test_the_share_of_what_is_stored_is_shown() -> None:
    size = TenantSize("acme", memories=5, quota=Quota(memories=20, saves=0, calls=9))
    assert size.shares == {"memories": 0.25, "saves": 1}
    assert str(size.quota) == "20 memories, 0 saves a day, 9 calls a minute"


def test_bounds_change_one_by_one_before_a_tenant_has_memories() -> None:
    limit = LimitTenant(InMemoryStorage())
    limit("acme", memories=7, calls=5)
    bounded = TenantSize("acme", quota=Quota(saves=1, calls=5))
    assert limit("acme", memories=None, saves=1) == bounded
    assert limit.storage.tenants() == (bounded,)
    with pytest.raises(InvalidValueError):
        limit("", memories=1)


def test_a_capture_beyond_the_quota_waits_for_room() -> None:
    desk = Desk()
    desk.storage.limit_tenant(desk.storage.tenant, Quota(saves=1))
    desk.save("The first of the day.")
    capture = desk.spool.put(**EDIT)
    account = drained(desk)
    assert (account.left, type(account.trouble)) == (1, QuotaExceededError)
    assert capture.name in desk.spool.captures
    desk.storage.limit_tenant(desk.storage.tenant, Quota(saves=2))
    assert (drained(desk).done, desk.spool.captures) == (1, {})
