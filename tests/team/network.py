"""A network of nodes: a namespace for each, whose cable leads to a switch that this process is at too."""

import subprocess
from collections.abc import Sequence
from itertools import count

from attrs import frozen

_SWITCH = "switch"


def _ip(*words: object) -> None:
    subprocess.run(["ip", *map(str, words)], check=True)


@frozen
class Network:
    """The network of this process's namespace.

    Attributes:
        addresses: Address of each node by its name.
    """

    addresses: dict[str, str]

    @classmethod
    def of(cls, names: Sequence[str]) -> "Network":
        """Make the nodes and connect them."""
        _ip("link", "add", _SWITCH, "type", "bridge")
        _ip("address", "add", "10.0.0.1/24", "dev", _SWITCH)
        _ip("link", "set", _SWITCH, "up")
        made = cls(dict(zip(names, (f"10.0.0.{number}" for number in count(11)), strict=False)))
        for name, address in made.addresses.items():
            _ip("netns", "add", name)
            _ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
            _ip("link", "set", name, "master", _SWITCH, "up")
            _ip("-netns", name, "address", "add", f"{address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _ip("-netns", name, "link", "set", device, "up")
        return made

    def processes(self, name: str) -> list[int]:
        """Return the ids of the processes at a node."""
        return [int(line) for line in subprocess.check_output(["ip", "netns", "pids", name]).split()]

    def cut(self, name: str) -> None:
        """Pull the cable of a node out of the switch."""
        _ip("link", "set", name, "nomaster")

    def separate(self, name: str) -> None:
        """Let a node reach no other node any more, but this process."""
        for other, address in self.addresses.items():
            if other != name:
                _ip("-netns", name, "route", "replace", "blackhole", f"{address}/32")

    def mend(self) -> None:
        """Connect all nodes again."""
        for name in self.addresses:
            _ip("link", "set", name, "master", _SWITCH)
            _ip("-netns", name, "route", "flush", "type", "blackhole")
