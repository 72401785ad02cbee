"""The two clients. They differ only in the transport that does the steps of a call."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self, Unpack

from .calls import Calls
from .lists import AsyncList, List
from .operation import Operation
from .operations import AsyncOperations, Operations
from .options import AttemptOptions, CallOptions, ClientOptions, ListOptions, WriteOptions, check_names
from .response import Response
from .scans import wait_for_scan
from .transport import AsyncTransport, Transport
from .types import ScanJob


class BrandVisibilityClient(Operations):
    """Client of the Brand Visibility Data API. Threads may share one instance."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        http_client: httpx.Client | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """`base_url` ends with the version, such as `https://api.example.com/v1`.

        `BV_BASE_URL` and `BV_API_KEY` are the defaults. `http_client` is for your own proxy or certificates.
        """
        self._calls = Calls(base_url, api_key, options)
        self._transport = Transport(http_client)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._calls.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def _call(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        body: object,
        call_options: CallOptions,
    ) -> Any:
        steps = self._calls.call(operation, path, query, body, call_options)
        return self._transport.run(steps).body["data"]

    def _list(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        call_options: ListOptions,
    ) -> List[Any]:
        return List(self._calls.read_list(operation, path, query, call_options), self._transport.do)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        **call_options: Unpack[WriteOptions],
    ) -> Response:
        """Sends a request for which this version has no method. Returns the whole response."""
        return self._transport.run(self._calls.request(method, path, query or {}, body, call_options))

    def wait_for_scan(
        self,
        org_id: str,
        brand_id: str,
        job_id: str,
        *,
        timeout: float = 3_600.0,
        poll_interval: float = 5.0,
        **call_options: Unpack[AttemptOptions],
    ) -> ScanJob:
        """Reads a scan every `poll_interval` seconds until it has ended, also as `failed`.

        Raises `ApiTimeoutError` after `timeout` seconds.
        """
        check_names(AttemptOptions, call_options, "wait_for_scan")
        path = {"orgId": org_id, "brandId": brand_id, "jobId": job_id}
        return self._transport.run(wait_for_scan(self._calls, path, timeout, poll_interval, call_options))


class AsyncBrandVisibilityClient(AsyncOperations):
    """Asynchronous client, for asyncio and trio. Tasks may share one instance."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        http_client: httpx.AsyncClient | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        """`base_url` ends with the version, such as `https://api.example.com/v1`.

        `BV_BASE_URL` and `BV_API_KEY` are the defaults. `http_client` is for your own proxy or certificates.
        """
        self._calls = Calls(base_url, api_key, options)
        self._transport = AsyncTransport(http_client)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._calls.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    async def _call(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        body: object,
        call_options: CallOptions,
    ) -> Any:
        steps = self._calls.call(operation, path, query, body, call_options)
        return (await self._transport.run(steps)).body["data"]

    def _list(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        call_options: ListOptions,
    ) -> AsyncList[Any]:
        return AsyncList(self._calls.read_list(operation, path, query, call_options), self._transport.do)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        **call_options: Unpack[WriteOptions],
    ) -> Response:
        """Sends a request for which this version has no method. Returns the whole response."""
        steps = self._calls.request(method, path, query or {}, body, call_options)
        return await self._transport.run(steps)

    async def wait_for_scan(
        self,
        org_id: str,
        brand_id: str,
        job_id: str,
        *,
        timeout: float = 3_600.0,
        poll_interval: float = 5.0,
        **call_options: Unpack[AttemptOptions],
    ) -> ScanJob:
        """Reads a scan every `poll_interval` seconds until it has ended, also as `failed`.

        Raises `ApiTimeoutError` after `timeout` seconds.
        """
        check_names(AttemptOptions, call_options, "wait_for_scan")
        path = {"orgId": org_id, "brandId": brand_id, "jobId": job_id}
        return await self._transport.run(
            wait_for_scan(self._calls, path, timeout, poll_interval, call_options)
        )
