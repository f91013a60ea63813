"""A wire that can be cut: a proxy of TCP connections between a browser and a server."""

from __future__ import annotations

import asyncio
import threading
from typing import Any


class Proxy:
    """Listens on its own port; `cut` ends or freezes all connections, `mend` lets them again."""

    def __init__(self, target: int, port: int = 0) -> None:
        self.target, self.port = target, port
        self.mode = "open"
        self._pairs: set[tuple[Any, Any]] = set()
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait(10)
        self.address = f"http://127.0.0.1:{self.port}/"

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)

        async def begin() -> None:
            self._thawed = asyncio.Event()
            self._thawed.set()
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]
            ready.set()

        self._loop.run_until_complete(begin())
        self._loop.run_forever()

    async def _serve(self, reader: Any, writer: Any) -> None:
        if self.mode == "close":
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        pair = (writer, far_writer)
        self._pairs.add(pair)
        pumps = [self._pump(reader, far_writer), self._pump(far_reader, writer)]
        await asyncio.wait(
            [asyncio.ensure_future(p) for p in pumps], return_when=asyncio.FIRST_COMPLETED
        )
        self._pairs.discard(pair)
        for one in pair:
            one.transport.abort()

    async def _pump(self, reader: Any, writer: Any) -> None:
        try:
            while data := await reader.read(65536):
                await self._thawed.wait()
                writer.write(data)
                await writer.drain()
        except (OSError, asyncio.CancelledError):
            return

    def cut(self, mode: str = "close") -> None:
        """close: connections end, new ones are refused; freeze: nothing gets through."""
        self._loop.call_soon_threadsafe(self._cut, mode)

    def _cut(self, mode: str) -> None:
        self.mode = mode
        if mode == "freeze":
            self._thawed.clear()
            return
        for pair in list(self._pairs):
            for one in pair:
                one.transport.abort()

    def mend(self) -> None:
        def act() -> None:
            self.mode = "open"
            self._thawed.set()

        self._loop.call_soon_threadsafe(act)

    def close(self) -> None:
        async def end() -> None:
            self._server.close()
            self._cut("close")
            tasks = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._loop.call_soon(self._loop.stop)

        asyncio.run_coroutine_threadsafe(end(), self._loop)
        self._thread.join(10)
        self._loop.close()
