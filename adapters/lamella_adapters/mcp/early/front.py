"""Thread that answers a client from recorded replies until the server takes over."""

import json
import os
import select
import sys
import threading
import time
from fcntl import F_DUPFD_CLOEXEC, fcntl

METADATA = "io.modelcontextprotocol/"
"""Prefix of the keys in `params._meta` of each request of the modern protocol."""

MEMORIES = "resources/list"
"""Method that only the server can answer in full."""

_HANDSHAKE = "initialize"
_HELD_SECONDS = 0.7
"""Time from the start for the server to list its memories.

After this time, an empty list is sent. Claude Code shows the model no tools until it has this list, and sends the
first request to the model some 2 s after it starts the server. On a busy machine, the handshake takes most of this
time.
"""

_PLAIN_ID_CHARACTERS = 200
_MOST_READ = 1 << 20
"""Maximum number of bytes to read before the server takes over. Further bytes wait in the pipe."""

_PIECE = 4096
"""Number of bytes to write at a time. A writable pipe accepts this number without blocking (POSIX, `PIPE_BUF`)."""


class Recorded:
    """Recorded replies, and the protocol version chosen by the client.

    A request with unknown parts isn't answered, because the SDK's reply could differ from the recorded one.
    """

    def __init__(self, replies: dict[str, str]) -> None:
        """Take recorded replies, keyed by the results of `key`. They lack the beginning up to the id."""
        self._replies = replies
        self._version: str | None = None

    def reply(self, line: bytes) -> tuple[str | int, bytes, bool] | None:
        """Return the id of the request in `line`, the reply, and True if the server may have a better reply.

        Return None if no reply to this request is recorded.
        """
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return None
        method: object = message.get("method")
        id: str | int = message.get("id", _NO_ID)
        if not isinstance(method, str) or not _is_plain(id) or not message.keys() <= _KEYS:
            return None
        params = message.get("params", {})
        if not isinstance(params, dict):
            return None
        version = _version_asked(method, params) if params else self._version
        behind_id = self._replies.get(key(method, version))
        if behind_id is None or (self._version and (method == _HANDSHAKE or version != self._version)):
            return None
        self._version = version
        return id, f'{{"jsonrpc":"2.0","id":{json.dumps(id)}{behind_id}'.encode(), method == MEMORIES


_KEYS = {"jsonrpc", "id", "method", "params"}
_NO_ID = "\0"


def key(method: str, version: str | None) -> str:
    """Return the key of a recorded reply: the request's method and the protocol version."""
    return f"{method} {version}"


def _is_plain(id: object) -> bool:
    """Return True for an id that every JSON encoder writes identically."""
    if isinstance(id, str):
        return id.isascii() and id.isprintable() and len(id) <= _PLAIN_ID_CHARACTERS
    return type(id) is int and abs(id) < 1 << 53


def _version_asked(method: str, params: dict[str, object]) -> str | None:
    """Return the protocol version named by a request; None if only the SDK can choose the version."""
    if method == _HANDSHAKE:
        return _version_of(params, "", "capabilities")
    given = params.get("_meta")
    if not isinstance(given, dict) or len(params) > 1:
        return None
    return _version_of(given, METADATA, "clientCapabilities")


def _version_of(given: dict[str, object], beginning: str, capabilities: str) -> str | None:
    asked = [given.get(f"{beginning}{each}") for each in ("protocolVersion", "clientInfo", capabilities)]
    version, client, abilities = asked
    if len(given) > len(asked) or not isinstance(client, dict) or not isinstance(abilities, dict):
        return None
    plain = {"name", "version"} <= client.keys() and all(isinstance(each, str) for each in client.values())
    return version if plain and isinstance(version, str) else None


def claim_descriptors() -> tuple[int, int]:
    """Return private duplicates of stdin and stdout. Make 0 the null device, and 1 a duplicate of stderr."""
    if sys.stdout is not None:
        sys.stdout.flush()
    incoming = fcntl(0, F_DUPFD_CLOEXEC, 3)
    outgoing = fcntl(1, F_DUPFD_CLOEXEC, 3)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(null, 1)
    os.close(null)
    return incoming, outgoing


class Front:
    """Connection to the client, and the data read and answered before the server starts.

    Attributes:
        incoming: Descriptor to read from.
        outgoing: Descriptor to write to.
        read: All data read, for the server.
        answered: Ids of the answered requests, which the server must not answer again.
        unsent: The unwritten rest of a reply.
    """

    def __init__(self, incoming: int, outgoing: int, recorded: Recorded | None = None) -> None:
        """Start to answer requests if there are recorded replies."""
        self.incoming = incoming
        self.outgoing = outgoing
        self.read = b""
        self.unsent = b""
        self.answered: list[str | int] = []
        self._held: list[tuple[str | int, bytes]] = []
        self._held_until = time.monotonic() + _HELD_SECONDS
        self._open = b""
        self._wake, self._woken = os.pipe()
        self._thread = threading.Thread(target=self._run, args=(recorded,), name="front", daemon=True)
        if recorded:
            self._thread.start()

    def finish(self) -> None:
        """Stop reading and writing. After this call, the attributes don't change."""
        os.write(self._woken, b"!")
        if self._thread.ident:
            self._thread.join()
        os.close(self._wake)
        os.close(self._woken)

    def _run(self, recorded: Recorded) -> None:
        try:
            while len(self.read) < _MOST_READ and self._may(self.incoming, select.POLLIN):
                piece = os.read(self.incoming, 1 << 16)
                if not piece:
                    return
                self.read += piece
                if not self._answer(recorded, piece):
                    return
        except OSError:  # the server will get the same error, and handles it
            return

    def _may(self, descriptor: int, event: int) -> bool:
        """Wait until a descriptor is ready. Return False if the server takes over before that."""
        waiting = select.poll()
        waiting.register(descriptor, event)
        waiting.register(self._wake, select.POLLIN)
        while self._held:
            if ready := waiting.poll(max(0.0, self._held_until - time.monotonic()) * 1000):
                return self._wake not in dict(ready)
            held, self._held = self._held, []
            self._queue(held)
            if not self._send():
                return False
        return self._wake not in dict(waiting.poll())

    def _answer(self, recorded: Recorded, piece: bytes) -> bool:
        *lines, self._open = (self._open + piece).split(b"\n")
        for line in lines:
            found = recorded.reply(line)
            if found is None:
                continue
            id, reply, hold = found
            if hold:
                self._held.append((id, reply))
            else:
                self._queue([(id, reply)])
        return self._send()

    def _queue(self, replies: list[tuple[str | int, bytes]]) -> None:
        for id, reply in replies:
            self.answered.append(id)
            self.unsent += reply

    def _send(self) -> bool:
        """Write the pending replies as fast as the client reads them.

        Return False if the server takes over before all are written.
        """
        while self.unsent:
            if not self._may(self.outgoing, select.POLLOUT):
                return False
            self.unsent = self.unsent[os.write(self.outgoing, self.unsent[:_PIECE]) :]
        return True
