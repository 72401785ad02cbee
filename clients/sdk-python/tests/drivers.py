"""One way to use both clients, so that every test runs on both."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from itertools import islice
from threading import Thread, main_thread
from typing import Any, TypeVar

from bv_sdk import AsyncBrandVisibilityClient, BrandVisibilityClient, Page

T = TypeVar("T")


class SyncDriver:
    kind = "sync"
    # A blocking call ends by the signal of Ctrl-C.
    cancellation: type[BaseException] = KeyboardInterrupt

    def __init__(self, base_url: str | None, api_key: str | None, options: dict[str, Any]) -> None:
        self.client = BrandVisibilityClient(base_url, api_key, **options)
        self._main = main_thread()

    def call(self, method: str, *args: Any, **options: Any) -> Any:
        return getattr(self.client, method)(*args, **options)

    def all(self, method: str, *args: Any, **options: Any) -> list[Any]:
        rows: list[Any] = getattr(self.client, method)(*args, **options).all()
        return rows

    def frame(self, method: str, *args: Any, **options: Any) -> Any:
        return getattr(self.client, method)(*args, **options).to_dataframe()

    def page(self, method: str, *args: Any, **options: Any) -> Page[Any]:
        first: Page[Any] = getattr(self.client, method)(*args, **options).page()
        return first

    def pages(self, method: str, *args: Any, take: int = 1_000, **options: Any) -> list[Page[Any]]:
        found: list[Page[Any]] = []
        for page in getattr(self.client, method)(*args, **options).pages():
            found.append(page)
            if len(found) == take:
                break
        return found

    def first_rows(self, count: int, method: str, *args: Any, **options: Any) -> list[Any]:
        """Iterates over rows and stops after some."""
        return list(islice(getattr(self.client, method)(*args, **options), count))

    def aborted(self, reached: Thread, method: str, **options: Any) -> Any:
        """Cancels the call when the thread has ended."""

        def interrupt() -> None:
            reached.join()
            assert self._main.ident is not None
            signal.pthread_kill(self._main.ident, signal.SIGINT)

        reached.start()
        Thread(target=interrupt).start()
        return self.call(method, **options)

    def close(self) -> None:
        self.client.close()


class AsyncDriver:
    kind = "async"
    cancellation: type[BaseException] = asyncio.CancelledError

    def __init__(self, base_url: str | None, api_key: str | None, options: dict[str, Any]) -> None:
        self._loop = asyncio.new_event_loop()
        self.client = AsyncBrandVisibilityClient(base_url, api_key, **options)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)

    def call(self, method: str, *args: Any, **options: Any) -> Any:
        return self._run(getattr(self.client, method)(*args, **options))

    def all(self, method: str, *args: Any, **options: Any) -> list[Any]:
        return self._run(getattr(self.client, method)(*args, **options).all())

    def frame(self, method: str, *args: Any, **options: Any) -> Any:
        return self._run(getattr(self.client, method)(*args, **options).to_dataframe())

    def page(self, method: str, *args: Any, **options: Any) -> Page[Any]:
        return self._run(getattr(self.client, method)(*args, **options).page())

    def pages(self, method: str, *args: Any, take: int = 1_000, **options: Any) -> list[Page[Any]]:
        async def read() -> list[Page[Any]]:
            found: list[Page[Any]] = []
            async for page in getattr(self.client, method)(*args, **options).pages():
                found.append(page)
                if len(found) == take:
                    break
            return found

        return self._run(read())

    def first_rows(self, count: int, method: str, *args: Any, **options: Any) -> list[Any]:
        """Iterates over rows and stops after some."""

        async def read() -> list[Any]:
            rows: list[Any] = []
            async for row in getattr(self.client, method)(*args, **options):
                rows.append(row)
                if len(rows) == count:
                    break
            return rows

        return self._run(read())

    def aborted(self, reached: Thread, method: str, **options: Any) -> Any:
        """Cancels the call when the thread has ended."""

        async def cancel() -> Any:
            task = asyncio.create_task(getattr(self.client, method)(**options))
            reached.start()
            await asyncio.to_thread(reached.join)
            task.cancel()
            return await task

        return self._run(cancel())

    def close(self) -> None:
        self._run(self.client.close())
        self._run(self._loop.shutdown_asyncgens())
        self._loop.close()


Driver = SyncDriver | AsyncDriver
DRIVERS: dict[str, Callable[[str | None, str | None, dict[str, Any]], Driver]] = {
    "sync": SyncDriver,
    "async": AsyncDriver,
}
