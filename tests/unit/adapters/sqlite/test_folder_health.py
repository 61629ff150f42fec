"""Check of folders on network file systems: row 49 of the fault table."""

from pathlib import Path

from lamella.ports.storage.diagnosis import Severity
from lamella_adapters.sqlite.doctor.diagnosis import check_network, mounts
from tests.unit.support.tables import cases

MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
40 22 0:50 / /home rw,relatime shared:20 - nfs4 server:/home rw,vers=4.2
41 40 8:2 / /home/ada/local rw - ext4 /dev/sdb1 rw
42 22 0:51 / /mnt/two\040words rw,nosuid - fuse.sshfs ada@server: rw,user_id=0
43 22 0:52 / /mnt/share rw - ext4 /dev/sdc1 rw
44 43 0:53 / /mnt/share rw master:3 propagate_from:2 - cifs //server/share rw
"""


@cases
def test_a_folder_on_a_network_file_system_is_warned_of(folder: str, kind: str | None) -> None:
    found = [each.finding for each in check_network(Path(folder), MOUNTS)]
    why = f"it is on a network file system ({kind}), where SQLite's log does not work: use a local disk"
    expected = [("data directory", Severity.WARNING, why)] if kind else []
    assert [(each.subject, each.severity, each.message) for each in found] == expected


def test_a_folder_of_this_machine_is_not(tmp_path: Path) -> None:
    assert list(check_network(tmp_path, mounts())) == []
