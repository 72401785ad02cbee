"""Runs clients/sdk-scenarios/comparisons.json."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import load, only

from bv_sdk import describe_comparison


@pytest.mark.parametrize("row", load("comparisons")["scenarios"], ids=lambda row: row["id"])
def test_comparison(row: dict[str, Any]) -> None:
    only(row, "id", "title", "comparison", "expected")
    assert describe_comparison(row["comparison"]) == only(row["expected"], "text")["text"]
