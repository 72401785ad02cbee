"""Uses the installed wheel against the running product. It has its dependencies and nothing else of the workspace."""

import asyncio
import importlib.util
import uuid
from importlib.metadata import distribution
from pathlib import Path

from bv_sdk import (
    ApiError,
    AsyncBrandVisibilityClient,
    BrandVisibilityClient,
    error_details,
    sign_webhook,
    verify_webhook,
)

files = [str(file) for file in distribution("bv-sdk").files or []]
assert "bv_sdk/py.typed" in files
assert not [file for file in files if "test" in file or "generate" in file], files
assert importlib.util.find_spec("dlt") is None
assert "site-packages" in str(Path(importlib.util.find_spec("bv_sdk").origin))

name = uuid.uuid4().hex
client = BrandVisibilityClient()
org = next(iter(client.list_orgs()))["id"]
brand = client.create_property(org, {"name": name, "domain": f"{name}.com"})["id"]
for text in ("One?", "Two?", "Three?"):
    client.create_prompt(org, brand, {"text": text, "countries": ["US"]})
try:
    client.create_property(org, {"name": name, "domain": f"{name}.com"})
except ApiError as error:
    assert error_details(error, "brand_exists") == {"existing_id": brand}


async def read() -> list[str]:
    async with AsyncBrandVisibilityClient() as own:
        return [prompt["text"] async for prompt in own.list_prompts(org, brand_id=brand, limit=2)]


assert asyncio.run(read()) == ["One?", "Two?", "Three?"]
body, secret = '{"id":"e","type":"endpoint.ping","data":{}}', "whsec_MDEyMzQ1Njc4OWFiY2RlZg=="
assert verify_webhook(sign_webhook(body, secret), body, secret)["type"] == "endpoint.ping"
print("works")
