"""Does the steps of a call with httpx: one transport that blocks, and one for asyncio and trio."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import anyio
import httpx

from .errors import ApiConnectionError, ApiTimeoutError, BrandVisibilityError
from .steps import Answer, Outcome, Send, Sleep, Step, Steps

T = TypeVar("T")


def _failure(error: Exception, step: Send) -> BrandVisibilityError:
    if isinstance(error, (httpx.TimeoutException, TimeoutError)):
        failure: BrandVisibilityError = ApiTimeoutError(f"no response within {step.timeout:.3g} s")
    else:
        origin = httpx.URL(step.url).copy_with(raw_path=b"/")
        failure = ApiConnectionError(
            f"no response from {str(origin).rstrip('/')}: {error or type(error).__name__}"
        )
    failure.__cause__ = error
    return failure


class Transport:
    def __init__(self, client: httpx.Client | None) -> None:
        self._client = client or httpx.Client()
        # A client of the caller is closed by the caller.
        self.close: Callable[[], None] = self._client.close if client is None else lambda: None

    def run(self, steps: Steps[T]) -> T:
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = self.do(step)

    def do(self, step: Step) -> Outcome:
        if isinstance(step, Sleep):
            time.sleep(step.seconds)
            return None
        try:
            return self._send(step)
        except (httpx.RequestError, TimeoutError) as error:
            return _failure(error, step)

    def _send(self, step: Send) -> Answer:
        """The timeout of httpx is that of each read, so the end of the attempt is checked between them."""
        end = time.monotonic() + step.timeout
        content = bytearray()
        request = self._client.build_request(
            step.method, step.url, headers=step.headers, content=step.content, timeout=step.timeout
        )
        response = self._client.send(request, stream=True, follow_redirects=False)
        try:
            for chunk in response.iter_bytes():
                content += chunk
                if time.monotonic() > end:
                    raise TimeoutError
        finally:
            response.close()
        return Answer(response.status_code, response.headers, bytes(content))


class AsyncTransport:
    def __init__(self, client: httpx.AsyncClient | None) -> None:
        self._client = client or httpx.AsyncClient()
        self._is_owned = client is None

    async def close(self) -> None:
        if self._is_owned:
            await self._client.aclose()

    async def run(self, steps: Steps[T]) -> T:
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = await self.do(step)

    async def do(self, step: Step) -> Outcome:
        if isinstance(step, Sleep):
            await anyio.sleep(step.seconds)
            return None
        try:
            with anyio.fail_after(step.timeout):
                return await self._send(step)
        except (httpx.RequestError, TimeoutError) as error:
            return _failure(error, step)

    async def _send(self, step: Send) -> Answer:
        request = self._client.build_request(
            step.method, step.url, headers=step.headers, content=step.content, timeout=step.timeout
        )
        response = await self._client.send(request, follow_redirects=False)
        return Answer(response.status_code, response.headers, response.content)
