"""The Python examples of the README, the guides and the notebook run against the running product."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from live.customers import Customer, Live, eventually

from bv_sdk import sign_webhook

PACKAGE = Path(__file__).parents[2]
GUIDES = PACKAGE.parents[1] / "docs/guides"
PAGES = {
    "README": PACKAGE / "README.md",
    "quick-start": GUIDES / "quick-start.md",
    "clients": GUIDES / "clients.md",
    "warehouse": GUIDES / "warehouse.md",
}


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"^```python(?: \[Python\])?\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_examples_are_typed_strictly_with_the_installed_package(name: str, tmp_path: Path) -> None:
    blocks = python_blocks(PAGES[name])
    assert blocks
    program = tmp_path / "example.py"
    program.write_text("\n".join(blocks))
    words = [
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        f"--cache-dir={tmp_path / 'cache'}",
        str(program),
    ]
    done = subprocess.run(  # noqa: S603 -- the program above
        [sys.executable, *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("name", PAGES)
def test_examples_run(name: str, customer: Customer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BV_BASE_URL", customer.base_url)
    monkeypatch.setenv("BV_API_KEY", customer.key)
    # The pipeline of the example keeps its state below the home directory.
    monkeypatch.setenv("DLT_DATA_DIR", str(tmp_path / "dlt"))
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {"__name__": "example"}
    for block in python_blocks(PAGES[name]):
        exec(compile(block, str(PAGES[name]), "exec"), scope)  # noqa: S102 -- our own documentation
    if name == "README":
        check_quick_start(scope, customer)


def check_quick_start(scope: dict[str, object], customer: Customer) -> None:
    live = Live(customer, "sync")
    jobs = [scope["job"]]
    assert [job["status"] for job in jobs if isinstance(job, dict)] == ["completed"]
    assert live.client.all("list_prompts", customer.org_id, brand_id=str(scope["brand_id"]))
    live.close()
    receive, secret = scope["receive"], "whsec_AAAA"
    assert callable(receive)
    body = b'{"id":"e","type":"endpoint.ping","data":{}}'
    assert receive(sign_webhook(body, secret), body, secret) == 204
    assert receive({}, body, secret) == 400


def test_the_notebook_draws_the_trend_with_its_band(
    customer: Customer, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Live(customer, "sync")
    brand = live.create_brand(name="Pipedrive", domain="pipedrive.com")
    live.create_prompt(brand, "Which CRM is best for a small company?")
    live.scan(brand)
    eventually(lambda: live.client.all("list_scores", customer.org_id, brand, window="7d"))
    live.close()
    monkeypatch.setenv("BV_BASE_URL", customer.base_url)
    monkeypatch.setenv("BV_API_KEY", customer.key)
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = PACKAGE / "examples/visibility.ipynb"
    scope: dict[str, Any] = {"__name__": "notebook"}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(notebook), "exec"), scope)  # noqa: S102 -- our own example
    [band] = scope["axes"].collections
    [line] = scope["axes"].lines
    assert band.get_paths()[0].get_extents().height > 0
    assert list(line.get_ydata()) == list(scope["scores"].mention_rate)
    assert len(scope["platforms"]) > 1
    assert list(scope["prompts"].label) == ["Which CRM is best for a small company?"]
