from lamella_adapters.connections import owner_of, without_port
from tests.unit.support.tables import cases


@cases
def test_an_address_stands_for_itself_or_for_its_network(address: str | None, owner: str | None) -> None:
    assert owner_of(address) == owner


def test_callers_by_ipv4_stay_apart_on_a_socket_of_both_families() -> None:
    assert owner_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert owner_of("::ffff:192.0.2.2") == "192.0.2.2"


@cases
def test_a_port_that_a_proxy_added_is_no_part_of_the_address(told: str, address: str) -> None:
    assert without_port(told) == address
