"""Lists read a page when it is needed, never in advance. Every iteration starts at the first page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Generic, TypeAlias, TypeVar

from .page import Page
from .steps import Outcome, Step

T = TypeVar("T")
Walk: TypeAlias = Callable[[], Generator["Step | Page[T]", Outcome, None]]


def _add(rows: list[T], page: Page[T], walk: int) -> int:
    """Adds the rows of a page. A restart drops those of the pass before."""
    if page.walk != walk:
        rows.clear()
    rows.extend(page.data)
    return page.walk


class List(Generic[T]):
    def __init__(self, walk: Walk[T], do: Callable[[Step], Outcome]) -> None:
        self._walk = walk
        self._do = do

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def pages(self) -> Iterator[Page[T]]:
        walk = self._walk()
        outcome: Outcome = None
        while True:
            try:
                item = walk.send(outcome)
            except StopIteration:
                return
            if isinstance(item, Page):
                outcome = None
                yield item
            else:
                outcome = self._do(item)

    def page(self) -> Page[T]:
        """The first page."""
        return next(self.pages())

    def all(self) -> list[T]:
        """All rows in memory. With `on_stale="restart"`, rows from before a restart are dropped."""
        rows: list[T] = []
        walk = 1
        for page in self.pages():
            walk = _add(rows, page, walk)
        return rows


class AsyncList(Generic[T]):
    def __init__(self, walk: Walk[T], do: Callable[[Step], Awaitable[Outcome]]) -> None:
        self._walk = walk
        self._do = do

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for row in page.data:
                yield row

    async def pages(self) -> AsyncIterator[Page[T]]:
        walk = self._walk()
        outcome: Outcome = None
        while True:
            try:
                item = walk.send(outcome)
            except StopIteration:
                return
            if isinstance(item, Page):
                outcome = None
                yield item
            else:
                outcome = await self._do(item)

    async def page(self) -> Page[T]:
        """The first page."""
        return await anext(self.pages())

    async def all(self) -> list[T]:
        """All rows in memory. With `on_stale="restart"`, rows from before a restart are dropped."""
        rows: list[T] = []
        walk = 1
        async for page in self.pages():
            walk = _add(rows, page, walk)
        return rows
