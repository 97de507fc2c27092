"""A connection to a D-Bus bus that never blocks the window: calls with a time limit, and signals of known senders.

Not Qt's own: QtDBus connects synchronously, and from Python it cannot write the `a(sa{sv})` that the portal wants.
Other programs of the person are on the bus too and are not trusted: messages are bounded, and a signal counts only from
a sender that was asked for by name, whose unique name the bus vouches for.
"""

import asyncio
import itertools
import os
import struct
import sys
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from jeepney import DBusAddress, HeaderFields, Message, MessageFlag, MessageType, Parser, new_method_call
from jeepney.auth import BEGIN, Authenticator
from jeepney.bus import get_connectable_addresses

from callgate.core.errors import CallgateError

CALL_SECONDS: Final = 10.0
"""What a service of the desktop gets for an answer; starting it takes some seconds on a busy machine."""
MOST_BYTES: Final = 16 * 1024
"""Of one message: the largest that is expected has some hundred."""
MOST_QUEUED: Final = 64
"""Signals that came during a call; further ones are dropped."""
_CHUNK: Final = 4096
BUS: Final = "org.freedesktop.DBus"
_BUS_PATH: Final = "/org/freedesktop/DBus"
_NO_REPLY: Final = f"{BUS}.Error.NoReply"


class BusFault(CallgateError):
    """A service is not there, refused or did not answer in time."""

    def __init__(self, name: str, text: str = "") -> None:
        super().__init__(f"{name}: {text}" if text else name)
        self.name = name


class BusLost(BusFault):
    """The connection itself is gone, or what came over it was no D-Bus."""


