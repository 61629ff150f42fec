"""Faults of the machine that leads, of the one that stands by, of what is in front of them, and of all."""

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from random import Random

import psycopg

from tests.faults.fault import Injections
from tests.team.cluster import Cluster, running_cluster
from tests.team.configuration import SUPERUSER
from tests.team.machines import DATABASE, Machine
from tests.team.oracle import Witness
from tests.team.sessions import Session, saved, sessions
from tests.waiting import until

Break = Callable[[Cluster, Machine, Sequence[Session]], object]
"""Brings a fault about, given the machine that leads and the sessions that save. It may mend it, too."""


def broken(break_: Break) -> Callable[[Path, Random], Injections]:
    """Return the injector of a fault during which saves must become possible again, and that is mended then."""

    def inject(folder: Path, noise: Random) -> Injections:
        cluster = running_cluster()
        cluster.heal()
        with sessions(folder, cluster.ways) as running:
            for _ in count():
                leader = cluster.heal()
                saved(running, noise.randint(5, 30))
                witness = Witness.of(cluster, running)
                break_(cluster, leader, running)
                saved(running, 10)
                cluster.heal()
                saved(running, 10)
                yield witness.survived()

    return inject


database_killed = broken(lambda _, leader, __: leader.kill(DATABASE))
"""Kill PostgreSQL at the leader."""

machine_killed = broken(lambda _, leader, __: leader.kill())
"""Kill everything at the leader."""

database_frozen = broken(lambda _, leader, __: leader.freeze(DATABASE))
"""Stop PostgreSQL at the leader."""

machine_frozen = broken(lambda _, leader, __: leader.freeze())
"""Stop everything at the leader."""

cut_off = broken(lambda cluster, leader, _: cluster.network.cut(leader.name))
"""Cut the leader off from everybody."""

separated = broken(lambda cluster, leader, _: cluster.network.separate(leader.name))
"""Cut the leader off from the other machines, while sessions still reach it."""

standby_killed = broken(lambda cluster, _, __: cluster.standby.kill())
"""Kill everything at the machine that commits wait for."""

standby_cut_off = broken(lambda cluster, _, __: cluster.network.cut(cluster.standby.name))
"""Cut the machine off that commits wait for."""

handed_over = broken(lambda cluster, _, __: cluster.hand_over())
"""Let another machine lead."""


@broken
def manager_killed(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Kill Patroni at the leader, and start it again, as systemd does. PostgreSQL goes on."""
    leader.kill(("patroni",))
    leader.start()


@broken
def member_killed(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Kill the member of etcd at the leader, and start it again, as systemd does."""
    leader.kill(("etcd",))
    leader.start()


@broken
def disk_filled(cluster: Cluster, leader: Machine, running: Sequence[Session]) -> None:
    """Leave no room on the leader's disk until somebody is refused, and have its log need some."""
    before = [session.refusals.total() for session in running]
    leader.fill()

    def refused() -> bool:
        try:
            with cluster.administering(SUPERUSER, leader) as connection:
                connection.execute("SELECT pg_switch_wal()")
        except psycopg.Error:
            pass
        return [session.refusals.total() for session in running] != before

    until(refused)
    leader.free()


@broken
def front_killed(cluster: Cluster, _: Machine, __: Sequence[Session]) -> None:
    """Kill HAProxy and PgBouncer, and start them again."""
    cluster.kill_front()
    cluster.start_front()


@broken
def everything_killed(cluster: Cluster, _: Machine, __: Sequence[Session]) -> None:
    """Kill all programs of the cluster, and start them again."""
    cluster.kill_front()
    for machine in cluster.machines:
        machine.kill()
    for machine in cluster.machines:
        machine.start()
    cluster.start_front()
