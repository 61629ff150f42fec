"""Proxy in front of PostgreSQL that counts the server's answers and transactions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from attrs import define
from psycopg import conninfo

_HEADER = 5
"""Size of a message's type and length, in bytes."""


@define
class Tap:
    """Proxy that counts answers and transactions.

    Attributes:
        answers: Number of `ReadyForQuery` messages, one for each round trip of a client.
        transactions: Number of transactions that began.
    """

    answers: int = 0
    transactions: int = 0

    @asynccontextmanager
    async def on(self, url: str) -> AsyncIterator[str]:
        """Yield the URL of the proxy of a server."""
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        libpq = {name: value for name, value in query.items() if name not in {"tenant", "schema"}}
        given = conninfo.conninfo_to_dict(urlunsplit(parts._replace(query=urlencode(libpq))))
        host, port = str(given.get("host") or "127.0.0.1"), int(str(given.get("port") or 5432))

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if host.startswith("/"):
                answers, server = await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
            else:
                answers, server = await asyncio.open_connection(host, port)
            await asyncio.gather(_passed(reader, server), self._counted(answers, writer))

        async with await asyncio.start_server(connected, "127.0.0.1") as proxy:
            own = {"host": "127.0.0.1", "port": str(proxy.sockets[0].getsockname()[1])}
            plain = {"sslmode": "disable", "gssencmode": "disable"}
            yield urlunsplit(parts._replace(query=urlencode({**query, **own, **plain})))

    async def _counted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward a server's messages, and count them."""
        try:
            while True:
                head = await reader.readexactly(_HEADER)
                body = await reader.readexactly(int.from_bytes(head[1:]) - _HEADER + 1)
                self.answers += head[:1] == b"Z"
                self.transactions += head[:1] == b"C" and body.startswith(b"BEGIN")
                writer.write(head + body)
        except (asyncio.IncompleteReadError, OSError):
            writer.close()


async def _passed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(1 << 16):
        writer.write(piece)
    writer.close()
