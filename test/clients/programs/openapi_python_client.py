"""Uses the client of openapi-python-client."""

import json
import os
from uuid import UUID

from client import AuthenticatedClient
from client.api.brands import list_brands
from client.api.organisations import list_orgs
from client.api.prompts import create_prompt
from client.api.results import list_mentions
from client.models import BrandPage, CreatePromptRequest, ErrorResponse, MentionPage, PromptEnvelope

env = os.environ
live = AuthenticatedClient(base_url=env["BV_BASE_URL"], token=env["BV_API_KEY"])
proxy = AuthenticatedClient(base_url=env["BV_PROXY_URL"], token=env["BV_API_KEY"])
limited = AuthenticatedClient(base_url=env["BV_BASE_URL"], token=env["BV_LIMITED_KEY"])
org, brand, other = (UUID(env[name]) for name in ("BV_ORG", "BV_BRAND", "BV_OTHER_BRAND"))


def names(client):
    page = list_brands.sync(org, client=client, is_own=True)
    assert isinstance(page, BrandPage)
    return sorted(row.name for row in page.data)


def read_pages():
    pages, mentions = 0, set()
    more = {}
    while True:
        page = list_mentions.sync(org, brand, client=proxy, limit=int(env["BV_PAGE_SIZE"]), **more)
        assert isinstance(page, MentionPage)
        pages += 1
        mentions.update((row.prompt_id, row.country, row.platform) for row in page.data)
        if page.pagination.next_cursor is None:
            return pages, len(mentions)
        more = {"cursor": page.pagination.next_cursor}


def create(text):
    body = CreatePromptRequest(text=text, countries=["US"])
    return create_prompt.sync_detailed(org, other, client=live, body=body, idempotency_key=env["BV_PROMPT"])


def refusal(response):
    assert isinstance(response.parsed, ErrorResponse)
    return f"{response.status_code.value} {response.parsed.error.code}"


def exceed():
    for _ in range(10):
        response = list_orgs.sync_detailed(client=limited)
        if response.status_code != 200:
            return refusal(response)


pages, mentions = read_pages()
first, again = create(env["BV_PROMPT"]).parsed, create(env["BV_PROMPT"]).parsed
assert isinstance(first, PromptEnvelope) and isinstance(again, PromptEnvelope)
outcome = {
    "own_brands": names(live),
    "pages": pages,
    "mentions": mentions,
    "replayed": first.data.id == again.data.id,
    "conflict": refusal(create("Another text?")),
    "limited": exceed(),
    "unknown_field": names(proxy),
    "unknown_field_of_error": refusal(list_brands.sync_detailed(UUID(env["BV_UNKNOWN_ORG"]), client=proxy)),
}
print(json.dumps(outcome))
