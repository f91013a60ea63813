"""A thin client of Bokeh's protocol over a real websocket, and a real server process.

It sends what a browser sends and keeps what the server says of models; it draws nothing. The
load test and the soak use it too.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

ROOT = Path(__file__).parents[2]
AsyncHTTPClient.configure(None, max_clients=1000)  # ten at a time would be a queue of our own
TOKEN = re.compile(r'"token":"([^"]+)"')


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Server:
    """A server process; everything it says is kept in a file."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        port: int | None = None,
        code: str = "from explorer.cli import main; main()",
        **environment: str,
    ) -> None:
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.log = folder / f"server-{self.port}-{time.monotonic_ns()}.log"
        self._file = self.log.open("wb")
        if "--ready" not in arguments:
            arguments = (*arguments, "--ready", "0")  # tests have better use for the processor
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "--port", str(self.port), "--no-show", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            stdout=self._file,
            stderr=subprocess.STDOUT,
        )

    def wait(self, seconds: float = 180) -> Server:
        """Until it answers."""
        end = time.monotonic() + seconds
        while True:
            try:
                self.get("health")
                return self
            except urllib.error.HTTPError:  # it answers, though not to this
                return self
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None or time.monotonic() > end:
                    self.stop()
                    raise AssertionError(f"It did not start: {self.said()[-2000:]}") from None
                time.sleep(0.1)

    def get(self, path: str = "") -> str:
        with urllib.request.urlopen(self.address + path, timeout=120) as answer:
            return str(answer.read().decode())

    def health(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.get("health"))
        return found

    def metrics(self) -> dict[str, float]:
        rows = (r.rpartition(" ") for r in self.get("metrics").splitlines() if r[:1] != "#")
        return {name.removeprefix("forest_explorer_"): float(value) for name, _, value in rows}

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def stop(self, sign: int = signal.SIGTERM, seconds: float = 30) -> int:
        """Ask it to stop; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self._file.close()


def run(visit: Any) -> Any:
    """Run a coroutine in a thread of its own: a browser's test has a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, visit).result()


class Closed(ConnectionError):
    """The server closed the websocket."""


