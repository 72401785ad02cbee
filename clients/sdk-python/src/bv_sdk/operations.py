# Generated from docs/openapi.json by scripts/generate.py; changes belong in libs/contract.

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from typing_extensions import Unpack

from . import options, types
from .lists import AsyncList, List
from .operation import Operation

API_VERSION = "1.0.0"

OPERATIONS = {
    "getKey": Operation("getKey", "GET", "/key", False),
    "getOrg": Operation("getOrg", "GET", "/orgs/{orgId}", False),
    "listOrgs": Operation("listOrgs", "GET", "/orgs", False),
    "updateLink": Operation("updateLink", "PATCH", "/orgs/{orgId}/link", True),
    "createProperty": Operation("createProperty", "POST", "/orgs/{orgId}/properties", True),
    "getBrand": Operation("getBrand", "GET", "/orgs/{orgId}/brands/{brandId}", False),
    "updateBrand": Operation("updateBrand", "PATCH", "/orgs/{orgId}/brands/{brandId}", True),
    "linkCompetitor": Operation("linkCompetitor", "POST", "/orgs/{orgId}/brands/{brandId}/competitors", True),
    "listBrands": Operation("listBrands", "GET", "/orgs/{orgId}/brands", False),
    "unlinkCompetitor": Operation(
        "unlinkCompetitor", "DELETE", "/orgs/{orgId}/brands/{brandId}/competitors/{competitorId}", True
    ),
    "createPrompt": Operation("createPrompt", "POST", "/orgs/{orgId}/brands/{brandId}/prompts", True),
    "syncPrompts": Operation("syncPrompts", "PUT", "/orgs/{orgId}/brands/{brandId}/prompts", True),
    "listPrompts": Operation("listPrompts", "GET", "/orgs/{orgId}/prompts", False),
    "updatePrompt": Operation("updatePrompt", "PATCH", "/orgs/{orgId}/prompts/{promptId}", True),
    "compareScores": Operation(
        "compareScores", "GET", "/orgs/{orgId}/brands/{brandId}/scores/compare", False
    ),
    "listBrandSummaries": Operation("listBrandSummaries", "GET", "/orgs/{orgId}/brands/summary", False),
    "listMentions": Operation("listMentions", "GET", "/orgs/{orgId}/brands/{brandId}/mentions", False),
    "listPromptResults": Operation(
        "listPromptResults", "GET", "/orgs/{orgId}/prompts/{promptId}/results", False
    ),
    "listScores": Operation("listScores", "GET", "/orgs/{orgId}/brands/{brandId}/scores", False),
    "listShareOfVoice": Operation(
        "listShareOfVoice", "GET", "/orgs/{orgId}/brands/{brandId}/share-of-voice", False
    ),
    "listSources": Operation("listSources", "GET", "/orgs/{orgId}/brands/{brandId}/sources", False),
    "listBreakdown": Operation("listBreakdown", "GET", "/orgs/{orgId}/brands/{brandId}/breakdown", False),
    "listPages": Operation("listPages", "GET", "/orgs/{orgId}/brands/{brandId}/pages", False),
    "getCoverage": Operation("getCoverage", "GET", "/orgs/{orgId}/brands/{brandId}/coverage", False),
    "listDiscoveredBrands": Operation(
        "listDiscoveredBrands", "GET", "/orgs/{orgId}/brands/{brandId}/discovered-brands", False
    ),
    "getPrecision": Operation("getPrecision", "GET", "/orgs/{orgId}/brands/{brandId}/precision", False),
    "getChanges": Operation("getChanges", "GET", "/orgs/{orgId}/changes", False),
    "createExperiment": Operation(
        "createExperiment", "POST", "/orgs/{orgId}/brands/{brandId}/experiments", True
    ),
    "listExperiments": Operation(
        "listExperiments", "GET", "/orgs/{orgId}/brands/{brandId}/experiments", False
    ),
    "getExperiment": Operation(
        "getExperiment", "GET", "/orgs/{orgId}/brands/{brandId}/experiments/{experimentId}", False
    ),
    "stopExperiment": Operation(
        "stopExperiment", "POST", "/orgs/{orgId}/brands/{brandId}/experiments/{experimentId}/stop", True
    ),
    "getReprocess": Operation(
        "getReprocess", "GET", "/orgs/{orgId}/brands/{brandId}/reprocess-requests/{jobId}", False
    ),
    "reprocessBrand": Operation(
        "reprocessBrand", "POST", "/orgs/{orgId}/brands/{brandId}/reprocess-requests", True
    ),
    "getScan": Operation("getScan", "GET", "/orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}", False),
    "getScanPreview": Operation(
        "getScanPreview", "GET", "/orgs/{orgId}/brands/{brandId}/scan-preview", False
    ),
    "requestScan": Operation("requestScan", "POST", "/orgs/{orgId}/brands/{brandId}/scan-requests", True),
    "getMethodology": Operation("getMethodology", "GET", "/methodology", False),
    "createSubscription": Operation(
        "createSubscription", "POST", "/webhook-endpoints/{endpointId}/subscriptions", True
    ),
    "listSubscriptions": Operation(
        "listSubscriptions", "GET", "/webhook-endpoints/{endpointId}/subscriptions", False
    ),
    "createWebhookEndpoint": Operation("createWebhookEndpoint", "POST", "/webhook-endpoints", True),
    "listWebhookEndpoints": Operation("listWebhookEndpoints", "GET", "/webhook-endpoints", False),
    "deleteSubscription": Operation(
        "deleteSubscription", "DELETE", "/webhook-endpoints/{endpointId}/subscriptions/{subscriptionId}", True
    ),
    "deleteWebhookEndpoint": Operation(
        "deleteWebhookEndpoint", "DELETE", "/webhook-endpoints/{endpointId}", True
    ),
    "updateWebhookEndpoint": Operation(
        "updateWebhookEndpoint", "PATCH", "/webhook-endpoints/{endpointId}", True
    ),
    "listDeliveries": Operation("listDeliveries", "GET", "/webhook-endpoints/{endpointId}/deliveries", False),
    "recoverDeliveries": Operation(
        "recoverDeliveries", "POST", "/webhook-endpoints/{endpointId}/recover", True
    ),
    "replayDelivery": Operation(
        "replayDelivery", "POST", "/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay", True
    ),
    "rotateWebhookSecret": Operation(
        "rotateWebhookSecret", "POST", "/webhook-endpoints/{endpointId}/rotate-secret", True
    ),
    "testWebhookEndpoint": Operation(
        "testWebhookEndpoint", "POST", "/webhook-endpoints/{endpointId}/test", True
    ),
}


