"""Which days of a brand the warehouse reads again."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Any, cast

import pytest

from bv_sdk import BrandVisibilityClient
from bv_sdk.types import BrandDetail, Score
from bv_sdk.warehouse import MAX_UNITS, Brand, BrandDays, Reader

FIRST = date(2026, 11, 1)
KNOWN = {"changed_at": "c1", "computed_at": "2026-11-05T12:00:00Z", "first_day": "2026-11-01"}


def day(run_date: str, computed_at: str, units: int = 10) -> Score:
    return cast(Score, {"run_date": run_date, "computed_at": computed_at, "units_total": units})


def dates(days: BrandDays, known: Any) -> list[list[str]]:
    return [part.dates for part in days.changed_since(known, FIRST)]


def test_the_first_load_reads_every_day_in_parts_of_bounded_size() -> None:
    half = MAX_UNITS // 2
    rows = [day(f"2026-11-0{at}", "2026-11-05T00:00:00Z", half) for at in range(1, 6)]
    assert dates(BrandDays("c1", rows), None) == [
        ["2026-11-01", "2026-11-02"],
        ["2026-11-03", "2026-11-04"],
        ["2026-11-05"],
    ]


def test_days_computed_since_the_last_load_or_shortly_before_are_read_again() -> None:
    rows = [
        day("2026-11-01", "2026-11-05T13:00:00.000001Z"),
        day("2026-11-02", "2026-11-05T11:00:00Z"),
        day("2026-11-03", "2026-11-05T11:00:01Z"),
        day("2026-11-04", "2026-11-05T12:00:00+00:00"),
    ]
    days = BrandDays("c2", rows)
    assert dates(days, KNOWN) == [["2026-11-01"], ["2026-11-03", "2026-11-04"]]
    assert days.state(FIRST) == {**KNOWN, "changed_at": "c2", "computed_at": "2026-11-05T13:00:00.000001Z"}
    assert BrandDays("", []).state(FIRST)["computed_at"] == ""


@pytest.mark.parametrize(
    ("known", "first_day", "expected"),
    [
        (None, FIRST, True),
        (KNOWN, FIRST, False),
        (KNOWN, FIRST + timedelta(days=1), False),
        (KNOWN, FIRST - timedelta(days=1), True),
        ({**KNOWN, "changed_at": "c0"}, FIRST, True),
    ],
)
def test_a_brand_is_read_when_it_changed_or_its_history_begins_earlier(
    known: Any, first_day: date, expected: bool
) -> None:
    brand = Brand("o", cast(BrandDetail, {"id": "b", "last_scan_changed_at": "c1"}))
    assert brand.has_changed(known, first_day) is expected


def test_a_history_of_years_is_read_in_windows_that_the_api_accepts() -> None:
    client = BrandVisibilityClient("https://api.example.com/v1", "k")
    windows = list(Reader(client, date(2024, 1, 1), date(2026, 11, 26)).windows())
    assert [(last - first).days + 1 for first, last in windows] == [366, 366, 329]
    assert windows[0][0] == date(2024, 1, 1)
    assert windows[-1][1] == date(2026, 11, 26)
    assert all(after[0] - before[1] == timedelta(days=1) for before, after in pairwise(windows))
    client.close()
