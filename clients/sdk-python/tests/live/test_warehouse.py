"""Loads a brand of the running product into DuckDB, again, and after changes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dlt
import pytest
from live.customers import Customer, Live, eventually

from bv_sdk.dlt import brand_visibility

TABLES = ("brands", "prompts", "scores", "share_of_voice", "breakdown", "mentions", "results", "sources")


class Warehouse:
    def __init__(self, customer: Customer, directory: Path) -> None:
        self._customer = customer
        self._pipeline = dlt.pipeline(
            "warehouse",
            destination=dlt.destinations.duckdb(str(directory / "warehouse.duckdb")),
            dataset_name="brand_visibility",
            pipelines_dir=str(directory / "pipelines"),
        )

    def load(self, **words: Any) -> dict[str, int]:
        """Rows that were loaded by table."""
        source = brand_visibility(self._customer.base_url, self._customer.key, **words)
        self._pipeline.run(source)
        trace = self._pipeline.last_trace
        assert trace is not None
        assert trace.last_normalize_info is not None
        counts = trace.last_normalize_info.row_counts
        return {name: counts.get(name, 0) for name in TABLES}

    def query(self, text: str) -> list[tuple[Any, ...]]:
        with self._pipeline.sql_client() as client:
            return [tuple(row) for row in client.execute_sql(text) or []]

    def counts(self) -> dict[str, int]:
        return {name: self.query(f"select count(*) from {name}")[0][0] for name in TABLES}  # noqa: S608


@pytest.fixture
def warehouse(customer: Customer, tmp_path: Path) -> Warehouse:
    return Warehouse(customer, tmp_path)


@pytest.fixture
def product(customer: Customer) -> Iterator[Live]:
    connected = Live(customer, "sync")
    yield connected
    connected.close()


def test_two_loads_have_no_duplicate_and_a_change_replaces_its_rows(
    product: Live, warehouse: Warehouse
) -> None:
    brand = product.create_brand(competitors=[{"name": "Other", "domain": "other-example.com"}])
    product.create_prompt(brand, "Which one?")
    product.scan(brand)
    eventually(lambda: product.client.all("list_scores", product.org_id, brand))

    loaded = warehouse.load()
    first = warehouse.counts()
    assert first == loaded
    assert (first["brands"], first["prompts"], first["mentions"], first["results"]) == (2, 1, 5, 5)
    assert first["scores"] == 2  # All markets, and US.
    assert (first["share_of_voice"], first["breakdown"]) == (2, 1)

    eventually(lambda: warehouse.load()["mentions"] == 0)
    assert warehouse.counts() == first
    computed = warehouse.query("select max(computed_at) from scores")

    product.client.call("update_brand", product.org_id, brand, {"name": "Renamed"})
    product.scan(brand)
    eventually(lambda: warehouse.load()["mentions"] == 10)
    second = warehouse.counts()
    assert (second["mentions"], second["results"]) == (10, 10)
    assert (second["brands"], second["prompts"], second["scores"]) == (2, 1, 2)
    assert warehouse.query("select units_total from breakdown") == [(10,)]
    assert warehouse.query("select max(computed_at) from scores") > computed
    assert warehouse.query("select name from brands where is_own") == [("Renamed",)]
    assert warehouse.query("select count(distinct id) from results") == [(10,)]
    unit = "brand_id, prompt_id, platform, country, finalized_at"
    joined = f"select count(*) from results join mentions using ({unit})"  # noqa: S608 -- no value of a caller
    assert warehouse.query(joined) == [(10,)]


def test_columns_have_one_type_and_windows_are_series_of_their_own(
    product: Live, warehouse: Warehouse
) -> None:
    brand = product.create_brand()
    product.create_prompt(brand, "Which window?")
    product.scan(brand)
    eventually(lambda: product.client.all("list_scores", product.org_id, brand, window="7d"))
    warehouse.load(windows=["day", "7d"])
    found = warehouse.query('select series, "window" from scores order by 1, 2')
    assert found == [("US", "7d"), ("US", "day"), ("all", "7d"), ("all", "day")]
    # A value that does not fit the type of its column would be in a second column.
    columns = """select column_name, data_type from information_schema.columns
                 where table_schema = 'brand_visibility'"""
    types = dict(warehouse.query(f"{columns} and table_name = 'scores'"))
    assert (types["score"], types["run_date"], types["units_total"]) == ("DOUBLE", "DATE", "BIGINT")
    assert types["computed_at"] == "TIMESTAMP WITH TIME ZONE"
    names = [name for name, _ in warehouse.query(columns)]
    assert [name for name in names if "__v_" in name] == []


def test_an_unknown_window_is_an_invalid_argument(customer: Customer) -> None:
    with pytest.raises(ValueError, match="no window 9d; windows are day, 7d, 28d"):
        brand_visibility(customer.base_url, customer.key, windows=["9d"])


def test_without_dlt_the_import_says_what_to_install() -> None:
    hidden = "import sys; sys.modules['dlt'] = None; import bv_sdk.dlt"
    done = subprocess.run(  # noqa: S603 -- the program above
        [sys.executable, "-c", hidden], capture_output=True, text=True, check=False
    )
    assert "pip install 'bv-sdk[dlt]'" in done.stderr
