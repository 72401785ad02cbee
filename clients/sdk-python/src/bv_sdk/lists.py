"""Lists read a page when it is needed, never in advance. Every iteration starts at the first page."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from .page import Page
from .steps import Outcome, Step

T = TypeVar("T")
OnStale: TypeAlias = Literal["restart", "raise"]
Walk: TypeAlias = Callable[[OnStale], Generator["Step | Page[T]", Outcome, None]]
"""Starts a pass over the list. The argument is what happens by default when the data changes."""
DATES = {"date", "run_date", "first_seen", "last_seen"}
"""Names of the fields that are days."""


def _to_dataframe(rows: list[Any]) -> Any:
    """A table with dates and times as such."""
    pandas: Any = importlib.import_module("pandas")
    table = pandas.DataFrame(rows)
    for name in table.columns:
        if name in DATES:
            table[name] = pandas.to_datetime(table[name])
        elif name.endswith("_at"):
            table[name] = pandas.to_datetime(table[name], utc=True)
    return table


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
        return self._pages("raise")

    def _pages(self, on_stale: OnStale) -> Iterator[Page[T]]:
        walk = self._walk(on_stale)
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
        """All rows in memory. Reads again what a scan has changed, unless `on_stale="raise"`."""
        rows: list[T] = []
        walk = 1
        for page in self._pages("restart"):
            walk = _add(rows, page, walk)
        return rows

    def to_dataframe(self) -> Any:
        """All rows as a `pandas.DataFrame`. Needs the package `pandas`."""
        return _to_dataframe(self.all())


class AsyncList(Generic[T]):
    def __init__(self, walk: Walk[T], do: Callable[[Step], Awaitable[Outcome]]) -> None:
        self._walk = walk
        self._do = do

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for row in page.data:
                yield row

    def pages(self) -> AsyncIterator[Page[T]]:
        return self._pages("raise")

    async def _pages(self, on_stale: OnStale) -> AsyncIterator[Page[T]]:
        walk = self._walk(on_stale)
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
        """All rows in memory. Reads again what a scan has changed, unless `on_stale="raise"`."""
        rows: list[T] = []
        walk = 1
        async for page in self._pages("restart"):
            walk = _add(rows, page, walk)
        return rows

    async def to_dataframe(self) -> Any:
        """All rows as a `pandas.DataFrame`. Needs the package `pandas`."""
        return _to_dataframe(await self.all())
