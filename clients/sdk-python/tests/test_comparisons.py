"""Runs clients/sdk-scenarios/comparisons.json, precisions.json and experiments.json."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import load, only

from bv_sdk import describe_comparison, describe_experiment, describe_precision


@pytest.mark.parametrize("row", load("comparisons")["scenarios"], ids=lambda row: row["id"])
def test_comparison(row: dict[str, Any]) -> None:
    only(row, "id", "title", "comparison", "expected")
    assert describe_comparison(row["comparison"]) == only(row["expected"], "text")["text"]


@pytest.mark.parametrize("row", load("precisions")["scenarios"], ids=lambda row: row["id"])
def test_precision(row: dict[str, Any]) -> None:
    only(row, "id", "title", "precision", "expected")
    assert describe_precision(row["precision"]) == only(row["expected"], "text")["text"]


@pytest.mark.parametrize("row", load("experiments")["scenarios"], ids=lambda row: row["id"])
def test_experiment(row: dict[str, Any]) -> None:
    only(row, "id", "title", "experiment", "expected")
    assert describe_experiment(row["experiment"]) == only(row["expected"], "text")["text"]