class Operations:
    """Every operation of the API. The client implements how they are sent."""

    def _call(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        body: object,
        call_options: options.CallOptions,
    ) -> Any:
        raise NotImplementedError

    def _list(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        call_options: options.ListOptions,
    ) -> List[Any]:
        raise NotImplementedError

    def get_key(
        self,
        **call_options: Unpack[options.CallOptions],
    ) -> types.KeyIntrospection:
        """Read the key.

        Describes the key that the request is sent with: its scopes, allowance and quota. It is charged like
        every read. `X-RateLimit-Remaining` of any response has the rest of the minute.

        GET /key.
        """
        data: types.KeyIntrospection = self._call(OPERATIONS["getKey"], {}, {}, None, call_options)
        return data

    def get_org(
        self,
        org_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.OrganisationDetail:
        """Read an organisation.

        The tier, its limits and how much of each is used. Prompts and countries count active prompts of
        brands that are not archived. The counts of scans are null while scans are unavailable.

        GET /orgs/{orgId}.
        """
        data: types.OrganisationDetail = self._call(
            OPERATIONS["getOrg"], {"orgId": org_id}, {}, None, call_options
        )
        return data

    def list_orgs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Organisation]:
        """List organisations.

        One organisation for an organisation key, every linked organisation for a partner key. Ordered by
        `id`. An empty page for a partner without links.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /orgs.
        """
        return self._list(OPERATIONS["listOrgs"], {}, {"limit": limit, "cursor": cursor}, call_options)

    def update_link(
        self,
        org_id: str,
        body: types.UpdateLinkRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Organisation:
        """Update a link.

        Replaces the reference of this link; `null` removes it. It appears as `external_ref` of the
        organisation and in webhooks. Other partners have references of their own. Needs the `write` scope.
        Partner keys only.

        PATCH /orgs/{orgId}/link.
        """
        data: types.Organisation = self._call(
            OPERATIONS["updateLink"], {"orgId": org_id}, {}, body, call_options
        )
        return data

    def create_property(
        self,
        org_id: str,
        body: types.CreatePropertyRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.CreatedProperty:
        """Create a property.

        1. Checks, which write nothing: the domain and `external_ref` are new, and the limits of brands and
          countries suffice.
        2. Creates the brand.
        3. Links each competitor in turn, at most 50. One of the organisation with the same domain is reused
          with its stored name.

        A refused competitor does not undo the brand. The error then has `details.brand_id` and the outcome
        of each competitor. Link the others with `linkCompetitor`; do not repeat this request. `markets` are
        checked and returned, not stored. Nothing is measured before the brand has a prompt. Needs the
        `write` scope.

        POST /orgs/{orgId}/properties.
        """
        data: types.CreatedProperty = self._call(
            OPERATIONS["createProperty"], {"orgId": org_id}, {}, body, call_options
        )
        return data

    def get_brand(
        self,
        org_id: str,
        brand_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.BrandDetail:
        """Read a brand.

        An own brand with its competitors, or a competitor. `last_scan_changed_at` moves with every change
        of the results of the brand, so compare it before you read results again.

        GET /orgs/{orgId}/brands/{brandId}.
        """
        data: types.BrandDetail = self._call(
            OPERATIONS["getBrand"], {"orgId": org_id, "brandId": brand_id}, {}, None, call_options
        )
        return data

    def update_brand(
        self,
        org_id: str,
        brand_id: str,
        body: types.UpdateBrandRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.BrandDetail:
        """Update a brand.

        Omitted fields stay as they are. Answers are read with the new identity from the next unit on;
        `reprocessBrand` reads stored answers with it. A competitor changes for every own brand that it is
        linked to. Archived brands accept it. For a competitor, `geography` and `external_ref` are refused
        with `own_brand_only`. Needs the `write` scope.

        PATCH /orgs/{orgId}/brands/{brandId}.
        """
        data: types.BrandDetail = self._call(
            OPERATIONS["updateBrand"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def link_competitor(
        self,
        org_id: str,
        brand_id: str,
        body: types.CompetitorInput,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.LinkedCompetitor:
        """Link a competitor.

        The competitor is searched for from the next unit on, and in stored answers after `reprocessBrand`.
        One of the organisation with the same domain is reused and keeps its name, aliases and match rules.
        It counts towards the limit of competitors. A competitor that is already linked is a `conflict`; the
        domain of the own brand is `competitor_is_self`. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/competitors.
        """
        data: types.LinkedCompetitor = self._call(
            OPERATIONS["linkCompetitor"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def list_brands(
        self,
        org_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        is_own: bool | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Brand]:
        """List brands.

        Own brands and competitors, unless `is_own` selects one kind. Ordered by `created_at`, then `id`.
        Archived brands are omitted; `getBrand` reads them.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `is_own`: `true` for own brands only, `false` for competitors only.

        GET /orgs/{orgId}/brands.
        """
        return self._list(
            OPERATIONS["listBrands"],
            {"orgId": org_id},
            {"limit": limit, "cursor": cursor, "is_own": is_own},
            call_options,
        )

    def unlink_competitor(
        self,
        org_id: str,
        brand_id: str,
        competitor_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Deleted:
        """Unlink a competitor.

        The competitor is no longer searched for in answers about this brand, and its place under the limit
        is free. The competitor itself, its other links and earlier results stay. Answers that were read
        while it was tracked do not list it as a discovered brand until you reprocess the brand. A
        competitor that is not linked is `not_found`. Archived brands accept it. Needs the `write` scope.

        DELETE /orgs/{orgId}/brands/{brandId}/competitors/{competitorId}.
        """
        data: types.Deleted = self._call(
            OPERATIONS["unlinkCompetitor"],
            {"orgId": org_id, "brandId": brand_id, "competitorId": competitor_id},
            {},
            None,
            call_options,
        )
        return data

    def create_prompt(
        self,
        org_id: str,
        brand_id: str,
        body: types.CreatePromptRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Prompt:
        """Create a prompt.

        From the next scan on, the prompt is put to each of its platforms in each of its countries. While
        active it counts towards the limits of prompts and countries. An active prompt with the same text is
        a `conflict`; case and surrounding spaces do not count. Archived brands refuse it. The text cannot
        be changed later. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/prompts.
        """
        data: types.Prompt = self._call(
            OPERATIONS["createPrompt"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def sync_prompts(
        self,
        org_id: str,
        brand_id: str,
        body: types.SyncPromptsRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.PromptSyncResult:
        """Sync prompts.

        A sync deactivates every active prompt of the brand that `prompts` does not list, and an empty list
        deactivates all. `deactivate_missing: false` prevents that.

        `prompts` has at most 1000 rows and is the desired state. After the deactivations, the rows are
        applied in order. A text that the brand lacks is created, an inactive one reactivated, an active one
        updated.

        An invalid row or a text twice refuses the whole list with `400`. Otherwise each row is applied on
        its own. A refused row, such as one above a limit, is `failed` with its `error` in a `200`, and the
        others stay applied, so read `summary.failed`. Platforms and tags that a row omits stay as they are
        on an existing prompt. Prompts are never deleted. Needs the `write` scope.

        PUT /orgs/{orgId}/brands/{brandId}/prompts.
        """
        data: types.PromptSyncResult = self._call(
            OPERATIONS["syncPrompts"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def list_prompts(
        self,
        org_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        brand_id: str | None = None,
        active: bool | None = None,
        tag: str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Prompt]:
        """List prompts.

        Prompts of all own brands, active and inactive. Ordered by `created_at`, then `id`. Filters are
        combined.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `brand_id`: Only prompts of this own brand.
        - `active`: `true` for active prompts only, `false` for inactive ones only.
        - `tag`: Only prompts with this label.
        - `platform`: Only prompts that are put to this platform.
        - `country`: Only prompts that are put in this market, ISO 3166-1 alpha-2.

        GET /orgs/{orgId}/prompts.
        """
        return self._list(
            OPERATIONS["listPrompts"],
            {"orgId": org_id},
            {
                "limit": limit,
                "cursor": cursor,
                "brand_id": brand_id,
                "active": active,
                "tag": tag,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    def update_prompt(
        self,
        org_id: str,
        prompt_id: str,
        body: types.UpdatePromptRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Prompt:
        """Update a prompt.

        Omitted fields stay as they are; a list replaces the stored one. `active: true` reactivates the
        prompt and is checked like a creation. `active: false` frees its place under the limits and is
        always accepted, for an archived brand only as the sole field. A change counts from the next scan
        on. Needs the `write` scope.

        PATCH /orgs/{orgId}/prompts/{promptId}.
        """
        data: types.Prompt = self._call(
            OPERATIONS["updatePrompt"], {"orgId": org_id, "promptId": prompt_id}, {}, body, call_options
        )
        return data

    def compare_scores(
        self,
        org_id: str,
        brand_id: str,
        *,
        from_a: date | str | None = None,
        to_a: date | str | None = None,
        from_b: date | str | None = None,
        to_b: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        metric: Literal["score", "mention_rate", "sentiment", "citation_rate", "share_of_voice"]
        | None = None,
        confidence: float | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ScoreComparison:
        """Compare two windows.

        Compares the same prompts: only cells (prompt, country, platform) with an answer in both windows
        count, for sentiment those with a sentiment in both. The difference of a prompt is the mean of those
        of its cells. The difference is the mean over prompts, with the paired t interval; a share of voice
        has the interval of the jackknife over prompts. Each window has at most 92 days, and either may be
        the earlier one. They must not share a day. Both dates of a window are sent together.

        - `from_a`: First day of window a (UTC), included. Default: 7 days before window b.
        - `to_a`: Last day of window a (UTC), included. Default: the day before window b.
        - `from_b`: First day of window b (UTC), included. Default: 6 days before today.
        - `to_b`: Last day of window b (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `metric`: Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or
          `share_of_voice`.
        - `confidence`: Confidence of the interval and of the verdict: 0.8, 0.9, 0.95, 0.99, 0.999 or
          0.9999. For m comparisons at once, take 1 − 0.05 / m or more.

        GET /orgs/{orgId}/brands/{brandId}/scores/compare.
        """
        data: types.ScoreComparison = self._call(
            OPERATIONS["compareScores"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "from_a": from_a,
                "to_a": to_a,
                "from_b": from_b,
                "to_b": to_b,
                "platform": platform,
                "country": country,
                "metric": metric,
                "confidence": confidence,
            },
            None,
            call_options,
        )
        return data

    def list_brand_summaries(
        self,
        org_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.BrandSummary]:
        """List brand summaries.

        Own brands that are not archived, ordered by `id`. The figures are those of the latest day over all
        markets; that day can differ between brands. Poll this list: read the results of a brand again only
        if its `changed_at` differs.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /orgs/{orgId}/brands/summary.
        """
        return self._list(
            OPERATIONS["listBrandSummaries"],
            {"orgId": org_id},
            {"limit": limit, "cursor": cursor},
            call_options,
        )

    def list_mentions(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Mention]:
        """List mentions.

        One row per finalised unit of all prompts of the brand, inactive ones included. It says whether and
        how the answer mentions the own brand. Ordered by `run_date`, `finalized_at` and `id`, newest first.
        Meant for bulk reads: up to 1000 rows a page. Every page shows what was final at the first page; if
        the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/brands/{brandId}/mentions.
        """
        return self._list(
            OPERATIONS["listMentions"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    def list_prompt_results(
        self,
        org_id: str,
        prompt_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.PromptResult]:
        """List prompt results.

        One result per unit, with the text of the answer, its sources and the tracked brands. Ordered by
        `run_date`, `finalized_at` and `id`, newest first. Units that failed have no result. Every page
        shows what was final at the first page; if the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/prompts/{promptId}/results.
        """
        return self._list(
            OPERATIONS["listPromptResults"],
            {"orgId": org_id, "promptId": prompt_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    def list_scores(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        country: str | None = None,
        window: Literal["day", "7d", "28d"] | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Score]:
        """List scores.

        Without `country` the rows are those of the series over all markets (`country: null`), not one row
        for each market. One row for each day with results, newest first.

        A row of a `window` of 7 or 28 days pools all answers of the days up to its `run_date`. It is the
        mean over the cells (prompt, country, platform) of the mean of each cell.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `country`: The series of this market, ISO 3166-1 alpha-2. When omitted: the series over all
          markets.
        - `window`: Days that each row pools, up to its `run_date`: `day` (one), `7d` or `28d`.

        GET /orgs/{orgId}/brands/{brandId}/scores.
        """
        return self._list(
            OPERATIONS["listScores"],
            {"orgId": org_id, "brandId": brand_id},
            {"limit": limit, "cursor": cursor, "from": from_, "to": to, "country": country, "window": window},
            call_options,
        )

    def list_share_of_voice(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.ShareOfVoice]:
        """List share of voice.

        One row per day for the own brand and each competitor. Ordered by `run_date` (newest first), `rank`
        and `brand_id`. `platform` and `country` select the answers that count. For a prompt, platform,
        country and day only the latest answer counts.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/brands/{brandId}/share-of-voice.
        """
        return self._list(
            OPERATIONS["listShareOfVoice"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    def list_sources(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        gap: bool | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Source]:
        """List cited domains.

        One row per domain, counted over the whole window. Ordered by `citations` (highest first), then
        `domain`; with `gap=true` by `units_gap`. Only links that answers cite count; every answer counts,
        also repeats of a day. Every page shows what was final at the first page; if the results change, the
        cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `gap`: `true`: only where answers mention a competitor and not the own brand, most such answers
          first. `false` is the same as omitting it.

        GET /orgs/{orgId}/brands/{brandId}/sources.
        """
        return self._list(
            OPERATIONS["listSources"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "gap": gap,
            },
            call_options,
        )

    def list_breakdown(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        by: Literal["prompt", "tag", "platform", "country", "model", "prompt_kind"] | None = None,
        series: Literal["none", "day", "week"] | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        tag: str | None = None,
        prompt_kind: Literal["branded", "competitor", "unbranded"] | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.BreakdownRow]:
        """List a breakdown.

        One row for each slice with a unit, over the whole window or by day or week. All answers of the
        window count, repeats of a day included. A figure is the mean over the cells (prompt, country,
        platform) of the slice, the share of voice a ratio of counts. Tags, texts and names are those of
        now; inactive prompts keep their rows. Ordered by `key`, then `date`. If the results change, the
        cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `by`: What the rows are slices of. Required on the first page.
        - `series`: Days that a row pools: the window (`none`, also when omitted), a `day`, or a `week` from
          Monday to Sunday.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `tag`: Only prompts with this tag; empty: only prompts without tags.
        - `prompt_kind`: Only prompts whose text mentions the own brand, competitors only, or no tracked
          brand.

        GET /orgs/{orgId}/brands/{brandId}/breakdown.
        """
        return self._list(
            OPERATIONS["listBreakdown"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "by": by,
                "series": series,
                "platform": platform,
                "country": country,
                "tag": tag,
                "prompt_kind": prompt_kind,
            },
            call_options,
        )

    def list_pages(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        domain: str | None = None,
        gap: bool | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.CitedUrl]:
        """List cited pages.

        One row per page, counted over the whole window. Ordered by `units_cited` (highest first), then
        `url`; with `gap=true` by `units_gap` instead. Only links that answers cite count; every answer
        counts, also repeats of a day. If the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `domain`: Only pages of this domain. A URL or a subdomain selects its registrable domain.
        - `gap`: `true`: only where answers mention a competitor and not the own brand, most such answers
          first. `false` is the same as omitting it.

        GET /orgs/{orgId}/brands/{brandId}/pages.
        """
        return self._list(
            OPERATIONS["listPages"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "domain": domain,
                "gap": gap,
            },
            call_options,
        )

    def get_coverage(
        self,
        org_id: str,
        brand_id: str,
        *,
        subject: Literal["brands", "domains", "pages"] | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Coverage:
        """Estimate what is unseen.

        Estimates how many brands, domains or pages no answer has shown yet, from those that only one or two
        answers have shown. Returns the coverage of the answers, and the total that exists at least. A name
        that is read wrongly occurs once and makes the total too large.

        - `subject`: What to count: `brands` (tracked and discovered), cited `domains` or cited `pages`.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/brands/{brandId}/coverage.
        """
        data: types.Coverage = self._call(
            OPERATIONS["getCoverage"],
            {"orgId": org_id, "brandId": brand_id},
            {"subject": subject, "from": from_, "to": to, "platform": platform, "country": country},
            None,
            call_options,
        )
        return data

    def list_discovered_brands(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        min_units: int | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.DiscoveredBrand]:
        """List untracked brands.

        Brands in answers about an own brand that are not tracked. One row per name that answers present,
        counted over the whole window; every answer with a stored text counts. A tracked brand never
        appears, from the moment it is linked. To track a name, link it as a competitor and reprocess the
        brand: its history is then complete. Ordered by `units_mentioned` (highest first), then `key`. If
        the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `min_units`: Only names in at least so many answers.

        GET /orgs/{orgId}/brands/{brandId}/discovered-brands.
        """
        return self._list(
            OPERATIONS["listDiscoveredBrands"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "min_units": min_units,
            },
            call_options,
        )

    def get_precision(
        self,
        org_id: str,
        brand_id: str,
        *,
        metric: Literal["mention_rate", "score", "citation_rate"] | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        width: float | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Precision:
        """Read the precision.

        Separates the variance of answers by what causes it: prompts, strata (a platform in a market), both
        together, and repeats. It gives the interval of the figure, the smallest change that can be found,
        and the effect of more prompts or repeats. The window has at most 92 days, both ends counted.

        - `metric`: Figure: `mention_rate`, `score` or `citation_rate`.
        - `from_`: First day of the window (UTC), included. Default: 27 days before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `width`: Half width that is wanted, in points.

        GET /orgs/{orgId}/brands/{brandId}/precision.
        """
        data: types.Precision = self._call(
            OPERATIONS["getPrecision"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "metric": metric,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "width": width,
            },
            None,
            call_options,
        )
        return data

    def get_changes(
        self,
        org_id: str,
        *,
        window_days: int | None = None,
        metric: Literal["score", "mention_rate", "sentiment", "citation_rate", "share_of_voice"]
        | None = None,
        country: str | None = None,
        fdr: float | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Changes:
        """Find changed brands.

        Compares each own brand that is not archived as compareScores does: the last 7 or 28 days against as
        many days before. Of many brands some seem to change by chance. Therefore the verdicts keep the
        share of false ones among all `up` and `down` at `fdr` (Benjamini and Hochberg). That holds for
        brands that do not move together. At most 500 brands, those with the newest results first. All rows
        are of one moment.

        - `window_days`: Days of each window: 7 or 28.
        - `metric`: Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or
          `share_of_voice`.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `fdr`: Accepted share of false changes among the rows with `up` or `down`, 0.001 to 0.5.

        GET /orgs/{orgId}/changes.
        """
        data: types.Changes = self._call(
            OPERATIONS["getChanges"],
            {"orgId": org_id},
            {"window_days": window_days, "metric": metric, "country": country, "fdr": fdr},
            None,
            call_options,
        )
        return data

    def create_experiment(
        self,
        org_id: str,
        brand_id: str,
        body: types.CreateExperimentRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Experiment:
        """Register an experiment.

        Says in advance which prompts a change is for, which it is not for, and when it starts. The result
        compares how both arms changed, so that what reaches all prompts, such as a new model, does not
        count. An experiment cannot be changed. A brand has at most 50 that are not completed or stopped.
        Each arm has at least five prompts. Tags are resolved to prompts now; later changes of tags change
        nothing. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/experiments.
        """
        data: types.Experiment = self._call(
            OPERATIONS["createExperiment"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def list_experiments(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Experiment]:
        """List experiments.

        Newest first. Nothing deletes an experiment, except the purge of its organisation.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /orgs/{orgId}/brands/{brandId}/experiments.
        """
        return self._list(
            OPERATIONS["listExperiments"],
            {"orgId": org_id, "brandId": brand_id},
            {"limit": limit, "cursor": cursor},
            call_options,
        )

    def get_experiment(
        self,
        org_id: str,
        brand_id: str,
        experiment_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Experiment:
        """Read an experiment.

        While it runs, `result` shows the effect with its interval. `verdict` and the p-values come at the
        end, because a reader who looks daily stops when chance suits.

        GET /orgs/{orgId}/brands/{brandId}/experiments/{experimentId}.
        """
        data: types.Experiment = self._call(
            OPERATIONS["getExperiment"],
            {"orgId": org_id, "brandId": brand_id, "experimentId": experiment_id},
            {},
            None,
            call_options,
        )
        return data

    def stop_experiment(
        self,
        org_id: str,
        brand_id: str,
        experiment_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Experiment:
        """Stop an experiment.

        For an experiment whose change was not made, or was undone. It keeps the result of its days up to
        now, and never has a verdict. For a completed or stopped one it returns `409 conflict`. Needs the
        `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/experiments/{experimentId}/stop.
        """
        data: types.Experiment = self._call(
            OPERATIONS["stopExperiment"],
            {"orgId": org_id, "brandId": brand_id, "experimentId": experiment_id},
            {},
            None,
            call_options,
        )
        return data

    def get_reprocess(
        self,
        org_id: str,
        brand_id: str,
        job_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ReprocessJob:
        """Read a reprocess job.

        `status` goes from `queued` to `running`, then `completed` or `failed`. A day is replaced at once,
        so no list shows half a day. Poll every few seconds. Jobs that have ended are kept for 30 days.

        GET /orgs/{orgId}/brands/{brandId}/reprocess-requests/{jobId}.
        """
        data: types.ReprocessJob = self._call(
            OPERATIONS["getReprocess"],
            {"orgId": org_id, "brandId": brand_id, "jobId": job_id},
            {},
            None,
            call_options,
        )
        return data

    def reprocess_brand(
        self,
        org_id: str,
        brand_id: str,
        body: types.ReprocessBrandRequest | None = None,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.ReprocessJob:
        """Read stored answers again.

        Queues a job and returns it; `getReprocess` reads its progress. A brand has one job at a time. The
        job uses the current name, aliases, match rules and competitors. It replaces the brand rows, scores,
        shares and source figures of the window, one day at a time. Answers and cited sources do not change,
        and no webhook is sent. Archived brands accept it. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/reprocess-requests.
        """
        data: types.ReprocessJob = self._call(
            OPERATIONS["reprocessBrand"],
            {"orgId": org_id, "brandId": brand_id},
            {},
            {} if body is None else body,
            call_options,
        )
        return data

    def get_scan(
        self,
        org_id: str,
        brand_id: str,
        job_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ScanJob:
        """Read a scan.

        `status` goes from `queued` to `running`, then `completed`, `partial` (some units failed), `failed`
        (all failed) or `cancelled` (the brand was archived first). Results of finished units are readable
        before the scan ends. Poll every few seconds.

        GET /orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}.
        """
        data: types.ScanJob = self._call(
            OPERATIONS["getScan"],
            {"orgId": org_id, "brandId": brand_id, "jobId": job_id},
            {},
            None,
            call_options,
        )
        return data

    def get_scan_preview(
        self,
        org_id: str,
        brand_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ScanPreview:
        """Preview a scan.

        Decides as `requestScan` by a key that may write, and queues nothing. A price is a setting of the
        installation for one unit, whatever its outcome.

        GET /orgs/{orgId}/brands/{brandId}/scan-preview.
        """
        data: types.ScanPreview = self._call(
            OPERATIONS["getScanPreview"], {"orgId": org_id, "brandId": brand_id}, {}, None, call_options
        )
        return data

    def request_scan(
        self,
        org_id: str,
        brand_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.ScanRequest:
        """Request a scan.

        Queues a scan of all active prompts of the brand, on each of their platforms in each of their
        countries. It uses a manual scan of the month, then a scan credit. Both are refunded if nothing was
        measured.

        While a scan of today (UTC) is queued or running, the refusal `scan_already_queued` names it and is
        as good as success. Poll `getScan`, compare `last_scan_changed_at`, or subscribe to
        `scan.completed`. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/scan-requests.
        """
        data: types.ScanRequest = self._call(
            OPERATIONS["requestScan"], {"orgId": org_id, "brandId": brand_id}, {}, None, call_options
        )
        return data

    def get_methodology(
        self,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Methodology:
        """Read the methodology.

        Formulas, rules of detection, the settings of the running service, known limits and every version of
        the method. It is the same for every key.

        GET /methodology.
        """
        data: types.Methodology = self._call(OPERATIONS["getMethodology"], {}, {}, None, call_options)
        return data

    def create_subscription(
        self,
        endpoint_id: str,
        body: types.CreateSubscriptionRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Subscription:
        """Create a subscription.

        An endpoint has at most 100 subscriptions. An equal one is a `conflict`. Events that occurred before
        are not sent.

        **Thresholds.** The side of a threshold (above or below) is kept per partner, brand, series, metric
        and threshold. All subscriptions of the partner share it, so a new subscription to a known threshold
        reports no crossing again. The first evaluation compares with the latest earlier run_date. A side is
        deleted 90 days after the last subscription that covers it.

        **Changes.** `score.changed` compares the last `window_days` days with the same number before, once
        for each brand and day with scans. It is sent if the change has at least the `confidence`. For the
        same brand, metric, market and window, an endpoint receives the next one `2 × window_days − 1` days
        later at the earliest. Then window a is free of the days before that change. Needs the `write`
        scope. Partner keys only.

        POST /webhook-endpoints/{endpointId}/subscriptions.
        """
        data: types.Subscription = self._call(
            OPERATIONS["createSubscription"], {"endpointId": endpoint_id}, {}, body, call_options
        )
        return data

    def list_subscriptions(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Subscription]:
        """List subscriptions.

        The subscriptions of all event types. Ordered by `created_at`, then `id`. Partner keys only.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /webhook-endpoints/{endpointId}/subscriptions.
        """
        return self._list(
            OPERATIONS["listSubscriptions"],
            {"endpointId": endpoint_id},
            {"limit": limit, "cursor": cursor},
            call_options,
        )

    def create_webhook_endpoint(
        self,
        body: types.CreateWebhookEndpointRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.WebhookEndpointWithSecret:
        """Create an endpoint.

        The URL is https with a public host. A ping is sent at once; when the receiver returns 2xx, the
        endpoint becomes `active`. Events before its first success are not sent, also not later. Store
        `secret`: no other response has it, except a replay with the same `Idempotency-Key`. A partner has
        at most 100 endpoints. Needs the `write` scope. Partner keys only.

        POST /webhook-endpoints.
        """
        data: types.WebhookEndpointWithSecret = self._call(
            OPERATIONS["createWebhookEndpoint"], {}, {}, body, call_options
        )
        return data

    def list_webhook_endpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.WebhookEndpoint]:
        """List endpoints.

        Pending, active, failing and disabled ones. Ordered by `id`. The signing secrets are never returned.
        Partner keys only.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /webhook-endpoints.
        """
        return self._list(
            OPERATIONS["listWebhookEndpoints"], {}, {"limit": limit, "cursor": cursor}, call_options
        )

    def delete_subscription(
        self,
        endpoint_id: str,
        subscription_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Deleted:
        """Delete a subscription.

        Nothing new is sent for it. Deliveries that are already queued are sent; their `subscription_id`
        becomes null. Needs the `write` scope. Partner keys only.

        DELETE /webhook-endpoints/{endpointId}/subscriptions/{subscriptionId}.
        """
        data: types.Deleted = self._call(
            OPERATIONS["deleteSubscription"],
            {"endpointId": endpoint_id, "subscriptionId": subscription_id},
            {},
            None,
            call_options,
        )
        return data

    def delete_webhook_endpoint(
        self,
        endpoint_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Deleted:
        """Delete an endpoint.

        Nothing is sent to it any more, waiting deliveries included. Its delivery log is no longer readable.
        Needs the `write` scope. Partner keys only.

        DELETE /webhook-endpoints/{endpointId}.
        """
        data: types.Deleted = self._call(
            OPERATIONS["deleteWebhookEndpoint"], {"endpointId": endpoint_id}, {}, None, call_options
        )
        return data

    def update_webhook_endpoint(
        self,
        endpoint_id: str,
        body: types.UpdateWebhookEndpointRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.WebhookEndpoint:
        """Update an endpoint.

        A new URL is verified like that of a new endpoint: `status` becomes `pending_verification`, a ping
        is sent, and other deliveries wait until it succeeds. Secret and subscriptions stay. Needs the
        `write` scope. Partner keys only.

        PATCH /webhook-endpoints/{endpointId}.
        """
        data: types.WebhookEndpoint = self._call(
            OPERATIONS["updateWebhookEndpoint"], {"endpointId": endpoint_id}, {}, body, call_options
        )
        return data

    def list_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["pending", "delivering", "succeeded", "dead"] | None = None,
        include: Literal["event"] | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> List[types.Delivery]:
        """List deliveries.

        One row per event and endpoint, with the count of its attempts and the outcome of the last one.
        Pings are included. Ordered by `created_at` and `id`, newest first. Deliveries are kept for 30 days.
        With `include=event` each row has the body of its event, for example for a receiver that runs
        without a public address. Partner keys only.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `status`: Only deliveries with this status.
        - `include`: `event` adds the body of each event. A page then has at most 50 deliveries, whatever
          `limit` is.

        GET /webhook-endpoints/{endpointId}/deliveries.
        """
        return self._list(
            OPERATIONS["listDeliveries"],
            {"endpointId": endpoint_id},
            {"limit": limit, "cursor": cursor, "status": status, "include": include},
            call_options,
        )

    def recover_deliveries(
        self,
        endpoint_id: str,
        body: types.RecoverDeliveriesRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.DeliveryRecovery:
        """Recover dead deliveries.

        Queues each delivery of the endpoint that is `dead` and was created at `since` or later, as
        `replayDelivery` does. Pings and deliveries of organisations that are no longer linked are omitted.
        For an endpoint that is not `active` the deliveries wait until a ping succeeds. It can be repeated:
        a delivery that waits, runs or has succeeded is not queued again. Needs the `write` scope. Partner
        keys only.

        POST /webhook-endpoints/{endpointId}/recover.
        """
        data: types.DeliveryRecovery = self._call(
            OPERATIONS["recoverDeliveries"], {"endpointId": endpoint_id}, {}, body, call_options
        )
        return data

    def replay_delivery(
        self,
        endpoint_id: str,
        delivery_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Delivery:
        """Replay a delivery.

        Queues the delivery again at once, with the same event id and a new series of attempts, whatever its
        status. Only an attempt in progress refuses it. For an endpoint that is not `active` it waits until
        a ping succeeds. Needs the `write` scope. Partner keys only.

        POST /webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay.
        """
        data: types.Delivery = self._call(
            OPERATIONS["replayDelivery"],
            {"endpointId": endpoint_id, "deliveryId": delivery_id},
            {},
            None,
            call_options,
        )
        return data

    def rotate_webhook_secret(
        self,
        endpoint_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.WebhookEndpointWithSecret:
        """Rotate the secret.

        The new secret signs at once, and the old one also signs for 24 hours. A second rotation in that
        time ends the oldest secret at once. Store `secret`: no other response has it, except a replay with
        the same `Idempotency-Key`. Needs the `write` scope. Partner keys only.

        POST /webhook-endpoints/{endpointId}/rotate-secret.
        """
        data: types.WebhookEndpointWithSecret = self._call(
            OPERATIONS["rotateWebhookSecret"], {"endpointId": endpoint_id}, {}, None, call_options
        )
        return data

    def test_webhook_endpoint(
        self,
        endpoint_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Delivery:
        """Test an endpoint.

        Sends `endpoint.ping`. A failed ping is not retried. The response is its delivery; read the outcome
        with `listDeliveries`. A ping that succeeds makes an endpoint `active` that was
        `pending_verification` or `failing`, and its waiting deliveries are sent. Needs the `write` scope.
        Partner keys only.

        POST /webhook-endpoints/{endpointId}/test.
        """
        data: types.Delivery = self._call(
            OPERATIONS["testWebhookEndpoint"], {"endpointId": endpoint_id}, {}, None, call_options
        )
        return data


class AsyncOperations:
    """Every operation of the API. The client implements how they are sent."""

    async def _call(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        body: object,
        call_options: options.CallOptions,
    ) -> Any:
        raise NotImplementedError

    def _list(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        call_options: options.ListOptions,
    ) -> AsyncList[Any]:
        raise NotImplementedError

    async def get_key(
        self,
        **call_options: Unpack[options.CallOptions],
    ) -> types.KeyIntrospection:
        """Read the key.

        Describes the key that the request is sent with: its scopes, allowance and quota. It is charged like
        every read. `X-RateLimit-Remaining` of any response has the rest of the minute.

        GET /key.
        """
        data: types.KeyIntrospection = await self._call(OPERATIONS["getKey"], {}, {}, None, call_options)
        return data

    async def get_org(
        self,
        org_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.OrganisationDetail:
        """Read an organisation.

        The tier, its limits and how much of each is used. Prompts and countries count active prompts of
        brands that are not archived. The counts of scans are null while scans are unavailable.

        GET /orgs/{orgId}.
        """
        data: types.OrganisationDetail = await self._call(
            OPERATIONS["getOrg"], {"orgId": org_id}, {}, None, call_options
        )
        return data

    def list_orgs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Organisation]:
        """List organisations.

        One organisation for an organisation key, every linked organisation for a partner key. Ordered by
        `id`. An empty page for a partner without links.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /orgs.
        """
        return self._list(OPERATIONS["listOrgs"], {}, {"limit": limit, "cursor": cursor}, call_options)

    async def update_link(
        self,
        org_id: str,
        body: types.UpdateLinkRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Organisation:
        """Update a link.

        Replaces the reference of this link; `null` removes it. It appears as `external_ref` of the
        organisation and in webhooks. Other partners have references of their own. Needs the `write` scope.
        Partner keys only.

        PATCH /orgs/{orgId}/link.
        """
        data: types.Organisation = await self._call(
            OPERATIONS["updateLink"], {"orgId": org_id}, {}, body, call_options
        )
        return data

    async def create_property(
        self,
        org_id: str,
        body: types.CreatePropertyRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.CreatedProperty:
        """Create a property.

        1. Checks, which write nothing: the domain and `external_ref` are new, and the limits of brands and
          countries suffice.
        2. Creates the brand.
        3. Links each competitor in turn, at most 50. One of the organisation with the same domain is reused
          with its stored name.

        A refused competitor does not undo the brand. The error then has `details.brand_id` and the outcome
        of each competitor. Link the others with `linkCompetitor`; do not repeat this request. `markets` are
        checked and returned, not stored. Nothing is measured before the brand has a prompt. Needs the
        `write` scope.

        POST /orgs/{orgId}/properties.
        """
        data: types.CreatedProperty = await self._call(
            OPERATIONS["createProperty"], {"orgId": org_id}, {}, body, call_options
        )
        return data

    async def get_brand(
        self,
        org_id: str,
        brand_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.BrandDetail:
        """Read a brand.

        An own brand with its competitors, or a competitor. `last_scan_changed_at` moves with every change
        of the results of the brand, so compare it before you read results again.

        GET /orgs/{orgId}/brands/{brandId}.
        """
        data: types.BrandDetail = await self._call(
            OPERATIONS["getBrand"], {"orgId": org_id, "brandId": brand_id}, {}, None, call_options
        )
        return data

    async def update_brand(
        self,
        org_id: str,
        brand_id: str,
        body: types.UpdateBrandRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.BrandDetail:
        """Update a brand.

        Omitted fields stay as they are. Answers are read with the new identity from the next unit on;
        `reprocessBrand` reads stored answers with it. A competitor changes for every own brand that it is
        linked to. Archived brands accept it. For a competitor, `geography` and `external_ref` are refused
        with `own_brand_only`. Needs the `write` scope.

        PATCH /orgs/{orgId}/brands/{brandId}.
        """
        data: types.BrandDetail = await self._call(
            OPERATIONS["updateBrand"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    async def link_competitor(
        self,
        org_id: str,
        brand_id: str,
        body: types.CompetitorInput,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.LinkedCompetitor:
        """Link a competitor.

        The competitor is searched for from the next unit on, and in stored answers after `reprocessBrand`.
        One of the organisation with the same domain is reused and keeps its name, aliases and match rules.
        It counts towards the limit of competitors. A competitor that is already linked is a `conflict`; the
        domain of the own brand is `competitor_is_self`. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/competitors.
        """
        data: types.LinkedCompetitor = await self._call(
            OPERATIONS["linkCompetitor"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def list_brands(
        self,
        org_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        is_own: bool | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Brand]:
        """List brands.

        Own brands and competitors, unless `is_own` selects one kind. Ordered by `created_at`, then `id`.
        Archived brands are omitted; `getBrand` reads them.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `is_own`: `true` for own brands only, `false` for competitors only.

        GET /orgs/{orgId}/brands.
        """
        return self._list(
            OPERATIONS["listBrands"],
            {"orgId": org_id},
            {"limit": limit, "cursor": cursor, "is_own": is_own},
            call_options,
        )

    async def unlink_competitor(
        self,
        org_id: str,
        brand_id: str,
        competitor_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Deleted:
        """Unlink a competitor.

        The competitor is no longer searched for in answers about this brand, and its place under the limit
        is free. The competitor itself, its other links and earlier results stay. Answers that were read
        while it was tracked do not list it as a discovered brand until you reprocess the brand. A
        competitor that is not linked is `not_found`. Archived brands accept it. Needs the `write` scope.

        DELETE /orgs/{orgId}/brands/{brandId}/competitors/{competitorId}.
        """
        data: types.Deleted = await self._call(
            OPERATIONS["unlinkCompetitor"],
            {"orgId": org_id, "brandId": brand_id, "competitorId": competitor_id},
            {},
            None,
            call_options,
        )
        return data

    async def create_prompt(
        self,
        org_id: str,
        brand_id: str,
        body: types.CreatePromptRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Prompt:
        """Create a prompt.

        From the next scan on, the prompt is put to each of its platforms in each of its countries. While
        active it counts towards the limits of prompts and countries. An active prompt with the same text is
        a `conflict`; case and surrounding spaces do not count. Archived brands refuse it. The text cannot
        be changed later. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/prompts.
        """
        data: types.Prompt = await self._call(
            OPERATIONS["createPrompt"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    async def sync_prompts(
        self,
        org_id: str,
        brand_id: str,
        body: types.SyncPromptsRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.PromptSyncResult:
        """Sync prompts.

        A sync deactivates every active prompt of the brand that `prompts` does not list, and an empty list
        deactivates all. `deactivate_missing: false` prevents that.

        `prompts` has at most 1000 rows and is the desired state. After the deactivations, the rows are
        applied in order. A text that the brand lacks is created, an inactive one reactivated, an active one
        updated.

        An invalid row or a text twice refuses the whole list with `400`. Otherwise each row is applied on
        its own. A refused row, such as one above a limit, is `failed` with its `error` in a `200`, and the
        others stay applied, so read `summary.failed`. Platforms and tags that a row omits stay as they are
        on an existing prompt. Prompts are never deleted. Needs the `write` scope.

        PUT /orgs/{orgId}/brands/{brandId}/prompts.
        """
        data: types.PromptSyncResult = await self._call(
            OPERATIONS["syncPrompts"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def list_prompts(
        self,
        org_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        brand_id: str | None = None,
        active: bool | None = None,
        tag: str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Prompt]:
        """List prompts.

        Prompts of all own brands, active and inactive. Ordered by `created_at`, then `id`. Filters are
        combined.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `brand_id`: Only prompts of this own brand.
        - `active`: `true` for active prompts only, `false` for inactive ones only.
        - `tag`: Only prompts with this label.
        - `platform`: Only prompts that are put to this platform.
        - `country`: Only prompts that are put in this market, ISO 3166-1 alpha-2.

        GET /orgs/{orgId}/prompts.
        """
        return self._list(
            OPERATIONS["listPrompts"],
            {"orgId": org_id},
            {
                "limit": limit,
                "cursor": cursor,
                "brand_id": brand_id,
                "active": active,
                "tag": tag,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    async def update_prompt(
        self,
        org_id: str,
        prompt_id: str,
        body: types.UpdatePromptRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Prompt:
        """Update a prompt.

        Omitted fields stay as they are; a list replaces the stored one. `active: true` reactivates the
        prompt and is checked like a creation. `active: false` frees its place under the limits and is
        always accepted, for an archived brand only as the sole field. A change counts from the next scan
        on. Needs the `write` scope.

        PATCH /orgs/{orgId}/prompts/{promptId}.
        """
        data: types.Prompt = await self._call(
            OPERATIONS["updatePrompt"], {"orgId": org_id, "promptId": prompt_id}, {}, body, call_options
        )
        return data

    async def compare_scores(
        self,
        org_id: str,
        brand_id: str,
        *,
        from_a: date | str | None = None,
        to_a: date | str | None = None,
        from_b: date | str | None = None,
        to_b: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        metric: Literal["score", "mention_rate", "sentiment", "citation_rate", "share_of_voice"]
        | None = None,
        confidence: float | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ScoreComparison:
        """Compare two windows.

        Compares the same prompts: only cells (prompt, country, platform) with an answer in both windows
        count, for sentiment those with a sentiment in both. The difference of a prompt is the mean of those
        of its cells. The difference is the mean over prompts, with the paired t interval; a share of voice
        has the interval of the jackknife over prompts. Each window has at most 92 days, and either may be
        the earlier one. They must not share a day. Both dates of a window are sent together.

        - `from_a`: First day of window a (UTC), included. Default: 7 days before window b.
        - `to_a`: Last day of window a (UTC), included. Default: the day before window b.
        - `from_b`: First day of window b (UTC), included. Default: 6 days before today.
        - `to_b`: Last day of window b (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `metric`: Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or
          `share_of_voice`.
        - `confidence`: Confidence of the interval and of the verdict: 0.8, 0.9, 0.95, 0.99, 0.999 or
          0.9999. For m comparisons at once, take 1 − 0.05 / m or more.

        GET /orgs/{orgId}/brands/{brandId}/scores/compare.
        """
        data: types.ScoreComparison = await self._call(
            OPERATIONS["compareScores"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "from_a": from_a,
                "to_a": to_a,
                "from_b": from_b,
                "to_b": to_b,
                "platform": platform,
                "country": country,
                "metric": metric,
                "confidence": confidence,
            },
            None,
            call_options,
        )
        return data

    def list_brand_summaries(
        self,
        org_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.BrandSummary]:
        """List brand summaries.

        Own brands that are not archived, ordered by `id`. The figures are those of the latest day over all
        markets; that day can differ between brands. Poll this list: read the results of a brand again only
        if its `changed_at` differs.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /orgs/{orgId}/brands/summary.
        """
        return self._list(
            OPERATIONS["listBrandSummaries"],
            {"orgId": org_id},
            {"limit": limit, "cursor": cursor},
            call_options,
        )

    def list_mentions(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Mention]:
        """List mentions.

        One row per finalised unit of all prompts of the brand, inactive ones included. It says whether and
        how the answer mentions the own brand. Ordered by `run_date`, `finalized_at` and `id`, newest first.
        Meant for bulk reads: up to 1000 rows a page. Every page shows what was final at the first page; if
        the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/brands/{brandId}/mentions.
        """
        return self._list(
            OPERATIONS["listMentions"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    def list_prompt_results(
        self,
        org_id: str,
        prompt_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.PromptResult]:
        """List prompt results.

        One result per unit, with the text of the answer, its sources and the tracked brands. Ordered by
        `run_date`, `finalized_at` and `id`, newest first. Units that failed have no result. Every page
        shows what was final at the first page; if the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/prompts/{promptId}/results.
        """
        return self._list(
            OPERATIONS["listPromptResults"],
            {"orgId": org_id, "promptId": prompt_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    def list_scores(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        country: str | None = None,
        window: Literal["day", "7d", "28d"] | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Score]:
        """List scores.

        Without `country` the rows are those of the series over all markets (`country: null`), not one row
        for each market. One row for each day with results, newest first.

        A row of a `window` of 7 or 28 days pools all answers of the days up to its `run_date`. It is the
        mean over the cells (prompt, country, platform) of the mean of each cell.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `country`: The series of this market, ISO 3166-1 alpha-2. When omitted: the series over all
          markets.
        - `window`: Days that each row pools, up to its `run_date`: `day` (one), `7d` or `28d`.

        GET /orgs/{orgId}/brands/{brandId}/scores.
        """
        return self._list(
            OPERATIONS["listScores"],
            {"orgId": org_id, "brandId": brand_id},
            {"limit": limit, "cursor": cursor, "from": from_, "to": to, "country": country, "window": window},
            call_options,
        )

    def list_share_of_voice(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.ShareOfVoice]:
        """List share of voice.

        One row per day for the own brand and each competitor. Ordered by `run_date` (newest first), `rank`
        and `brand_id`. `platform` and `country` select the answers that count. For a prompt, platform,
        country and day only the latest answer counts.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/brands/{brandId}/share-of-voice.
        """
        return self._list(
            OPERATIONS["listShareOfVoice"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
            },
            call_options,
        )

    def list_sources(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        gap: bool | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Source]:
        """List cited domains.

        One row per domain, counted over the whole window. Ordered by `citations` (highest first), then
        `domain`; with `gap=true` by `units_gap`. Only links that answers cite count; every answer counts,
        also repeats of a day. Every page shows what was final at the first page; if the results change, the
        cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `gap`: `true`: only where answers mention a competitor and not the own brand, most such answers
          first. `false` is the same as omitting it.

        GET /orgs/{orgId}/brands/{brandId}/sources.
        """
        return self._list(
            OPERATIONS["listSources"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "gap": gap,
            },
            call_options,
        )

    def list_breakdown(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        by: Literal["prompt", "tag", "platform", "country", "model", "prompt_kind"] | None = None,
        series: Literal["none", "day", "week"] | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        tag: str | None = None,
        prompt_kind: Literal["branded", "competitor", "unbranded"] | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.BreakdownRow]:
        """List a breakdown.

        One row for each slice with a unit, over the whole window or by day or week. All answers of the
        window count, repeats of a day included. A figure is the mean over the cells (prompt, country,
        platform) of the slice, the share of voice a ratio of counts. Tags, texts and names are those of
        now; inactive prompts keep their rows. Ordered by `key`, then `date`. If the results change, the
        cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `by`: What the rows are slices of. Required on the first page.
        - `series`: Days that a row pools: the window (`none`, also when omitted), a `day`, or a `week` from
          Monday to Sunday.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `tag`: Only prompts with this tag; empty: only prompts without tags.
        - `prompt_kind`: Only prompts whose text mentions the own brand, competitors only, or no tracked
          brand.

        GET /orgs/{orgId}/brands/{brandId}/breakdown.
        """
        return self._list(
            OPERATIONS["listBreakdown"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "by": by,
                "series": series,
                "platform": platform,
                "country": country,
                "tag": tag,
                "prompt_kind": prompt_kind,
            },
            call_options,
        )

    def list_pages(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        domain: str | None = None,
        gap: bool | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.CitedUrl]:
        """List cited pages.

        One row per page, counted over the whole window. Ordered by `units_cited` (highest first), then
        `url`; with `gap=true` by `units_gap` instead. Only links that answers cite count; every answer
        counts, also repeats of a day. If the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `domain`: Only pages of this domain. A URL or a subdomain selects its registrable domain.
        - `gap`: `true`: only where answers mention a competitor and not the own brand, most such answers
          first. `false` is the same as omitting it.

        GET /orgs/{orgId}/brands/{brandId}/pages.
        """
        return self._list(
            OPERATIONS["listPages"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "domain": domain,
                "gap": gap,
            },
            call_options,
        )

    async def get_coverage(
        self,
        org_id: str,
        brand_id: str,
        *,
        subject: Literal["brands", "domains", "pages"] | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Coverage:
        """Estimate what is unseen.

        Estimates how many brands, domains or pages no answer has shown yet, from those that only one or two
        answers have shown. Returns the coverage of the answers, and the total that exists at least. A name
        that is read wrongly occurs once and makes the total too large.

        - `subject`: What to count: `brands` (tracked and discovered), cited `domains` or cited `pages`.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.

        GET /orgs/{orgId}/brands/{brandId}/coverage.
        """
        data: types.Coverage = await self._call(
            OPERATIONS["getCoverage"],
            {"orgId": org_id, "brandId": brand_id},
            {"subject": subject, "from": from_, "to": to, "platform": platform, "country": country},
            None,
            call_options,
        )
        return data

    def list_discovered_brands(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        min_units: int | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.DiscoveredBrand]:
        """List untracked brands.

        Brands in answers about an own brand that are not tracked. One row per name that answers present,
        counted over the whole window; every answer with a stored text counts. A tracked brand never
        appears, from the moment it is linked. To track a name, link it as a competitor and reprocess the
        brand: its history is then complete. Ordered by `units_mentioned` (highest first), then `key`. If
        the results change, the cursor is `stale`.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `from_`: First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days
          before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `min_units`: Only names in at least so many answers.

        GET /orgs/{orgId}/brands/{brandId}/discovered-brands.
        """
        return self._list(
            OPERATIONS["listDiscoveredBrands"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "min_units": min_units,
            },
            call_options,
        )

    async def get_precision(
        self,
        org_id: str,
        brand_id: str,
        *,
        metric: Literal["mention_rate", "score", "citation_rate"] | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        platform: types.PlatformId | None = None,
        country: str | None = None,
        width: float | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Precision:
        """Read the precision.

        Separates the variance of answers by what causes it: prompts, strata (a platform in a market), both
        together, and repeats. It gives the interval of the figure, the smallest change that can be found,
        and the effect of more prompts or repeats. The window has at most 92 days, both ends counted.

        - `metric`: Figure: `mention_rate`, `score` or `citation_rate`.
        - `from_`: First day of the window (UTC), included. Default: 27 days before `to`.
        - `to`: Last day of the window (UTC), included. Default: today.
        - `platform`: Only this platform. All platforms when omitted.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `width`: Half width that is wanted, in points.

        GET /orgs/{orgId}/brands/{brandId}/precision.
        """
        data: types.Precision = await self._call(
            OPERATIONS["getPrecision"],
            {"orgId": org_id, "brandId": brand_id},
            {
                "metric": metric,
                "from": from_,
                "to": to,
                "platform": platform,
                "country": country,
                "width": width,
            },
            None,
            call_options,
        )
        return data

    async def get_changes(
        self,
        org_id: str,
        *,
        window_days: int | None = None,
        metric: Literal["score", "mention_rate", "sentiment", "citation_rate", "share_of_voice"]
        | None = None,
        country: str | None = None,
        fdr: float | None = None,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Changes:
        """Find changed brands.

        Compares each own brand that is not archived as compareScores does: the last 7 or 28 days against as
        many days before. Of many brands some seem to change by chance. Therefore the verdicts keep the
        share of false ones among all `up` and `down` at `fdr` (Benjamini and Hochberg). That holds for
        brands that do not move together. At most 500 brands, those with the newest results first. All rows
        are of one moment.

        - `window_days`: Days of each window: 7 or 28.
        - `metric`: Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or
          `share_of_voice`.
        - `country`: Only this market, ISO 3166-1 alpha-2. All markets when omitted.
        - `fdr`: Accepted share of false changes among the rows with `up` or `down`, 0.001 to 0.5.

        GET /orgs/{orgId}/changes.
        """
        data: types.Changes = await self._call(
            OPERATIONS["getChanges"],
            {"orgId": org_id},
            {"window_days": window_days, "metric": metric, "country": country, "fdr": fdr},
            None,
            call_options,
        )
        return data

    async def create_experiment(
        self,
        org_id: str,
        brand_id: str,
        body: types.CreateExperimentRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Experiment:
        """Register an experiment.

        Says in advance which prompts a change is for, which it is not for, and when it starts. The result
        compares how both arms changed, so that what reaches all prompts, such as a new model, does not
        count. An experiment cannot be changed. A brand has at most 50 that are not completed or stopped.
        Each arm has at least five prompts. Tags are resolved to prompts now; later changes of tags change
        nothing. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/experiments.
        """
        data: types.Experiment = await self._call(
            OPERATIONS["createExperiment"], {"orgId": org_id, "brandId": brand_id}, {}, body, call_options
        )
        return data

    def list_experiments(
        self,
        org_id: str,
        brand_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Experiment]:
        """List experiments.

        Newest first. Nothing deletes an experiment, except the purge of its organisation.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /orgs/{orgId}/brands/{brandId}/experiments.
        """
        return self._list(
            OPERATIONS["listExperiments"],
            {"orgId": org_id, "brandId": brand_id},
            {"limit": limit, "cursor": cursor},
            call_options,
        )

    async def get_experiment(
        self,
        org_id: str,
        brand_id: str,
        experiment_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Experiment:
        """Read an experiment.

        While it runs, `result` shows the effect with its interval. `verdict` and the p-values come at the
        end, because a reader who looks daily stops when chance suits.

        GET /orgs/{orgId}/brands/{brandId}/experiments/{experimentId}.
        """
        data: types.Experiment = await self._call(
            OPERATIONS["getExperiment"],
            {"orgId": org_id, "brandId": brand_id, "experimentId": experiment_id},
            {},
            None,
            call_options,
        )
        return data

    async def stop_experiment(
        self,
        org_id: str,
        brand_id: str,
        experiment_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Experiment:
        """Stop an experiment.

        For an experiment whose change was not made, or was undone. It keeps the result of its days up to
        now, and never has a verdict. For a completed or stopped one it returns `409 conflict`. Needs the
        `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/experiments/{experimentId}/stop.
        """
        data: types.Experiment = await self._call(
            OPERATIONS["stopExperiment"],
            {"orgId": org_id, "brandId": brand_id, "experimentId": experiment_id},
            {},
            None,
            call_options,
        )
        return data

    async def get_reprocess(
        self,
        org_id: str,
        brand_id: str,
        job_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ReprocessJob:
        """Read a reprocess job.

        `status` goes from `queued` to `running`, then `completed` or `failed`. A day is replaced at once,
        so no list shows half a day. Poll every few seconds. Jobs that have ended are kept for 30 days.

        GET /orgs/{orgId}/brands/{brandId}/reprocess-requests/{jobId}.
        """
        data: types.ReprocessJob = await self._call(
            OPERATIONS["getReprocess"],
            {"orgId": org_id, "brandId": brand_id, "jobId": job_id},
            {},
            None,
            call_options,
        )
        return data

    async def reprocess_brand(
        self,
        org_id: str,
        brand_id: str,
        body: types.ReprocessBrandRequest | None = None,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.ReprocessJob:
        """Read stored answers again.

        Queues a job and returns it; `getReprocess` reads its progress. A brand has one job at a time. The
        job uses the current name, aliases, match rules and competitors. It replaces the brand rows, scores,
        shares and source figures of the window, one day at a time. Answers and cited sources do not change,
        and no webhook is sent. Archived brands accept it. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/reprocess-requests.
        """
        data: types.ReprocessJob = await self._call(
            OPERATIONS["reprocessBrand"],
            {"orgId": org_id, "brandId": brand_id},
            {},
            {} if body is None else body,
            call_options,
        )
        return data

    async def get_scan(
        self,
        org_id: str,
        brand_id: str,
        job_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ScanJob:
        """Read a scan.

        `status` goes from `queued` to `running`, then `completed`, `partial` (some units failed), `failed`
        (all failed) or `cancelled` (the brand was archived first). Results of finished units are readable
        before the scan ends. Poll every few seconds.

        GET /orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}.
        """
        data: types.ScanJob = await self._call(
            OPERATIONS["getScan"],
            {"orgId": org_id, "brandId": brand_id, "jobId": job_id},
            {},
            None,
            call_options,
        )
        return data

    async def get_scan_preview(
        self,
        org_id: str,
        brand_id: str,
        **call_options: Unpack[options.CallOptions],
    ) -> types.ScanPreview:
        """Preview a scan.

        Decides as `requestScan` by a key that may write, and queues nothing. A price is a setting of the
        installation for one unit, whatever its outcome.

        GET /orgs/{orgId}/brands/{brandId}/scan-preview.
        """
        data: types.ScanPreview = await self._call(
            OPERATIONS["getScanPreview"], {"orgId": org_id, "brandId": brand_id}, {}, None, call_options
        )
        return data

    async def request_scan(
        self,
        org_id: str,
        brand_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.ScanRequest:
        """Request a scan.

        Queues a scan of all active prompts of the brand, on each of their platforms in each of their
        countries. It uses a manual scan of the month, then a scan credit. Both are refunded if nothing was
        measured.

        While a scan of today (UTC) is queued or running, the refusal `scan_already_queued` names it and is
        as good as success. Poll `getScan`, compare `last_scan_changed_at`, or subscribe to
        `scan.completed`. Needs the `write` scope.

        POST /orgs/{orgId}/brands/{brandId}/scan-requests.
        """
        data: types.ScanRequest = await self._call(
            OPERATIONS["requestScan"], {"orgId": org_id, "brandId": brand_id}, {}, None, call_options
        )
        return data

    async def get_methodology(
        self,
        **call_options: Unpack[options.CallOptions],
    ) -> types.Methodology:
        """Read the methodology.

        Formulas, rules of detection, the settings of the running service, known limits and every version of
        the method. It is the same for every key.

        GET /methodology.
        """
        data: types.Methodology = await self._call(OPERATIONS["getMethodology"], {}, {}, None, call_options)
        return data

    async def create_subscription(
        self,
        endpoint_id: str,
        body: types.CreateSubscriptionRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Subscription:
        """Create a subscription.

        An endpoint has at most 100 subscriptions. An equal one is a `conflict`. Events that occurred before
        are not sent.

        **Thresholds.** The side of a threshold (above or below) is kept per partner, brand, series, metric
        and threshold. All subscriptions of the partner share it, so a new subscription to a known threshold
        reports no crossing again. The first evaluation compares with the latest earlier run_date. A side is
        deleted 90 days after the last subscription that covers it.

        **Changes.** `score.changed` compares the last `window_days` days with the same number before, once
        for each brand and day with scans. It is sent if the change has at least the `confidence`. For the
        same brand, metric, market and window, an endpoint receives the next one `2 × window_days − 1` days
        later at the earliest. Then window a is free of the days before that change. Needs the `write`
        scope. Partner keys only.

        POST /webhook-endpoints/{endpointId}/subscriptions.
        """
        data: types.Subscription = await self._call(
            OPERATIONS["createSubscription"], {"endpointId": endpoint_id}, {}, body, call_options
        )
        return data

    def list_subscriptions(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Subscription]:
        """List subscriptions.

        The subscriptions of all event types. Ordered by `created_at`, then `id`. Partner keys only.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /webhook-endpoints/{endpointId}/subscriptions.
        """
        return self._list(
            OPERATIONS["listSubscriptions"],
            {"endpointId": endpoint_id},
            {"limit": limit, "cursor": cursor},
            call_options,
        )

    async def create_webhook_endpoint(
        self,
        body: types.CreateWebhookEndpointRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.WebhookEndpointWithSecret:
        """Create an endpoint.

        The URL is https with a public host. A ping is sent at once; when the receiver returns 2xx, the
        endpoint becomes `active`. Events before its first success are not sent, also not later. Store
        `secret`: no other response has it, except a replay with the same `Idempotency-Key`. A partner has
        at most 100 endpoints. Needs the `write` scope. Partner keys only.

        POST /webhook-endpoints.
        """
        data: types.WebhookEndpointWithSecret = await self._call(
            OPERATIONS["createWebhookEndpoint"], {}, {}, body, call_options
        )
        return data

    def list_webhook_endpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.WebhookEndpoint]:
        """List endpoints.

        Pending, active, failing and disabled ones. Ordered by `id`. The signing secrets are never returned.
        Partner keys only.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.

        GET /webhook-endpoints.
        """
        return self._list(
            OPERATIONS["listWebhookEndpoints"], {}, {"limit": limit, "cursor": cursor}, call_options
        )

    async def delete_subscription(
        self,
        endpoint_id: str,
        subscription_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Deleted:
        """Delete a subscription.

        Nothing new is sent for it. Deliveries that are already queued are sent; their `subscription_id`
        becomes null. Needs the `write` scope. Partner keys only.

        DELETE /webhook-endpoints/{endpointId}/subscriptions/{subscriptionId}.
        """
        data: types.Deleted = await self._call(
            OPERATIONS["deleteSubscription"],
            {"endpointId": endpoint_id, "subscriptionId": subscription_id},
            {},
            None,
            call_options,
        )
        return data

    async def delete_webhook_endpoint(
        self,
        endpoint_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Deleted:
        """Delete an endpoint.

        Nothing is sent to it any more, waiting deliveries included. Its delivery log is no longer readable.
        Needs the `write` scope. Partner keys only.

        DELETE /webhook-endpoints/{endpointId}.
        """
        data: types.Deleted = await self._call(
            OPERATIONS["deleteWebhookEndpoint"], {"endpointId": endpoint_id}, {}, None, call_options
        )
        return data

    async def update_webhook_endpoint(
        self,
        endpoint_id: str,
        body: types.UpdateWebhookEndpointRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.WebhookEndpoint:
        """Update an endpoint.

        A new URL is verified like that of a new endpoint: `status` becomes `pending_verification`, a ping
        is sent, and other deliveries wait until it succeeds. Secret and subscriptions stay. Needs the
        `write` scope. Partner keys only.

        PATCH /webhook-endpoints/{endpointId}.
        """
        data: types.WebhookEndpoint = await self._call(
            OPERATIONS["updateWebhookEndpoint"], {"endpointId": endpoint_id}, {}, body, call_options
        )
        return data

    def list_deliveries(
        self,
        endpoint_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["pending", "delivering", "succeeded", "dead"] | None = None,
        include: Literal["event"] | None = None,
        **call_options: Unpack[options.ListOptions],
    ) -> AsyncList[types.Delivery]:
        """List deliveries.

        One row per event and endpoint, with the count of its attempts and the outcome of the last one.
        Pings are included. Ordered by `created_at` and `id`, newest first. Deliveries are kept for 30 days.
        With `include=event` each row has the body of its event, for example for a receiver that runs
        without a public address. Partner keys only.

        - `limit`: Maximum number of items of the page. Send it with every page.
        - `cursor`: `next_cursor` of the previous page, unchanged. It belongs to the filters of the first
          page. Omit it for the first page.
        - `status`: Only deliveries with this status.
        - `include`: `event` adds the body of each event. A page then has at most 50 deliveries, whatever
          `limit` is.

        GET /webhook-endpoints/{endpointId}/deliveries.
        """
        return self._list(
            OPERATIONS["listDeliveries"],
            {"endpointId": endpoint_id},
            {"limit": limit, "cursor": cursor, "status": status, "include": include},
            call_options,
        )

    async def recover_deliveries(
        self,
        endpoint_id: str,
        body: types.RecoverDeliveriesRequest,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.DeliveryRecovery:
        """Recover dead deliveries.

        Queues each delivery of the endpoint that is `dead` and was created at `since` or later, as
        `replayDelivery` does. Pings and deliveries of organisations that are no longer linked are omitted.
        For an endpoint that is not `active` the deliveries wait until a ping succeeds. It can be repeated:
        a delivery that waits, runs or has succeeded is not queued again. Needs the `write` scope. Partner
        keys only.

        POST /webhook-endpoints/{endpointId}/recover.
        """
        data: types.DeliveryRecovery = await self._call(
            OPERATIONS["recoverDeliveries"], {"endpointId": endpoint_id}, {}, body, call_options
        )
        return data

    async def replay_delivery(
        self,
        endpoint_id: str,
        delivery_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Delivery:
        """Replay a delivery.

        Queues the delivery again at once, with the same event id and a new series of attempts, whatever its
        status. Only an attempt in progress refuses it. For an endpoint that is not `active` it waits until
        a ping succeeds. Needs the `write` scope. Partner keys only.

        POST /webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay.
        """
        data: types.Delivery = await self._call(
            OPERATIONS["replayDelivery"],
            {"endpointId": endpoint_id, "deliveryId": delivery_id},
            {},
            None,
            call_options,
        )
        return data

    async def rotate_webhook_secret(
        self,
        endpoint_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.WebhookEndpointWithSecret:
        """Rotate the secret.

        The new secret signs at once, and the old one also signs for 24 hours. A second rotation in that
        time ends the oldest secret at once. Store `secret`: no other response has it, except a replay with
        the same `Idempotency-Key`. Needs the `write` scope. Partner keys only.

        POST /webhook-endpoints/{endpointId}/rotate-secret.
        """
        data: types.WebhookEndpointWithSecret = await self._call(
            OPERATIONS["rotateWebhookSecret"], {"endpointId": endpoint_id}, {}, None, call_options
        )
        return data

    async def test_webhook_endpoint(
        self,
        endpoint_id: str,
        **call_options: Unpack[options.WriteOptions],
    ) -> types.Delivery:
        """Test an endpoint.

        Sends `endpoint.ping`. A failed ping is not retried. The response is its delivery; read the outcome
        with `listDeliveries`. A ping that succeeds makes an endpoint `active` that was
        `pending_verification` or `failing`, and its waiting deliveries are sent. Needs the `write` scope.
        Partner keys only.

        POST /webhook-endpoints/{endpointId}/test.
        """
        data: types.Delivery = await self._call(
            OPERATIONS["testWebhookEndpoint"], {"endpointId": endpoint_id}, {}, None, call_options
        )
        return data
