"""Fairness over HTTP: duration of the recalls of a quiet tenant while another tenant is busy."""

import asyncio
import sys
from pathlib import Path

from attrs import frozen

from bench.support.workload import Language
from bench.team.remote import RemoteClient, environment, serving, token

_QUIET_CALLS = 100
_PAUSE = 0.02
_WARMING = 2.0
"""Seconds between two calls of the quiet tenant, and seconds for the busy tenant to fill the queue before them."""

_MEMORIES = {"quiet": 3, "busy": 200}


@frozen(kw_only=True)
class Fairness:
    """Times of the recalls of a quiet tenant, in milliseconds.

    Attributes:
        clients: Number of clients of the busy tenant.
        alone: Times while the busy tenant makes no calls.
        beside: Times while the busy tenant makes calls.
        busy: Number of recalls by the busy tenant while the times `beside` were measured.
    """

    clients: int
    alone: list[float]
    beside: list[float]
    busy: int


def fairness(url: str, folder: Path, clients: int) -> Fairness:
    """Measure recalls of a quiet tenant, first alone, then while `clients` clients of a busy tenant make calls."""
    tokens = {each: token(url, folder, each) for each in _MEMORIES}
    return asyncio.run(_measured(environment(url, folder), tokens, clients))


async def _measured(given: dict[str, str], tokens: dict[str, str], clients: int) -> Fairness:
    async with serving(given) as (_, port):

        def client(tenant: str, seed: int) -> RemoteClient:
            return RemoteClient(port, tokens[tenant], "shop", Language(seed))

        for name, memories in _MEMORIES.items():
            await client(name, 1).call(memories, "save_memory")
        busy = [client("busy", number) for number in range(clients)]
        found = []
        for beside in ([], busy):
            tasks = [asyncio.create_task(each.call(sys.maxsize)) for each in beside]
            await asyncio.sleep(_WARMING)
            quiet = client("quiet", 2)
            await quiet.call(_QUIET_CALLS, pause=_PAUSE)
            found.append(quiet.times)
            for task in tasks:
                task.cancel()
    alone, beside_busy = found
    return Fairness(clients=clients, alone=alone, beside=beside_busy, busy=sum(len(each.times) for each in busy))
