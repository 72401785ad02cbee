"""An HTTP server that answers each request with the next step of a script, and then with 500."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

REQUEST_ID = "a2f1a7b0-0000-4000-8000-000000000000"


@dataclass
class Recorded:
    method: str
    path: str
    query: dict[str, str]
    headers: Mapping[str, str]
    body: bytes
    at: float


Step = Callable[[BaseHTTPRequestHandler], None]


def write(status: int, content: bytes, headers: Mapping[str, str]) -> Step:
    def step(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("content-length", str(len(content)))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return step


def respond(
    status: int,
    body: object,
    headers: Mapping[str, str] | None = None,
    request_id: str | None = REQUEST_ID,
) -> Step:
    own = {"content-type": "application/json"}
    if request_id is not None:
        own["x-request-id"] = request_id
    return write(status, json.dumps(body).encode(), {**own, **(headers or {})})


def refuse(status: int, code: str, headers: Mapping[str, str] | None = None, details: object = None) -> Step:
    error: dict[str, Any] = {"code": code, "message": code}
    if details is not None:
        error["details"] = details
    return respond(status, {"error": error, "request_id": "x"}, headers)


def page(rows: list[Any], following: str | None) -> Step:
    pagination = {"next_cursor": following, "has_more": following is not None}
    return respond(200, {"data": rows, "pagination": pagination})


def html(status: int = 200) -> Step:
    return write(status, b"<html><title>Welcome</title>", {"content-type": "text/html; charset=utf-8"})


def disconnect(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection without a response, after the whole request has arrived."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def truncated(content: bytes) -> Step:
    """Closes the connection in the middle of a body."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        handler.wfile.write(content)
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)

    return step


class FaultServer:
    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[Recorded] = []
        # Set at the end of a test, so that steps that hang end.
        self.ended = threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except (ConnectionError, OSError, ValueError):
                    self.close_connection = True

            def answer(self) -> None:
                url = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                query = dict(parse_qsl(url.query, keep_blank_values=True))
                owner.requests.append(
                    Recorded(self.command, url.path, query, headers, body, time.monotonic())
                )
                at = len(owner.requests) - 1
                step = owner.steps[at] if at < len(owner.steps) else refuse(500, "script_ended")
                step(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, format: str, *args: object) -> None:
                """Keeps the output of the tests quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.base_url = f"{self.origin}/v1"

    def wait_for(self, count: int) -> None:
        """Waits until so many requests have arrived."""
        end = time.monotonic() + 20
        while len(self.requests) < count:
            assert time.monotonic() < end, "the request did not arrive"
            time.sleep(0.005)

    def hang(self, handler: BaseHTTPRequestHandler) -> None:
        """Never responds."""
        self.ended.wait()
        handler.close_connection = True

    def drip(self, handler: BaseHTTPRequestHandler) -> None:
        """Sends a byte every 50 ms, so that no single read times out."""
        handler.send_response(200)
        handler.send_header("content-length", "100000")
        handler.end_headers()
        while not self.ended.wait(0.05):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    def close(self) -> None:
        if self.ended.is_set():
            return
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def proxy_losing_first_answer(base_url: str) -> Iterator[FaultServer]:
    """Passes requests on. The first answer of the product that is no `503` is dropped after it arrived."""
    lost = threading.Event()

    def step(handler: BaseHTTPRequestHandler) -> None:
        request = server.requests[-1]
        url = base_url.removesuffix("/v1") + request.path
        headers = {name: value for name, value in request.headers.items() if name != "host"}
        answer = httpx.request(request.method, url, headers=headers, content=request.body, timeout=30)
        if answer.status_code == 503 or lost.is_set():
            write(answer.status_code, answer.content, {"content-type": "application/json"})(handler)
        else:
            lost.set()
            disconnect(handler)

    server = FaultServer(*[step] * 20)
    try:
        yield server
    finally:
        server.close()