class Client:
    """One visitor."""

    def __init__(self, address: str, headers: dict[str, str] | None = None) -> None:
        self.address = address
        self.headers = headers or {}
        self.models: dict[str, dict[str, Any]] = {}
        self.root_ids: list[str] = []
        self.patches = self.frames = 0
        self.errors: list[str] = []
        self.token = ""
        self._ids = itertools.count(1)
        self._socket: WebSocketClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._replies: dict[str, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()
        self.images: dict[str, Any] = {}  # source id -> the last data it was sent

    # ---- coming and going

    async def fetch(self, query: str = "") -> str:
        answer = await AsyncHTTPClient().fetch(
            HTTPRequest(self.address + query, headers=self.headers, request_timeout=120),
            raise_error=False,
        )
        self.status = answer.code
        return answer.body.decode("utf-8", "replace")

    async def come(self, query: str = "") -> Client:
        """Open the page, as a browser does."""
        page = await self.fetch(query)
        found = TOKEN.search(page)
        if found is None:
            raise Closed(f"There is no session in the page ({self.status}): {page[:300]}")
        self.token = found[1]
        await self.connect()
        await self.pull()
        await self.event("document_ready")
        return self

    async def connect(self, arguments: str = "", origin: str | None = None) -> None:
        headers = {"Origin": origin or self.address.rstrip("/"), **self.headers}
        url = self.address.replace("http", "ws", 1) + "ws" + arguments
        self._socket = await websocket_connect(
            HTTPRequest(url, headers=headers, connect_timeout=60, request_timeout=120),
            subprotocols=["bokeh", self.token],
            max_message_size=100 << 20,
        )
        assert self._socket.protocol is not None
        self._socket.protocol.set_nodelay(True)  # as browsers do
        acknowledged: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._replies["ACK"] = acknowledged
        self._reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait_for(acknowledged, 60)
        except BaseException:
            await self.leave()
            raise

    async def leave(self) -> None:
        if self._socket is not None:
            self._socket.close()
        if self._reader is not None:
            await asyncio.wait([self._reader], timeout=5)

    @property
    def close_code(self) -> int | None:
        return None if self._socket is None else self._socket.close_code

    @property
    def close_reason(self) -> str | None:
        return None if self._socket is None else self._socket.close_reason

    # ---- sending

    async def _send(self, kind: str, content: Any) -> str:
        number = f"m{next(self._ids)}"
        header = {"msgid": number, "msgtype": kind}
        assert self._socket is not None
        for part in (header, {}, content):
            await self._socket.write_message(json.dumps(part))
        return number

    async def ask(self, kind: str, content: Any, seconds: float = 60) -> Any:
        """Send a message and wait for its reply."""
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        number = f"m{next(self._ids)}"
        self._replies[number] = reply
        assert self._socket is not None
        for part in ({"msgid": number, "msgtype": kind}, {}, content):
            await self._socket.write_message(json.dumps(part))
        return await asyncio.wait_for(reply, seconds)

    async def raw(self, *fragments: str | bytes) -> None:
        """Send anything at all."""
        assert self._socket is not None
        for fragment in fragments:
            await self._socket.write_message(fragment, binary=isinstance(fragment, bytes))

    async def pull(self) -> None:
        reply = await self.ask("PULL-DOC-REQ", {})
        self.root_ids = [root["id"] for root in reply["doc"]["roots"]]
        self._learn(reply["doc"]["roots"])

    async def event(self, name: str, **values: Any) -> None:
        entries = [[key, value] for key, value in values.items()]
        data = {"type": "event", "name": name, "values": {"type": "map", "entries": entries}}
        event = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}
        await self._send("PATCH-DOC", {"events": [event]})

    async def press(self, model: str) -> None:
        """Press a button."""
        await self.event("button_click", model={"id": model})

    async def change(self, model: str, seconds: float | None = None, **values: Any) -> Any:
        """Set properties of a model; with seconds, wait for the server's answer."""
        events = [
            {"kind": "ModelChanged", "model": {"id": model}, "attr": attr, "new": value}
            for attr, value in values.items()
        ]
        if seconds is not None:
            return await self.ask("PATCH-DOC", {"events": events}, seconds)
        await self._send("PATCH-DOC", {"events": events})
        return None

    async def upload(self, number: int, name: str, content: bytes) -> None:
        """Send a file in pieces of 1 MB, as the page does."""
        inbox = self.named("inbox")
        for at in range(0, max(1, len(content)), 1_000_000):
            part = {"type": "bytes", "data": {"id": "piece"}}
            event = {"kind": "ModelChanged", "model": {"id": inbox}, "attr": "tags"}
            event["new"] = [number, name, len(content), at, part]
            header = {"msgid": f"m{next(self._ids)}", "msgtype": "PATCH-DOC", "num_buffers": 1}
            texts = [json.dumps(header), "{}", json.dumps({"events": [event]})]
            await self.raw(*texts, json.dumps({"id": "piece"}), content[at : at + 1_000_000])

    # ---- hearing

    async def _read(self) -> None:
        assert self._socket is not None
        while True:
            parts = []
            for _ in range(3):
                text = await self._socket.read_message()
                if text is None:
                    self._hang_up()
                    return
                parts.append(json.loads(text))
            header, _, content = parts
            buffers = {}
            for _ in range(header.get("num_buffers", 0)):
                about = json.loads(await self._socket.read_message() or "{}")
                buffers[about.get("id")] = await self._socket.read_message()
            self._hear(header, content, buffers)

    def _hang_up(self) -> None:
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(Closed(f"closed by the server ({self.close_code})"))
                reply.exception()  # nobody may be waiting for it
        self._replies.clear()
        self._news.set()

    def _hear(self, header: dict[str, Any], content: Any, buffers: dict[str, Any]) -> None:
        kind = header["msgtype"]
        if kind == "ERROR":
            self.errors.append(json.dumps(content))
        if kind == "PATCH-DOC":
            self.patches += 1
            for event in content["events"]:
                self._apply(event, buffers)
            self._news.set()
        waiting = self._replies.pop("ACK" if kind == "ACK" else header.get("reqid", ""), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(content)

    def _apply(self, event: dict[str, Any], buffers: dict[str, Any]) -> None:
        if event.get("msg_type") == "frame":
            self._spread(dict(event["msg_data"]["entries"]), buffers)
            return
        self._learn(event)
        about = event.get("model") or event.get("column_source") or {}
        model = about.get("id") if isinstance(about, dict) else None
        attr = event.get("attr", "data" if event.get("kind") == "ColumnDataChanged" else None)
        if model in self.models and attr:
            self.models[model].setdefault("attributes", {})[attr] = event.get("new")
        if attr == "data" and "image" in json.dumps(event)[:20_000]:
            self.frames += 1
            self.images[str(model)] = (event.get("new", event.get("data")), buffers)

    def _spread(self, frame: dict[str, Any], buffers: dict[str, Any]) -> None:
        """All changes of a move (explorer/app/session/frame_message.py)."""
        content = buffers[frame["bytes"]["array"]["data"]["id"]]
        for model, attr, value in json.loads(frame["changes"]):
            self.models[model].setdefault("attributes", {})[attr] = value
            if attr == "data" and "image" in value:
                (about,) = value["image"]
                height, width = about["shape"]
                self.frames += 1
                self.images[model] = content[about["at"] : about["at"] + height * width]

    def _learn(self, part: Any) -> None:
        """Remember every model that is described somewhere in a message."""
        stack = [part]
        while stack:
            one = stack.pop()
            if isinstance(one, dict):
                if one.get("type") == "object" and "id" in one and "name" in one:
                    self.models[one["id"]] = one
                stack.extend(one.values())
            elif isinstance(one, list):
                stack.extend(one)

    # ---- looking

    def attribute(self, model: str, name: str, default: Any = None) -> Any:
        return self.models[model].get("attributes", {}).get(name, default)

    def named(self, name: str) -> str:
        """The id of the model that has this name or tag."""
        for key in self.models:
            tags = self.attribute(key, "tags", [])
            if self.attribute(key, "name") == name or (isinstance(tags, list) and name in tags):
                return key
        raise KeyError(name)

    def of_type(self, *types: str) -> list[str]:
        return [k for k, m in self.models.items() if m["name"].rpartition(".")[2] in types]

    def text(self) -> str:
        """All words the page shows in panes."""
        words = (self.attribute(k, "text", "") for k in self.models)
        return " ".join(w for w in words if isinstance(w, str))

    async def until(self, true: Any, seconds: float = 120) -> None:
        """Wait for something to become true of what was heard."""
        end = time.monotonic() + seconds
        while not true():
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError("waited too long")
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), min(left, 0.25))
            except TimeoutError:
                continue

    async def move(self, name: str, value: Any, seconds: float = 120) -> float:
        """Move a slider; the seconds until the first new map is here."""
        before = self.frames
        begun = time.perf_counter()
        await self.change(self.named(name), value=value)
        await self.until(lambda: self.frames > before, seconds)
        return time.perf_counter() - begun

    def pictures(self) -> list[bytes]:
        """The bytes of the maps as they were last sent, in order of the cards."""
        found = []
        for key in sorted(self.images, key=lambda k: int(k.lstrip("p"))):
            if isinstance(self.images[key], bytes):
                found.append(self.images[key])
                continue
            data, buffers = self.images[key]
            text = json.dumps(data)
            about = re.search(r'"image", \[\{[^}]*"data": \{"id": "(\w+)"', text)
            if about is not None and about[1] in buffers:
                found.append(bytes(buffers[about[1]]))
        return found
