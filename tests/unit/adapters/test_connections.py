import pytest

from lamella_adapters.connections import owner_of, without_port


@pytest.mark.parametrize(
    ("address", "owner"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::9", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somewhere", None),
        ("", None),
        (None, None),
    ],
)
def test_an_address_stands_for_itself_or_for_its_network(address: str | None, owner: str | None) -> None:
    assert owner_of(address) == owner


def test_callers_by_ipv4_stay_apart_on_a_socket_of_both_families() -> None:
    assert owner_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert owner_of("::ffff:192.0.2.2") == "192.0.2.2"


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:5678", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:5678", "2001:db8::1"),
        ("", ""),
        ("_hidden", "_hidden"),
    ],
)
def test_a_port_that_a_proxy_added_is_no_part_of_the_address(told: str, address: str) -> None:
    assert without_port(told) == address
