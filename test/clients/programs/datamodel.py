"""Uses the models of datamodel-code-generator, with httpx for the requests."""

import json
import os

import httpx
from models import BrandPage, CreatePromptRequest, ErrorResponse, MentionPage, PromptEnvelope

env = os.environ
org, brand, other = env["BV_ORG"], env["BV_BRAND"], env["BV_OTHER_BRAND"]


def client(url, key):
    return httpx.Client(base_url=env[url], headers={"authorization": f"Bearer {env[key]}"}, timeout=30)


live = client("BV_BASE_URL", "BV_API_KEY")
proxy = client("BV_PROXY_URL", "BV_API_KEY")
limited = client("BV_BASE_URL", "BV_LIMITED_KEY")


def names(http):
    response = http.get(f"/orgs/{org}/brands", params={"is_own": True}).raise_for_status()
    return sorted(row.name for row in BrandPage.model_validate_json(response.content).data)


def read_pages():
    pages, mentions = 0, set()
    params = {"limit": env["BV_PAGE_SIZE"]}
    while True:
        response = proxy.get(f"/orgs/{org}/brands/{brand}/mentions", params=params).raise_for_status()
        page = MentionPage.model_validate_json(response.content)
        pages += 1
        mentions.update((row.prompt_id, row.country, row.platform) for row in page.data)
        if page.pagination.next_cursor is None:
            return pages, len(mentions)
        params["cursor"] = page.pagination.next_cursor


def create(text):
    body = CreatePromptRequest(text=text, countries=["US"])
    headers = {"Idempotency-Key": env["BV_PROMPT"]}
    return live.post(f"/orgs/{org}/brands/{other}/prompts", headers=headers, json=body.model_dump(mode="json"))


def create_id():
    return PromptEnvelope.model_validate_json(create(env["BV_PROMPT"]).raise_for_status().content).data.id


def refusal(response):
    return f"{response.status_code} {ErrorResponse.model_validate_json(response.content).error.code}"


def exceed():
    for _ in range(10):
        response = limited.get("/orgs")
        if response.status_code != 200:
            return refusal(response)


pages, mentions = read_pages()
outcome = {
    "own_brands": names(live),
    "pages": pages,
    "mentions": mentions,
    "replayed": create_id() == create_id(),
    "conflict": refusal(create("Another text?")),
    "limited": exceed(),
    "unknown_field": names(proxy),
    "unknown_field_of_error": refusal(proxy.get(f"/orgs/{env['BV_UNKNOWN_ORG']}/brands")),
}
print(json.dumps(outcome))
