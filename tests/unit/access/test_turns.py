"""Turns of calls, as a table of what happens and which calls begin."""

from lamella.domain.access.turns import Turns
from tests.unit.support.tables import cases


@cases
def test_calls_begin_in_turn(places: str, steps: str, begun: str) -> None:
    """A step is a call such as `A1a` (tenant, caller, name), with `-` its end, with `~` its withdrawal."""
    most, kept, longest = map(int, places.split())
    turns = Turns[str](most=most, kept=kept, longest=longest)
    found = []
    for step in steps.split():
        tenant, caller, _ = [*step.lstrip("-~")]
        if step[0] == "-":
            turns.end(tenant, caller)
        elif step[0] == "~":
            turns.leave(tenant, caller, step[1:])
        elif not turns.wait(tenant, caller, step):
            found.append(f"!{step}")
        while (call := turns.begin()) is not None:
            found.append(call)
    assert " ".join(found) == begun


def test_a_quiet_tenant_begins_at_once_and_busy_ones_share_equally() -> None:
    turns = Turns[tuple[str, str]](most=4, kept=4, longest=1_000)
    for number in range(100):
        for tenant in ("busy", "other"):
            assert turns.wait(tenant, str(number), (tenant, str(number)))
    running = [call for call in iter(turns.begin, None) if call]
    shares = []
    for number in range(60):
        ended = running.pop(0)
        turns.end(*ended)
        running += [call for call in iter(turns.begin, None) if call]
        shares.append(sum(tenant == "busy" for tenant, _ in running))
        if number % 10 == 0:
            assert turns.wait("quiet", "one", ("quiet", "one"))
            assert turns.begin() == ("quiet", "one")
            turns.end("quiet", "one")
            assert turns.begin() is None
    assert set(shares) == {2}
    assert len(running) == 4
