"""A dlt source for warehouses: brands, prompts, figures, mentions, results and sources.

Requires the extra `dlt`. `docs/guides/warehouse.md` describes the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from typing import Any, Literal, Optional, TypeAlias, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict

try:
    import dlt
    from dlt.common.typing import TSecretStrValue
    from dlt.extract import DltResource
except ImportError as error:  # pragma: no cover -- the message is tested in a process without dlt
    raise ImportError("bv_sdk.dlt needs dlt: pip install 'bv-sdk[dlt]'") from error

from . import types
from .client import BrandVisibilityClient
from .lists import DATES
from .warehouse import Brand, Days, Reader, Window

Row: TypeAlias = dict[str, Any]
Columns: TypeAlias = dict[str, Any]

SCALARS: dict[object, str] = {str: "text", int: "bigint", float: "double", bool: "bool"}


def _plain(hint: Any) -> Any:
    """The type without null. An enum has the type of its values."""
    rest = [one for one in get_args(hint) if one is not type(None)]
    if get_origin(hint) is Literal:
        return type(rest[0])
    return _plain(rest[0]) if type(None) in get_args(hint) and len(rest) == 1 else hint


def _columns(kind: Any, **more: str) -> Columns:
    """Types of the columns of a row. The first values may be null or whole numbers."""
    found: Columns = {name: {"data_type": data_type} for name, data_type in more.items()}
    for name, hint in get_type_hints(kind).items():
        data_type = SCALARS.get(_plain(hint))
        if name in DATES:
            data_type = "date"
        elif data_type == "text" and name.endswith("_at"):
            data_type = "timestamp"
        if data_type is not None:
            found[name] = {"data_type": data_type}
    return found


def _row(kind: Any, value: Mapping[str, Any], **more: Any) -> Row:
    """The row with whole numbers of a decimal field as decimals, also in nested rows."""
    hints = get_type_hints(kind)
    return {**{name: _value(hints.get(name), one) for name, one in value.items()}, **more}


def _value(hint: Any, value: Any) -> Any:
    plain = _plain(hint)
    if plain is float and isinstance(value, int):
        return float(value)
    if is_typeddict(plain) and isinstance(value, dict):
        return _row(plain, value)
    if isinstance(value, list) and get_args(plain):
        return [_value(get_args(plain)[0], one) for one in value]
    return value


@dlt.source(name="brand_visibility")
def brand_visibility(
    base_url: Optional[str] = None,  # noqa: UP045 -- dlt reads the hints of its sources at run time
    api_key: Optional[TSecretStrValue] = None,  # noqa: UP045
    start_date: Optional[str] = None,  # noqa: UP045
    windows: Sequence[str] = ("day",),
) -> Sequence[DltResource]:
    """Loads what has changed since the last load of each brand. The first load begins at `start_date`.

    `start_date` is a day such as `2026-01-31`, 365 days ago by default. `windows` are those of the scores:
    `day`, `7d` and `28d`. Without `base_url` and `api_key`, dlt takes them from its configuration of the
    source, and the client from `BV_BASE_URL` and `BV_API_KEY`.
    """
    first = date.fromisoformat(start_date) if start_date else _today() - timedelta(days=365)
    client = BrandVisibilityClient(base_url, api_key, user_agent="dlt")
    return _resources(Reader(client, first, _today()), [_window(one) for one in windows])


def _today() -> date:
    return datetime.now(timezone.utc).date()


def _window(name: str) -> Window:
    for known in get_args(Window):
        if known == name:
            window: Window = known
            return window
    raise ValueError(f"no window {name}; windows are {', '.join(get_args(Window))}")


Load: TypeAlias = Callable[[Reader, Brand, Sequence[Days]], Iterator[list[Row]]]


def _mentions(reader: Reader, brand: Brand, days: Sequence[Days]) -> Iterator[list[Row]]:
    for part in days:
        yield [_row(types.Mention, row, brand_id=brand.id) for row in reader.mentions(brand, part)]


def _results(reader: Reader, brand: Brand, days: Sequence[Days]) -> Iterator[list[Row]]:
    for part in days:
        for rows in reader.results(brand, part):
            yield [_row(types.PromptResult, row) for row in rows]


def _sources(reader: Reader, brand: Brand, days: Sequence[Days]) -> Iterator[list[Row]]:
    for part in days:
        for run_date in part.dates:
            own = {"brand_id": brand.id, "run_date": run_date}
            yield [_row(types.Source, row, **own) for row in reader.sources(brand, run_date)]


def _shares(reader: Reader, brand: Brand, days: Sequence[Days]) -> Iterator[list[Row]]:
    for part in days:
        yield [_row(types.ShareOfVoice, row, own_brand_id=brand.id) for row in reader.shares(brand, part)]


def _breakdown(reader: Reader, brand: Brand, days: Sequence[Days]) -> Iterator[list[Row]]:
    for part in days:
        for row in reader.breakdown(brand, part):
            yield [_row(types.BreakdownRow, row, brand_id=brand.id, run_date=row["date"])]


def _scores(windows: Sequence[Window]) -> Load:
    """`change` of a day depends on the day before, so the whole history of a changed brand is read."""

    def load(reader: Reader, brand: Brand, days: Sequence[Days]) -> Iterator[list[Row]]:
        for row, window in reader.scores(brand, windows):
            series = row["country"] or "all"
            yield [_row(types.Score, row, brand_id=brand.id, series=series, window=window)]

    return load


def _brands(reader: Reader) -> Iterator[list[Row]]:
    for brand in reader.brands():
        yield [_row(types.BrandDetail, brand.detail, org_id=brand.org_id)]
    for org_id in reader.org_ids():
        for page in reader.client.list_brands(org_id, is_own=False, limit=200).pages():
            yield [_row(types.Brand, row, org_id=org_id) for row in page.data]


def _prompts(reader: Reader) -> Iterator[list[Row]]:
    for org_id in reader.org_ids():
        for page in reader.client.list_prompts(org_id, limit=200).pages():
            yield [_row(types.Prompt, row, org_id=org_id) for row in page.data]


def _changed(reader: Reader, load: Load) -> Iterator[list[Row]]:
    """Loads each brand that has changed, and remembers in the state of the resource what was loaded."""
    brands = dlt.current.resource_state().setdefault("brands", {})
    for brand in reader.brands():
        known = brands.get(brand.id)
        if brand.has_changed(known, reader.first_day):
            days = reader.days(brand)
            yield from load(reader, brand, days.changed_since(known, reader.first_day))
            brands[brand.id] = days.state(reader.first_day)


def _resources(reader: Reader, windows: Sequence[Window]) -> Sequence[DltResource]:
    def resource(
        name: str, columns: Columns, rows: Callable[[], Iterator[list[Row]]], **keys: Any
    ) -> DltResource:
        made: DltResource = dlt.resource(rows, name=name, write_disposition="merge", columns=columns, **keys)
        return made

    def changing(name: str, columns: Columns, load: Load, **keys: Any) -> DltResource:
        return resource(name, columns, lambda: _changed(reader, load), **keys)

    day = ["brand_id", "run_date"]
    own = {"brand_id": "text", "run_date": "date"}
    return [
        resource(
            "brands", _columns(types.BrandDetail, org_id="text"), lambda: _brands(reader), primary_key="id"
        ),
        resource(
            "prompts", _columns(types.Prompt, org_id="text"), lambda: _prompts(reader), primary_key="id"
        ),
        changing(
            "scores",
            _columns(types.Score, series="text"),
            _scores(windows),
            # A key has no null: `series` is the market, or `all`.
            primary_key=[*day, "series", "window"],
        ),
        changing(
            "share_of_voice",
            _columns(types.ShareOfVoice, own_brand_id="text"),
            _shares,
            primary_key=["own_brand_id", "run_date", "brand_id"],
            merge_key=["own_brand_id", "run_date"],
        ),
        changing(
            "breakdown",
            _columns(types.BreakdownRow, **own),
            _breakdown,
            primary_key=[*day, "key"],
            merge_key=day,
        ),
        # A day that is loaded again replaces its rows: mentions have no id, and sources may vanish.
        changing("mentions", _columns(types.Mention, **own), _mentions, merge_key=day),
        changing("results", _columns(types.PromptResult), _results, primary_key="id", merge_key=day),
        changing(
            "sources", _columns(types.Source, **own), _sources, primary_key=[*day, "domain"], merge_key=day
        ),
    ]