class DesktopBus:
    """One conversation with a bus, by one coroutine at a time: `call` and `signal` both read from it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._parser = Parser()
        self._serials = itertools.count(1)
        self._signals: deque[Message] = deque()
        self._names: dict[str, str] = {BUS: BUS}
        """Unique name of each service that is watched; empty = nobody has the name."""
        self.unique_name = ""

    @classmethod
    async def open(cls, address: str) -> Self:
        """Raises `BusLost` where nothing answers there as a bus does."""
        try:
            async with asyncio.timeout(CALL_SECONDS):
                place = next(get_connectable_addresses(address))
                bus = cls(*await asyncio.open_unix_connection(place, limit=_CHUNK))
                try:
                    await bus._introduce()
                except BaseException:
                    bus.close()
                    raise
                return bus
        except (OSError, ValueError, RuntimeError, TimeoutError) as error:
            raise BusLost("no bus", str(error)) from error

    def close(self) -> None:
        self._writer.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- asking ----------------------------------------------------------------------------------------------------

    async def call(
        self, to: str, path: str, member: str, signature: str = "", body: tuple[Any, ...] = (), *, start: bool = False
    ) -> tuple[Any, ...]:
        """`member` with its interface before the last dot. `start`: the bus may start the service."""
        message = _call_of(to, path, member, signature, body)
        if not start:
            message.header.flags = MessageFlag.no_auto_start
        try:
            async with asyncio.timeout(CALL_SECONDS):
                return await self._answer(await self._send(message))
        except TimeoutError as error:
            raise BusFault(_NO_REPLY, f"{to} did not answer") from error

    def tell(self, to: str, path: str, member: str, signature: str, body: tuple[Any, ...]) -> None:
        """A call whose answer nobody waits for; it still goes out when the connection is closed right after."""
        message = _call_of(to, path, member, signature, body)
        message.header.flags = MessageFlag.no_reply_expected | MessageFlag.no_auto_start
        self._writer.write(message.serialise(next(self._serials)))

    async def watch(self, service: str, *, start: bool = False) -> str:
        """From now on its signals count; its unique name, empty where nobody has the name."""
        rule = f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{service}'"
        await self._ask_bus("AddMatch", "s", (rule,))
        await self._ask_bus("AddMatch", "s", (f"type='signal',sender='{service}'",))
        owner = await self._owner_of(service)
        if start and not owner:
            try:
                await self._ask_bus("StartServiceByName", "su", (service, 0))
            except BusLost:
                raise
            except BusFault:
                owner = ""  # nothing can be started that would have the name
            else:
                owner = await self._owner_of(service)
        self._names[service] = owner
        self._signals.clear()  # they are older than this answer
        return owner

    async def _owner_of(self, service: str) -> str:
        try:
            (owner,) = await self._ask_bus("GetNameOwner", "s", (service,))
        except BusLost:
            raise
        except BusFault:
            return ""  # nobody has the name
        return str(owner)

    def owner(self, service: str) -> str:
        return self._names.get(service, "")

    async def signal(self) -> Message:
        """The next signal of a service that is watched, or of the bus about one."""
        while not self._signals:
            await self._receive()
        return self._signals.popleft()

    # ---- the wire --------------------------------------------------------------------------------------------------

    async def _introduce(self) -> None:
        authenticator = Authenticator()
        for line in authenticator:
            self._writer.write(line)
            await self._writer.drain()
            authenticator.feed(await self._read(1024))
        self._writer.write(BEGIN)
        (name,) = await self._ask_bus("Hello")
        self.unique_name = str(name)

    async def _ask_bus(self, member: str, signature: str = "", body: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        return await self.call(BUS, _BUS_PATH, f"{BUS}.{member}", signature, body)

    async def _send(self, message: Message) -> int:
        serial = next(self._serials)
        self._writer.write(message.serialise(serial))
        try:
            await self._writer.drain()
        except OSError as error:
            raise BusLost("bus gone", str(error)) from error
        return serial

    async def _answer(self, serial: int) -> tuple[Any, ...]:
        while True:
            reply = await self._receive()
            fields = reply.header.fields
            if fields.get(HeaderFields.reply_serial) != serial:
                continue
            if reply.header.message_type is MessageType.method_return:
                return reply.body
            if reply.header.message_type is MessageType.error:
                text = reply.body[0] if reply.body and isinstance(reply.body[0], str) else ""
                raise BusFault(str(fields.get(HeaderFields.error_name, "")), text[:200])

    async def _receive(self) -> Message:
        """The next message; a signal that counts is queued as well."""
        while (message := self._parse()) is None:
            self._parser.add_data(await self._read(_CHUNK))
            await asyncio.sleep(0)  # a flood must not keep the loop: reading what is there already does not yield
        if message.header.message_type is MessageType.signal:
            self._take(message)
        return message

    async def _read(self, most: int) -> bytes:
        try:
            data = await self._reader.read(most)
        except OSError as error:
            raise BusLost("bus gone", str(error)) from error
        if not data:
            raise BusLost("bus gone")
        return data

    def _parse(self) -> Message | None:
        try:
            message = self._parser.get_next_message()
        except (ValueError, KeyError, IndexError, TypeError, struct.error) as error:
            raise BusLost("malformed message", str(error)) from error
        if message is None and (self._parser.next_msg_size or 0) > MOST_BYTES:
            raise BusLost("message too large")
        return message

    def _take(self, signal: Message) -> None:
        if sender_of(signal) == BUS and member_of(signal) == f"{BUS}.NameOwnerChanged" and len(signal.body) == 3:
            service, _, owner = signal.body
            if service in self._names:
                self._names[service] = owner
        if sender_of(signal) in self._names.values() and len(self._signals) < MOST_QUEUED:
            self._signals.append(signal)


def _call_of(to: str, path: str, member: str, signature: str, body: tuple[Any, ...]) -> Message:
    interface, _, name = member.rpartition(".")
    return new_method_call(DBusAddress(path, to, interface), name, signature or None, body)


def sender_of(message: Message) -> str:
    """Its unique name, which the bus itself writes."""
    return str(message.header.fields.get(HeaderFields.sender, ""))


def path_of(message: Message) -> str:
    return str(message.header.fields.get(HeaderFields.path, ""))


def member_of(message: Message) -> str:
    """Interface and member, as one name."""
    fields = message.header.fields
    return f"{fields.get(HeaderFields.interface, '')}.{fields.get(HeaderFields.member, '')}"


def signature_of(message: Message) -> str:
    return str(message.header.fields.get(HeaderFields.signature, ""))


def is_new_owner(signal: Message, service: str) -> bool:
    """Whether the service has gone or another program is it now."""
    return member_of(signal) == f"{BUS}.NameOwnerChanged" and signal.body[:1] == (service,)


def session_address(environment: Mapping[str, str] = os.environ) -> str:
    """Of the bus of the person's session; empty = there is none."""
    if sys.platform == "win32":
        return ""
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    usual = f"unix:path={runtime}/bus" if runtime and (Path(runtime) / "bus").exists() else ""
    return environment.get("DBUS_SESSION_BUS_ADDRESS", "") or usual


def system_address(environment: Mapping[str, str] = os.environ) -> str:
    """Of the bus of the machine; empty = there is none."""
    if sys.platform == "win32":
        return ""
    usual = Path("/run/dbus/system_bus_socket")
    default = f"unix:path={usual}" if sys.platform == "linux" and usual.exists() else ""
    return environment.get("DBUS_SYSTEM_BUS_ADDRESS", "") or default
