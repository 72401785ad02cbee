"""Reads for a warehouse which days of a brand have changed, and the rows of these days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal, TypeAlias

from .client import BrandVisibilityClient
from .types import BrandDetail, BreakdownRow, Mention, PromptResult, Score, ShareOfVoice, Source

Window: TypeAlias = Literal["day", "7d", "28d"]
State: TypeAlias = Mapping[str, str]

MAX_WINDOW_DAYS = 366
MAX_UNITS = 20_000
"""Most units of one read, which is kept in memory: a day that changes meanwhile is read again as a whole."""

OVERLAP = timedelta(hours=1)
"""Days computed so shortly before the last load are read again: a transaction commits after its time."""


@dataclass(frozen=True)
class Brand:
    org_id: str
    detail: BrandDetail

    @property
    def id(self) -> str:
        return self.detail["id"]

    def has_changed(self, known: State | None, first_day: date) -> bool:
        if known is None or first_day.isoformat() < known["first_day"]:
            return True
        return known["changed_at"] != (self.detail["last_scan_changed_at"] or "")


@dataclass(frozen=True)
class Days:
    """Days that are read together: none between them has rows that have not changed."""

    dates: list[str]
    units: int

    @property
    def window(self) -> tuple[str, str]:
        return self.dates[0], self.dates[-1]


@dataclass(frozen=True)
class BrandDays:
    changed_at: str
    """`last_scan_changed_at` of the brand before its days were read."""
    rows: list[Score]
    """Every day of the series of all markets, in ascending order."""

    def changed_since(self, known: State | None, first_day: date) -> list[Days]:
        """The days computed since the last load."""
        since = None
        if known is not None and known["computed_at"] and first_day.isoformat() >= known["first_day"]:
            since = datetime.fromisoformat(_offset(known["computed_at"])) - OVERLAP
        parts: list[Days] = []
        is_consecutive = False
        for row in self.rows:
            if since is not None and datetime.fromisoformat(_offset(row["computed_at"])) <= since:
                is_consecutive = False
                continue
            if is_consecutive and parts[-1].units + row["units_total"] <= MAX_UNITS:
                parts[-1] = Days([*parts[-1].dates, row["run_date"]], parts[-1].units + row["units_total"])
            else:
                parts.append(Days([row["run_date"]], row["units_total"]))
            is_consecutive = True
        return parts

    def state(self, first_day: date) -> State:
        computed = max((row["computed_at"] for row in self.rows), default="")
        return {"changed_at": self.changed_at, "computed_at": computed, "first_day": first_day.isoformat()}


def _offset(written: str) -> str:
    """Python before 3.11 reads no `Z`."""
    return written.replace("Z", "+00:00")


class Reader:
    """Reads once per load what several tables need."""

    def __init__(self, client: BrandVisibilityClient, first_day: date, today: date) -> None:
        self.client = client
        self.first_day = first_day
        self._today = today
        self._org_ids: list[str] | None = None
        self._brands: list[Brand] | None = None
        self._days: dict[str, BrandDays] = {}
        self._prompts: dict[str, list[Any]] = {}

    def org_ids(self) -> list[str]:
        if self._org_ids is None:
            self._org_ids = [org["id"] for org in self.client.list_orgs(limit=200)]
        return self._org_ids

    def brands(self) -> list[Brand]:
        """Own brands that are not archived."""
        if self._brands is None:
            self._brands = [
                Brand(org_id, self.client.get_brand(org_id, row["id"]))
                for org_id in self.org_ids()
                for row in self.client.list_brands(org_id, is_own=True, limit=200)
            ]
        return self._brands

    def prompts(self, brand: Brand) -> list[Any]:
        if brand.id not in self._prompts:
            rows = self.client.list_prompts(brand.org_id, brand_id=brand.id, limit=200)
            self._prompts[brand.id] = rows.all()
        return self._prompts[brand.id]

    def windows(self) -> Iterator[tuple[date, date]]:
        """The history in parts that the API accepts."""
        first = self.first_day
        while first <= self._today:
            last = min(first + timedelta(days=MAX_WINDOW_DAYS - 1), self._today)
            yield first, last
            first = last + timedelta(days=1)

    def days(self, brand: Brand) -> BrandDays:
        if brand.id not in self._days:
            rows = [row for row, _ in self._series(brand, None, "day")]
            rows.sort(key=lambda row: row["run_date"])
            self._days[brand.id] = BrandDays(brand.detail["last_scan_changed_at"] or "", rows)
        return self._days[brand.id]

    def _series(self, brand: Brand, country: str | None, window: Window) -> Iterator[tuple[Score, Window]]:
        for first, last in self.windows():
            rows = self.client.list_scores(
                brand.org_id, brand.id, from_=first, to=last, country=country, window=window, limit=200
            )
            for row in rows:
                yield row, window

    def scores(self, brand: Brand, windows: Sequence[Window]) -> Iterator[tuple[Score, Window]]:
        markets = sorted({market for prompt in self.prompts(brand) for market in prompt["countries"]})
        for window in windows:
            for country in (None, *markets):
                yield from self._series(brand, country, window)

    def mentions(self, brand: Brand, days: Days) -> list[Mention]:
        first, last = days.window
        return self.client.list_mentions(brand.org_id, brand.id, from_=first, to=last, limit=1000).all()

    def shares(self, brand: Brand, days: Days) -> list[ShareOfVoice]:
        first, last = days.window
        return self.client.list_share_of_voice(brand.org_id, brand.id, from_=first, to=last, limit=200).all()

    def breakdown(self, brand: Brand, days: Days) -> list[BreakdownRow]:
        first, last = days.window
        return self.client.list_breakdown(
            brand.org_id, brand.id, by="prompt", series="day", from_=first, to=last, limit=200
        ).all()

    def results(self, brand: Brand, days: Days) -> Iterator[list[PromptResult]]:
        first, last = days.window
        for prompt in self.prompts(brand):
            rows = self.client.list_prompt_results(
                brand.org_id, prompt["id"], from_=first, to=last, limit=200
            )
            yield rows.all()

    def sources(self, brand: Brand, run_date: str) -> list[Source]:
        return self.client.list_sources(brand.org_id, brand.id, from_=run_date, to=run_date, limit=200).all()
