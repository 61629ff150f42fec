"""All faults of a team's database, in the order in which they are injected.

Those of a process that dies are injected most often, as there is a bar for the outage.
"""

from tests.faults.fault import Fault
from tests.team import http_servers, leaders, oracle, servers

FAULTS = (
    Fault("none, but an acknowledged save is overwritten with another one", oracle.overwritten, 0, 1),
    Fault("PostgreSQL of the leader killed", leaders.database_killed, 0, 7),
    Fault("Patroni of the leader killed and started", leaders.manager_killed, 0, 7),
    Fault("etcd of the leader killed and started", leaders.member_killed, 0, 7),
    Fault("HAProxy and PgBouncer killed and started", leaders.front_killed, 0, 7),
    Fault("everything killed and started", leaders.everything_killed, 0, 5),
    Fault("servers of lamella killed while they save", servers.killed, 0, 7),
    Fault("server of lamella frozen in the middle of a save", servers.frozen, 0, 3),
    Fault("servers of lamella restarted one by one", servers.rolling, 0, 3),
    Fault("servers over HTTP restarted one by one behind HAProxy", http_servers.rolling, 0, 1),
    Fault("newer version migrates and takes over while older ones serve", servers.upgraded, 0, 3),
    Fault("leadership handed over", leaders.handed_over, 0, 3),
    Fault("disk of the leader full", leaders.disk_filled, 0, 3),
    Fault("machine of the synchronous standby killed", leaders.standby_killed, 0, 3),
    Fault("synchronous standby cut off", leaders.standby_cut_off, 0, 3),
    Fault("machine of the leader killed", leaders.machine_killed, 0, 3),
    Fault("PostgreSQL of the leader frozen", leaders.database_frozen, 0, 2),
    Fault("machine of the leader frozen", leaders.machine_frozen, 0, 2),
    Fault("leader cut off from everybody", leaders.cut_off, 0, 3),
    Fault("leader cut off from the other machines only", leaders.separated, 0, 3),
)
