# Generated from docs/openapi.json by scripts/generate.py; changes belong in libs/contract.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired


class UpdateLinkRequest(TypedDict):
    external_ref: str | None
    """
    Your own id of the organisation; `null` removes it. It need not be unique.
    """


class MatchRulesInput(TypedDict):
    case_sensitive: NotRequired[bool]
    """
    The name and aliases count only as written: "Target", not "target". The domain never is.
    """
    exclude: NotRequired[Sequence[str]]
    """
    An occurrence inside one of these phrases does not count, such as "target audience". Compared as whole words, without case and accents.
    """
    verify: NotRequired[bool]
    """
    A mention counts only if the LLM judge confirms that the text means this brand. Without a judgement, words decide; `mention_method` says which.
    """


class CompetitorInput(TypedDict):
    name: str
    """
    Name under which answers mention the competitor. A reused competitor keeps its own.
    """
    domain: str
    """
    Registrable host name of the competitor. Of a URL the host is stored, without `www.`.
    """
    aliases: NotRequired[Sequence[str]]
    """
    Further names under which answers mention the competitor. None when omitted or empty. A reused competitor keeps its own.
    """
    match: NotRequired[MatchRulesInput]
    """
    What counts as a mention of the competitor. Default rules when omitted. A reused competitor keeps its own.
    """


class UpdateBrandRequest(TypedDict):
    name: NotRequired[str]
    """
    Name under which answers mention the brand.
    """
    aliases: NotRequired[Sequence[str]]
    """
    Replaces all aliases; an empty list removes them.
    """
    match: NotRequired[MatchRulesInput]
    """
    Replaces all match rules. Omitted members get their default.
    """
    geography: NotRequired[str]
    """
    Where the brand is active. Own brands only.
    """
    external_ref: NotRequired[str | None]
    """
    Your own reference of the brand; `null` removes it. Own brands only.
    """


PlatformId: TypeAlias = Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"]


class PromptSyncInput(TypedDict):
    text: str
    """
    Text of the prompt, which identifies it. Case and surrounding spaces do not count.
    """
    countries: Sequence[str]
    """
    Markets in which the prompt is put, ISO 3166-1 alpha-2 in upper or lower case. Each must be a market of the installation.
    """
    platforms: NotRequired[Sequence[PlatformId]]
    """
    AI platforms that the prompt is put to. When omitted or empty: all five for a new prompt, no change of an existing one.
    """
    tags: NotRequired[Sequence[str]]
    """
    Labels of the prompt. When omitted: none for a new prompt, no change of an existing one.
    """
    active: NotRequired[bool]
    """
    Whether scans include the prompt. `true` when omitted, also for a prompt that is inactive now.
    """


class UpdatePromptRequest(TypedDict):
    countries: NotRequired[Sequence[str]]
    """
    Replaces all markets, ISO 3166-1 alpha-2.
    """
    platforms: NotRequired[Sequence[PlatformId]]
    """
    Replaces all AI platforms that the prompt is put to.
    """
    tags: NotRequired[Sequence[str]]
    """
    Replaces all labels; an empty list removes them.
    """
    active: NotRequired[bool]
    """
    `true` includes the prompt in scans, within the limits. `false` excludes it; its results stay.
    """


class ExperimentArmInput(TypedDict):
    prompt_ids: NotRequired[Sequence[str]]
    """
    Ids of prompts of the brand.
    """
    tags: NotRequired[Sequence[str]]
    """
    Every prompt with one of these tags, inactive ones included.
    """


ReprocessBrandRequest = TypedDict(
    "ReprocessBrandRequest",
    {
        "from": NotRequired[str],
        "to": NotRequired[str],
    },
)


class CreateSubscriptionRequest(TypedDict):
    event_type: Literal[
        "scan.completed",
        "score.threshold_crossed",
        "sentiment.threshold_crossed",
        "score.changed",
        "experiment.completed",
    ]
    """
    `scan.completed`: a scan has ended and is scored. `score.threshold_crossed`, `sentiment.threshold_crossed`: a series is on another side of `threshold`. `score.changed`: a figure moved by more than its answers vary. `experiment.completed`: the last day of an experiment is over.
    """
    org_id: NotRequired[str | None]
    """
    Only events of this organisation. When omitted or null: every organisation linked to you, now or later.
    """
    brand_id: NotRequired[str | None]
    """
    Only events of this own brand. When omitted or null: every own brand.
    """
    threshold: NotRequired[float]
    """
    Value of 0 to 100 whose crossing is an event. Required for threshold events, rejected for others. A value equal to the threshold is above it.
    """
    direction: NotRequired[Literal["up", "down", "both"]]
    """
    Crossings that are sent: `up` to the threshold or above, `down` below it, or `both`, also when omitted. Threshold events only. The side is kept whatever the direction.
    """
    country: NotRequired[str | None]
    """
    Only the series of this market. When omitted or null: the series over all markets. Not for `scan.completed`.
    """
    metric: NotRequired[Literal["score", "mention_rate", "sentiment", "citation_rate"]]
    """
    Figure that is compared; `score` when omitted; `score.changed` only.
    """
    window_days: NotRequired[int]
    """
    Days of each of the two windows, 7 or 28; 7 when omitted; `score.changed` only.
    """
    confidence: NotRequired[float]
    """
    Least confidence of a change, 0.95, 0.99, 0.999 or 0.9999; `0.9999` when omitted. `0.95` is each `up` or `down` of `compareScores`. Higher levels also need equally long windows and more prompts. `score.changed` only.
    """


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    """
    `https` URL that deliveries are sent to. Its host has public addresses only; the port is 443, or 1024 and above. No credentials, no fragment.
    """
    description: NotRequired[str]
    """
    Your own text, for people.
    """


class UpdateWebhookEndpointRequest(TypedDict):
    url: NotRequired[str]
    """
    `https` URL that deliveries are sent to. Its host has public addresses only; the port is 443, or 1024 and above. No credentials, no fragment.
    """
    description: NotRequired[str]
    """
    Your own text, for people.
    """


class RecoverDeliveriesRequest(TypedDict):
    since: str
    """
    Only deliveries created at this time (UTC) or later. At most 30 days ago.
    """


class EventOrganisation(TypedDict):
    id: str
    """
    Id of the organisation.
    """
    external_ref: str | None
    """
    Your own id of the organisation, from your link to it; null if it has none.
    """


class EventBrand(TypedDict):
    id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name of the brand.
    """
    domain: str
    """
    Normalised host of the brand.
    """
    external_ref: str | None
    """
    The organisation's own reference of the brand; null if it has none.
    """


class ScanUnits(TypedDict):
    total: int
    """
    Units of the scan: one prompt, country and platform each.
    """
    answered: int
    """
    Units with an answer.
    """
    no_answer: int
    """
    Units to which the platform responded without an answer.
    """
    failed: int
    """
    Units that failed after all attempts.
    """


class Movement(TypedDict):
    value: float | None
    """
    Figure of the day; null without one.
    """
    previous: float | None
    """
    Figure of the latest earlier day with results; null without one.
    """
    change: float | None
    """
    `value` minus `previous`; null if one of them is. Often chance.
    """


class ScanCompletedData(TypedDict):
    job_id: str | None
    """
    Id of the scan job.
    """
    brand: EventBrand
    """
    Own brand that was scanned.
    """
    trigger: Literal["manual", "scheduled"] | str
    """
    `manual` for requestScan, `scheduled` for the daily scan.
    """
    status: Literal["completed", "partial"] | str
    """
    `completed`, or `partial` if some units failed. A failed scan sends no event.
    """
    run_date: str
    """
    UTC day that the scan measured.
    """
    queued_at: str
    """
    When the scan was queued.
    """
    started_at: str
    """
    When the first unit was sent to a platform.
    """
    completed_at: str
    """
    When the last unit ended.
    """
    units: ScanUnits
    """
    Units of the scan by outcome.
    """
    platforms: Sequence[Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str]
    """
    AI platforms of the scan. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    countries: Sequence[str]
    """
    Markets of the scan, ISO 3166-1 alpha-2.
    """
    score: Movement
    """
    Score of the day over all markets.
    """
    sentiment: Movement
    """
    Mean sentiment of the day over all markets.
    """
    share_of_voice: float | None
    """
    Mentions of the brand on the day as a share of those of all tracked brands, 0 to 100. null without any mention.
    """
    change_verdict: Literal["up", "down", "no_evidence", "not_comparable"] | str | None
    """
    Whether the score of the 7 days up to `run_date` differs from that of the 7 days before. null if the scan was not evaluated. Known values: `up`, `down`, `no_evidence`, `not_comparable`.
    """
    last_scan_changed_at: str
    """
    Change token of the brand, which only grows: an event with an earlier one than the last is outdated.
    """


class ScoreThresholdCrossedData(TypedDict):
    """
    After each scoring of the brand the newest day of the series is compared with the side last reported. A different side is an event, sent where `direction` of a subscription selects it. Imports send none; the next scan reports what they changed.
    """

    brand: EventBrand
    """
    Own brand whose figure crossed the threshold.
    """
    metric: Literal["score"]
    """
    Figure that is compared with the threshold.
    """
    country: str | None
    """
    Market of the series; null for the series over all markets.
    """
    threshold: float
    """
    Threshold of the subscription.
    """
    direction: Literal["up", "down"] | str
    """
    `up`: previous < threshold <= current. `down`: previous >= threshold > current.
    """
    previous: float
    """
    Value of the last event at this threshold, or of the first evaluation. An event counts whether or not `direction` of a subscription selected it. On a first evaluation that changes side: value of the latest earlier run_date.
    """
    current: float
    """
    Value of the newest day of the series.
    """
    change: float
    """
    current minus previous.
    """
    run_date: str
    """
    Newest day of the series, whichever day was scanned.
    """
    job_id: str | None
    """
    Scan whose scoring led to the evaluation.
    """


class SentimentThresholdCrossedData(TypedDict):
    """
    After each scoring of the brand the newest day of the series is compared with the side last reported. A different side is an event, sent where `direction` of a subscription selects it. Imports send none; the next scan reports what they changed.
    """

    brand: EventBrand
    """
    Own brand whose figure crossed the threshold.
    """
    metric: Literal["sentiment"]
    """
    Figure that is compared with the threshold.
    """
    country: str | None
    """
    Market of the series; null for the series over all markets.
    """
    threshold: float
    """
    Threshold of the subscription.
    """
    direction: Literal["up", "down"] | str
    """
    `up`: previous < threshold <= current. `down`: previous >= threshold > current.
    """
    previous: float
    """
    Value of the last event at this threshold, or of the first evaluation. An event counts whether or not `direction` of a subscription selected it. On a first evaluation that changes side: value of the latest earlier run_date.
    """
    current: float
    """
    Value of the newest day of the series.
    """
    change: float
    """
    current minus previous.
    """
    run_date: str
    """
    Newest day of the series, whichever day was scanned.
    """
    job_id: str | None
    """
    Scan whose scoring led to the evaluation.
    """


ComparedFigures = TypedDict(
    "ComparedFigures",
    {
        "from": str,
        "to": str,
        "value": float | None,
        "units": int,
        "units_failed": int,
        "prompts": int,
    },
)


class ScoreDifference(TypedDict):
    value: float
    """
    Value of b minus value of a.
    """
    low: float
    """
    Lower bound of the interval of the difference. 0.01 or -0.01 if it is closer to 0, but not 0.
    """
    high: float
    """
    Upper bound of the interval of the difference. 0.01 or -0.01 if it is closer to 0, but not 0.
    """
    confidence: float
    """
    Confidence level of the interval and of the verdict.
    """


class ScoreChangedData(TypedDict):
    """
    The comparison when the first scan of a day was scored. Window b ends on that day, window a ends before window b.
    """

    brand: EventBrand
    """
    Own brand whose figure changed.
    """
    metric: Literal["score", "mention_rate", "sentiment", "citation_rate"] | str
    """
    Figure that is compared. Known values: `score`, `mention_rate`, `sentiment`, `citation_rate`.
    """
    country: str | None
    """
    Market of the compared answers; null for all markets.
    """
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str | None
    """
    Platform of the compared answers; null for all platforms. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    a: ComparedFigures
    """
    Window a, over the paired cells.
    """
    b: ComparedFigures
    """
    Window b, over the paired cells.
    """
    difference: ScoreDifference
    """
    Difference with its paired t interval of 95 % over prompts. The interval does not contain 0.
    """
    verdict: Literal["up", "down"] | str
    """
    Whether the figure is higher or lower in window b. Known values: `up`, `down`.
    """
    reasons: Sequence[
        Literal[
            "too_few",
            "model_changed",
            "surface_changed",
            "method_changed",
            "competitors_changed",
            "incomplete",
            "unequal_answers",
            "partial_run",
            "prompt_set_changed",
            "short_window",
            "platform_drift",
        ]
        | str
    ]
    """
    What prevents a verdict, then what its reader should know. The guide “Methodology” explains each reason. Known values: `too_few`, `model_changed`, `surface_changed`, `method_changed`, `competitors_changed`, `incomplete`, `unequal_answers`, `partial_run`, `prompt_set_changed`, `short_window`, `platform_drift`.
    """
    job_id: str
    """
    Scan whose scoring led to the comparison.
    """


ExperimentDays = TypedDict(
    "ExperimentDays",
    {
        "from": str,
        "to": str,
    },
)


class ExperimentArm(TypedDict):
    prompt_ids: Sequence[str]
    """
    Prompts of the arm, those of its tags included.
    """
    tags: Sequence[str]
    """
    Tags that were resolved to prompts at creation.
    """


class ExperimentDesign(TypedDict):
    treated_prompts: int
    """
    Prompts in the treated arm.
    """
    control_prompts: int
    """
    Prompts in the control arm.
    """
    smallest_detectable: float | None
    """
    Smallest effect that is found in 80 % of experiments, in points, by what was usual before. null without two pairs of earlier windows.
    """


class ExperimentArmResult(TypedDict):
    before: float | None
    """
    Mean over the prompts before the change; null without a pair.
    """
    after: float | None
    """
    Mean over the prompts after it; null without a pair.
    """
    units_before: int
    """
    Answered units of the paired cells before.
    """
    units_after: int
    """
    Answered units of the paired cells after.
    """
    prompts: int
    """
    Prompts with a cell that has an answer in both windows.
    """


class ExperimentEffect(TypedDict):
    value: float
    """
    Change of the treated prompts minus that of the control prompts, in points: -200 to 200.
    """
    low: float
    """
    Lower 95 % bound.
    """
    high: float
    """
    Upper 95 % bound.
    """
    confidence: float
    """
    Confidence level of the interval.
    """


class ExperimentPlacebo(TypedDict):
    p_value: float | None
    """
    Share of earlier start days that give an effect of at least this size. null with fewer than seven such days.
    """


class ExperimentTrend(TypedDict):
    value: float
    """
    Change of the treated prompts minus that of the control prompts, between the halves of `pre`.
    """
    low: float
    """
    Lower 95 % bound.
    """
    high: float
    """
    Upper 95 % bound.
    """


class EndpointPingData(TypedDict):
    endpoint_id: str
    """
    Id of the webhook endpoint that is checked.
    """


class KeyMonthlyUsage(TypedDict):
    quota: int | None
    """
    Requests that the key may make in a UTC calendar month. Null is unlimited.
    """
    used: int
    """
    Requests charged in this month, this one included. Those of the last second may be missing.
    """
    resets_at: str
    """
    Start of the next UTC calendar month.
    """


class KeyIntrospection(TypedDict):
    key_prefix: str
    """
    The first 12 characters of the key.
    """
    kind: Literal["organisation", "partner"] | str
    """
    Whether the key belongs to one organisation or to a partner. Known values: `organisation`, `partner`.
    """
    name: str | None
    """
    Name that the key was issued with.
    """
    scopes: Sequence[Literal["read", "write"] | str]
    """
    `write` is needed for every operation that changes something. Known values: `read`, `write`.
    """
    expires_at: str | None
    """
    From then on the key is refused. Null: it does not expire.
    """
    org_id: str | None
    """
    The organisation of the key; null for a partner key.
    """
    partner_id: str | None
    """
    The partner of the key; null for an organisation key.
    """
    per_minute: int
    """
    Requests that the key may make in a clock minute.
    """
    monthly: KeyMonthlyUsage
    """
    Quota of the current month and what was used of it.
    """


class LimitUsage(TypedDict):
    used: int
    """
    Number that counts towards the limit.
    """
    limit: int | None
    """
    Limit of the tier, or the override of it. null is unlimited.
    """


class CountriesUsage(TypedDict):
    used: int
    """
    Number of countries.
    """
    limit: int | None
    """
    Limit of the tier, or the override of it. null is unlimited.
    """
    codes: Sequence[str]
    """
    The countries, ISO 3166-1 alpha-2, in alphabetical order.
    """


class CompetitorsUsage(TypedDict):
    limit: int
    """
    Competitors that an own brand may have. It always has a limit.
    """
    max_used: int
    """
    Highest number of competitors that an own brand has.
    """


class ManualScansUsage(TypedDict):
    used: int
    """
    Scans requested in this UTC month. Scans by credits and refunded ones do not count.
    """
    limit: int | None
    """
    Limit of the tier, or the override of it. null is unlimited.
    """
    remaining: int | None
    """
    Scans that are left in this month. null is unlimited.
    """
    resets_at: str
    """
    Start of the next UTC month.
    """


class AnswersUsage(TypedDict):
    month: str
    """
    UTC month, YYYY-MM.
    """
    units: int
    """
    Units asked, whatever their outcome. A unit counts once, however often it was retried.
    """
    cost_usd: float | None
    """
    Their cost at the prices of their time. null if one had no price.
    """


class Usage(TypedDict):
    prompts: LimitUsage
    """
    Active prompts of brands that are not archived.
    """
    own_brands: LimitUsage
    """
    Own brands that are not archived.
    """
    countries: CountriesUsage
    """
    Countries of the active prompts of brands that are not archived.
    """
    competitors_per_brand: CompetitorsUsage
    """
    Competitors of one own brand.
    """
    manual_scans: ManualScansUsage | None
    """
    Scans on request in this UTC month. null while scans are unavailable.
    """
    scan_credits: int | None
    """
    Purchased scans that are left, used after the manual scans of the month. null while scans are unavailable.
    """
    answers: AnswersUsage | None
    """
    Units asked in this UTC month. null while scans are unavailable.
    """


class OrganisationDetail(TypedDict):
    id: str
    """
    Id of the organisation.
    """
    name: str
    """
    Name of the organisation.
    """
    link_scope: Literal["owner", "read_only", "read_write"] | str
    """
    `owner` for an organisation key. For a partner key the scope of its link: `read_only`, or `read_write` to change things too.
    """
    external_ref: str | None
    """
    The partner's own id of the organisation. null if it has none, and for an organisation key.
    """
    created_at: str
    """
    When the organisation was created.
    """
    tier: str
    """
    Name of the tier.
    """
    api_access: bool
    """
    Whether keys of the organisation may call the API.
    """
    updated_at: str
    """
    When the name, the tier or an override last changed.
    """
    usage: Usage
    """
    Limits of the organisation, and how much of each is used.
    """


class Organisation(TypedDict):
    id: str
    """
    Id of the organisation.
    """
    name: str
    """
    Name of the organisation.
    """
    link_scope: Literal["owner", "read_only", "read_write"] | str
    """
    `owner` for an organisation key. For a partner key the scope of its link: `read_only`, or `read_write` to change things too.
    """
    external_ref: str | None
    """
    The partner's own id of the organisation. null if it has none, and for an organisation key.
    """
    created_at: str
    """
    When the organisation was created.
    """


class MatchRules(TypedDict):
    case_sensitive: bool
    """
    The name and aliases count only as written: "Target", not "target". The domain never is.
    """
    exclude: Sequence[str]
    """
    An occurrence inside one of these phrases does not count, such as "target audience". Compared as whole words, without case and accents.
    """
    verify: bool
    """
    A mention counts only if the LLM judge confirms that the text means this brand. Without a judgement, words decide; `mention_method` says which.
    """


class BrandWarning(TypedDict):
    code: Literal["common_word", "inside_other_name"] | str
    """
    `common_word`: answers use the name or alias as an ordinary word. `inside_other_name`: it stands inside a name of another tracked brand, and an answer with that longer name does not mention this brand. More codes may follow.
    """
    field: Literal["name", "aliases"] | str
    """
    Field of the brand that has the value. Known values: `name`, `aliases`.
    """
    value: str
    """
    The name or alias.
    """
    language: str
    """
    Language in which it is an ordinary word, ISO 639-1; `und` for codes that have nothing to do with one.
    """
    other_brand_id: NotRequired[str]
    """
    Id of the brand with the longer name. Only for `inside_other_name`.
    """
    message: str
    """
    What to do, for people. Its wording may change.
    """


class Competitor(TypedDict):
    id: str
    """
    Id of the competitor.
    """
    name: str
    """
    Name under which answers mention the competitor.
    """
    domain: str
    """
    Normalised host of the competitor.
    """
    aliases: Sequence[str]
    """
    Further names under which answers mention the brand.
    """
    match: MatchRules
    """
    What counts as a mention of the brand.
    """
    warnings: Sequence[BrandWarning]
    """
    Advice on names that lead to wrong mentions. Empty without any.
    """


class CreatedProperty(TypedDict):
    id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name under which answers mention the brand.
    """
    domain: str
    """
    Normalised host of the brand, such as `acme.com`.
    """
    is_own: bool
    """
    true for an own brand, which is measured. false for a competitor.
    """
    external_ref: str | None
    """
    Your own reference of the brand, unique in its organisation. null if it has none, and for competitors.
    """
    geography: str
    """
    Where the brand is active, as given by the organisation. `global` if nothing was given.
    """
    sunset_at: str | None
    """
    When the brand was archived; null if it is not.
    """
    created_at: str
    """
    When the brand was created.
    """
    updated_at: str
    """
    When the brand or its list of competitors last changed. Results and prompts do not count.
    """
    last_scan_changed_at: str | None
    """
    Change token: moves with every change of the results of the brand. null before the first result.
    """
    aliases: Sequence[str]
    """
    Further names under which answers mention the brand.
    """
    match: MatchRules
    """
    What counts as a mention of the brand.
    """
    warnings: Sequence[BrandWarning]
    """
    Advice on names that lead to wrong mentions. Empty without any.
    """
    competitors: Sequence[Competitor]
    """
    Competitors of the brand. Empty for a competitor.
    """
    markets: Sequence[str]
    """
    The `markets` of the request. They are not stored.
    """


class BrandDetail(TypedDict):
    id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name under which answers mention the brand.
    """
    domain: str
    """
    Normalised host of the brand, such as `acme.com`.
    """
    is_own: bool
    """
    true for an own brand, which is measured. false for a competitor.
    """
    external_ref: str | None
    """
    Your own reference of the brand, unique in its organisation. null if it has none, and for competitors.
    """
    geography: str
    """
    Where the brand is active, as given by the organisation. `global` if nothing was given.
    """
    sunset_at: str | None
    """
    When the brand was archived; null if it is not.
    """
    created_at: str
    """
    When the brand was created.
    """
    updated_at: str
    """
    When the brand or its list of competitors last changed. Results and prompts do not count.
    """
    last_scan_changed_at: str | None
    """
    Change token: moves with every change of the results of the brand. null before the first result.
    """
    aliases: Sequence[str]
    """
    Further names under which answers mention the brand.
    """
    match: MatchRules
    """
    What counts as a mention of the brand.
    """
    warnings: Sequence[BrandWarning]
    """
    Advice on names that lead to wrong mentions. Empty without any.
    """
    competitors: Sequence[Competitor]
    """
    Competitors of the brand. Empty for a competitor.
    """


class LinkedCompetitor(TypedDict):
    id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name under which answers mention the brand.
    """
    domain: str
    """
    Normalised host of the brand, such as `acme.com`.
    """
    is_own: bool
    """
    true for an own brand, which is measured. false for a competitor.
    """
    external_ref: str | None
    """
    Your own reference of the brand, unique in its organisation. null if it has none, and for competitors.
    """
    geography: str
    """
    Where the brand is active, as given by the organisation. `global` if nothing was given.
    """
    sunset_at: str | None
    """
    When the brand was archived; null if it is not.
    """
    created_at: str
    """
    When the brand was created.
    """
    updated_at: str
    """
    When the brand or its list of competitors last changed. Results and prompts do not count.
    """
    aliases: Sequence[str]
    """
    Further names under which answers mention the brand.
    """
    match: MatchRules
    """
    What counts as a mention of the brand.
    """
    warnings: Sequence[BrandWarning]
    """
    Advice on names that lead to wrong mentions. Empty without any.
    """
    reused: bool
    """
    true if the organisation already had a competitor with this domain. It keeps its name, aliases and match rules.
    """
    reprocess_advised: bool
    """
    true if the own brand has results. `score` and share of voice depend on the tracked brands: `reprocessBrand` searches the stored answers for the new one too.
    """


class Brand(TypedDict):
    id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name under which answers mention the brand.
    """
    domain: str
    """
    Normalised host of the brand, such as `acme.com`.
    """
    is_own: bool
    """
    true for an own brand, which is measured. false for a competitor.
    """
    external_ref: str | None
    """
    Your own reference of the brand, unique in its organisation. null if it has none, and for competitors.
    """
    geography: str
    """
    Where the brand is active, as given by the organisation. `global` if nothing was given.
    """
    sunset_at: str | None
    """
    When the brand was archived; null if it is not.
    """
    created_at: str
    """
    When the brand was created.
    """
    updated_at: str
    """
    When the brand or its list of competitors last changed. Results and prompts do not count.
    """


class Deleted(TypedDict):
    id: str
    """
    Id of what was deleted, from the path.
    """
    deleted: bool
    """
    Always true.
    """


class Prompt(TypedDict):
    id: str
    """
    Id of the prompt.
    """
    brand_id: str
    """
    Id of its own brand.
    """
    text: str
    """
    Text that is put to the platforms. It never changes.
    """
    tags: Sequence[str]
    """
    Labels of the prompt, in the order sent.
    """
    countries: Sequence[str]
    """
    Markets in which the prompt is put, ISO 3166-1 alpha-2.
    """
    platforms: Sequence[Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str]
    """
    AI platforms that the prompt is put to. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    active: bool
    """
    Whether scans include the prompt. Only active prompts count towards the limits.
    """
    source: Literal["ui", "api", "sync", "import"] | str
    """
    How the prompt was created: `api` by createPrompt, `sync` by syncPrompts. `ui` and `import` are reserved for other ways.
    """
    created_by_key_id: str | None
    """
    Id of the key that created the prompt; null if no API key did.
    """
    created_at: str
    """
    When the prompt was created.
    """
    updated_at: str
    """
    When the prompt last changed.
    """


class PromptSyncError(TypedDict):
    code: str
    """
    Error code, such as `prompt_cap_exceeded` or `prompt_writes_busy`.
    """
    message: str
    """
    For people. The wording may change.
    """
    details: NotRequired[Any]
    """
    As in the error of the same code; may be absent.
    """


class PromptSyncSummary(TypedDict):
    total: int
    """
    Number of results.
    """
    created: int
    """
    Prompts that were created.
    """
    updated: int
    """
    Active prompts that were changed.
    """
    reactivated: int
    """
    Inactive prompts that became active.
    """
    deactivated: int
    """
    Prompts that became inactive.
    """
    unchanged: int
    """
    Prompts that were already as described.
    """
    failed: int
    """
    Rows that failed. Their `error` says why.
    """


class ScoreComparison(TypedDict):
    metric: Literal["score", "mention_rate", "sentiment", "citation_rate", "share_of_voice"] | str
    """
    Figure that is compared. Known values: `score`, `mention_rate`, `sentiment`, `citation_rate`, `share_of_voice`.
    """
    country: str | None
    """
    Market of the compared answers; null for all markets.
    """
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str | None
    """
    Platform of the compared answers; null for all platforms. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    a: ComparedFigures
    """
    Window a, over the paired cells.
    """
    b: ComparedFigures
    """
    Window b, over the paired cells.
    """
    difference: ScoreDifference | None
    """
    Difference with its interval: the paired t interval over prompts, for `share_of_voice` that of the jackknife over prompts. null with fewer than two paired prompts; for `share_of_voice` below five, or where no brand is mentioned in a window.
    """
    verdict: Literal["up", "down", "no_evidence", "not_comparable"] | str
    """
    `up` or `down` if the interval excludes 0, `no_evidence` if it contains 0. `not_comparable` if one of these applies: `too_few`, `model_changed`, `surface_changed`, `method_changed`, `competitors_changed`, `incomplete`, `unequal_answers`.
    """
    reasons: Sequence[
        Literal[
            "too_few",
            "model_changed",
            "surface_changed",
            "method_changed",
            "competitors_changed",
            "incomplete",
            "unequal_answers",
            "partial_run",
            "prompt_set_changed",
            "short_window",
            "platform_drift",
        ]
        | str
    ]
    """
    What prevents a verdict, then what its reader should know. The guide “Methodology” explains each reason. Known values: `too_few`, `model_changed`, `surface_changed`, `method_changed`, `competitors_changed`, `incomplete`, `unequal_answers`, `partial_run`, `prompt_set_changed`, `short_window`, `platform_drift`.
    """


class BrandSummary(TypedDict):
    id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name of the brand.
    """
    domain: str
    """
    Normalised host of the brand.
    """
    external_ref: str | None
    """
    Your own reference of the brand; null if it has none.
    """
    geography: str
    """
    Where the brand is active, as given by the organisation.
    """
    score: float | None
    """
    Visibility of the brand on `score_date` over all markets, 0 to 100. null before the first result, and without an answer on that day.
    """
    previous_score: float | None
    """
    Score of the latest earlier day with results; null without one.
    """
    score_change: float | None
    """
    `score` minus `previous_score`; null if one of them is.
    """
    score_date: str | None
    """
    Latest day with results (UTC); null before the first.
    """
    change_verdict: Literal["up", "down", "no_evidence", "not_comparable"] | str | None
    """
    Whether the score of 7 days differs from that of the 7 days before, at the newest day whose scan was evaluated. Imports, reprocess jobs and late scans of earlier days count from the next scan on. null before the first evaluated scan. Known values: `up`, `down`, `no_evidence`, `not_comparable`.
    """
    sentiment: float | None
    """
    Mean tone towards the brand on `score_date` in the answers that mention it, 0 to 100; 50 is neutral. null without a mention.
    """
    share_of_voice: float | None
    """
    Mentions of the brand on `score_date` as a share of those of all tracked brands, 0 to 100. null without any mention.
    """
    average_position: float | None
    """
    Mean position of the brand on `score_date` in the answers that mention it; 1 is first. null without a mention.
    """
    active_prompts: int
    """
    Active prompts of the brand.
    """
    last_scan_at: str | None
    """
    When the last ended scan ended; null before the first.
    """
    last_scan_status: Literal["completed", "partial", "failed"] | str | None
    """
    How the last ended scan ended: `completed`, `partial` (some units failed) or `failed` (all failed). null before the first.
    """
    scan_in_progress: bool
    """
    Whether a scan of the brand is queued or running.
    """
    changed_at: str | None
    """
    Change token: moves with every change of the results of the brand. null before the first result.
    """


class Mention(TypedDict):
    prompt_id: str
    """
    Id of the prompt.
    """
    run_date: str
    """
    UTC day of the scan.
    """
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str
    """
    AI platform that gave the answer. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    country: str
    """
    Market of the unit, ISO 3166-1 alpha-2. Imports may have other values.
    """
    finalized_at: str
    """
    When the unit was finalised.
    """
    mentioned: bool
    """
    Whether the answer mentions the own brand. false without an answer.
    """
    position: int | None
    """
    Rank of the own brand by first occurrence among the tracked brands; 1 is first. null without a mention.
    """
    sentiment: float | None
    """
    Tone towards the own brand, 0 to 100; 50 is neutral. null without a mention.
    """


class Evidence(TypedDict):
    start: int
    """
    Offset of the first character in `answer_text`, in Unicode code points.
    """
    end: int
    """
    Offset after the last character, in Unicode code points.
    """


class OtherName(TypedDict):
    name: str
    """
    As the answer writes it.
    """
    start: int
    """
    Offset of the first character in `answer_text`, in Unicode code points.
    """
    end: int
    """
    Offset after the last character, in Unicode code points.
    """


class ResultSource(TypedDict):
    position: int
    """
    Rank of the source in the answer; 1 is first.
    """
    url: str
    """
    Address of the page.
    """
    domain: str
    """
    Registrable domain of the page.
    """
    title: str | None
    """
    Title of the page; null if the platform gave none.
    """
    cited: bool
    """
    Whether the answer cites the source. Otherwise the platform only read it.
    """
    category: (
        Literal[
            "own",
            "competitor",
            "news",
            "reference",
            "forum",
            "social",
            "directory",
            "review",
            "ecommerce",
            "video",
            "blog",
            "academic",
            "institution",
            "other",
        ]
        | str
    )
    """
    Kind of website. `own`, `competitor`: domain of a tracked brand. `academic`, `institution`: by its suffix, such as `.edu` or `.gov`, or a known site. `news`, `reference`, `forum`, `social`, `directory`, `review`, `ecommerce`, `video`, `blog`: a known site of that kind. `other`: all others.
    """


class PlatformScore(TypedDict):
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str
    """
    AI platform. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    score: float | None
    """
    Score over the answers of the platform, 0 to 100; null without an answer.
    """
    mention_rate: float | None
    """
    Share of the answers of the platform that mention the brand, 0 to 100; null without an answer.
    """
    units_answered: int
    """
    Units of the platform with an answer.
    """


class ServedModel(TypedDict):
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str
    """
    AI platform. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    model: str | None
    """
    As the platform names it; null if it named none.
    """
    units: int
    """
    Answered units.
    """


class ShareOfVoice(TypedDict):
    run_date: str
    """
    Day of the row (UTC).
    """
    brand_id: str
    """
    Id of the brand.
    """
    name: str
    """
    Current name of the brand.
    """
    domain: str
    """
    Normalised host of the brand.
    """
    is_own: bool
    """
    true for the own brand, false for a competitor.
    """
    share_of_voice: float | None
    """
    `mentions` as a share of `total_mentions`, 0 to 100; null if no tracked brand is mentioned.
    """
    mentions: int
    """
    Answers that mention the brand.
    """
    total_mentions: int
    """
    Sum of `mentions` over the own brand and its competitors.
    """
    units_answered: int
    """
    Answers that were searched for the brand.
    """
    mention_rate: float | None
    """
    `mentions` as a share of `units_answered`, 0 to 100; null without an answer.
    """
    average_position: float | None
    """
    Mean position of the brand in the answers that mention it; 1 is first. null without a mention.
    """
    rank: int
    """
    Rank by `mentions`; 1 is first. Equal brands share a rank.
    """


class CitedPage(TypedDict):
    url: str
    """
    Address of the page.
    """
    title: str | None
    """
    Title of the page; null if no platform gave one.
    """
    citations: int
    """
    Citations of the page.
    """


class PlatformCitations(TypedDict):
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str
    """
    AI platform. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    citations: int
    """
    Citations of the domain by answers of the platform.
    """


class BreakdownPrompt(TypedDict):
    id: str
    """
    Id of the prompt.
    """
    text: str | None
    """
    Text of now; null until the service has received it.
    """
    tags: Sequence[str]
    """
    Tags of now.
    """
    active: bool
    """
    Whether it is scanned now.
    """


class CompetitorInSlice(TypedDict):
    brand_id: str
    """
    Id of the competitor.
    """
    name: str
    """
    Name of now.
    """
    units_mentioned: int | None
    """
    Answers of the slice that mention it; null if none was searched for it.
    """
    mention_rate: float | None
    """
    Share of the answers that were searched for it which mention it, 0 to 100; null without any.
    """


class CitedUrl(TypedDict):
    url: str
    """
    Address of the page.
    """
    title: str | None
    """
    Title of the page; null if no platform gave one.
    """
    domain: str
    """
    Registrable domain of the page.
    """
    category: (
        Literal[
            "own",
            "competitor",
            "news",
            "reference",
            "forum",
            "social",
            "directory",
            "review",
            "ecommerce",
            "video",
            "blog",
            "academic",
            "institution",
            "other",
        ]
        | str
    )
    """
    Kind of website. `own`, `competitor`: domain of a tracked brand. `academic`, `institution`: by its suffix, such as `.edu` or `.gov`, or a known site. `news`, `reference`, `forum`, `social`, `directory`, `review`, `ecommerce`, `video`, `blog`: a known site of that kind. `other`: all others.
    """
    is_own: bool
    """
    Whether it is a page of the own brand.
    """
    competitor_id: str | None
    """
    Id of the tracked competitor with this domain; null for other domains.
    """
    citations: int
    """
    Citations of the page.
    """
    units_cited: int
    """
    Units whose answer cites the page.
    """
    units_mentioned: int
    """
    Citing answers that mention the own brand.
    """
    units_with_competitor: int
    """
    Citing answers that mention a competitor for which they were searched.
    """
    units_gap: int
    """
    Those of them that do not mention the own brand.
    """
    gap_rate: float | None
    """
    `units_gap` as a share of `units_cited`, 0 to 100.
    """
    prompts: int
    """
    Distinct prompts whose answers cite the page.
    """
    prompt_ids: Sequence[str]
    """
    At most five of them, most citing first.
    """
    platforms: Sequence[Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str]
    """
    AI platforms whose answers cite the page. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    countries: Sequence[str]
    """
    Markets of the answers that cite the page.
    """
    first_seen: str
    """
    First day of the window with a citation (UTC).
    """
    last_seen: str
    """
    Last day of the window with a citation (UTC).
    """


class CoverageShare(TypedDict):
    value: float | None
    """
    The estimate; null with fewer than two answers, or nothing seen.
    """
    low: float | None
    """
    Lower 95 % bound; null where it cannot be computed.
    """
    high: float | None
    """
    Upper 95 % bound; null where it cannot be computed.
    """


class CoverageTotal(TypedDict):
    value: float | None
    """
    The estimate; null with fewer than two answers, or nothing seen.
    """
    low: float | None
    """
    Lower 95 % bound; null where it cannot be computed.
    """
    high: float | None
    """
    Upper 95 % bound; null where it cannot be computed.
    """


Coverage = TypedDict(
    "Coverage",
    {
        "subject": Literal["brands", "domains", "pages"] | str,
        "from": str,
        "to": str,
        "units": int,
        "prompts": int,
        "seen": int,
        "seen_once": int,
        "seen_twice": int,
        "coverage": CoverageShare,
        "estimated_total": CoverageTotal,
        "next_100_units": float | None,
    },
)


class DiscoveredExample(TypedDict):
    result_id: str
    """
    Id of the prompt result.
    """
    start: int
    """
    Offset of the name in its `answer_text`, in Unicode code points.
    """
    end: int
    """
    Offset after the name, in Unicode code points.
    """


class VarianceShare(TypedDict):
    share: float | None
    """
    Share of the variance, 0 to 100.
    """
    low: float | None
    """
    Lower 95 % bound of the share.
    """
    high: float | None
    """
    Upper 95 % bound of the share.
    """


class PrecisionVariance(TypedDict):
    prompt: VarianceShare
    """
    What part of the variance lies between prompts.
    """
    stratum: VarianceShare
    """
    What part of the variance lies between strata: platforms in markets.
    """
    prompt_by_stratum: VarianceShare
    """
    What part of the variance lies between strata of the same prompt, beyond that of prompts and of strata.
    """
    repeat: VarianceShare
    """
    What part of the variance lies between answers to the same prompt in the same stratum.
    """
    total: float | None
    """
    Variance of an answer, in squared points.
    """


class PrecisionLevel(TypedDict):
    value: float | None
    """
    Mean over the cells of the window. null without an answer.
    """
    low: float | None
    """
    Lower 95 % bound: what other prompts of this kind would show.
    """
    high: float | None
    """
    Upper 95 % bound.
    """
    half_width: float | None
    """
    Half of the width of the interval, in points, before it is clamped.
    """


class PrecisionChange(TypedDict):
    smallest_detectable_7d: float | None
    """
    Change between two windows of 7 days that `compareScores` finds with this power, in points.
    """
    smallest_detectable_28d: float | None
    """
    The same of two windows of 28 days.
    """
    power: float
    """
    Share of such changes that are found.
    """
    confidence: float
    """
    Confidence of the comparison.
    """


class PrecisionOption(TypedDict):
    prompts: int
    """
    Number of prompts.
    """
    repeats_per_day: int
    """
    Answers of a prompt in a stratum in a day.
    """
    units_per_day: int
    """
    Answers a day: prompts × strata of a prompt × `repeats_per_day`.
    """
    half_width: float
    """
    Half width of the level over a window of as many days.
    """
    smallest_detectable_28d: float
    """
    Smallest detectable change of 28 days.
    """
    cost_usd_per_day: float | None
    """
    Price of the answers; null without prices.
    """


Precision = TypedDict(
    "Precision",
    {
        "metric": Literal["mention_rate", "score", "citation_rate"] | str,
        "from": str,
        "to": str,
        "prompts": int,
        "cells": int,
        "units": int,
        "variance": PrecisionVariance,
        "level": PrecisionLevel,
        "change": PrecisionChange,
        "limited_by": Literal["prompts", "repeats", "too_few"] | str,
        "grade": Literal["decision_grade", "directional", "exploratory"] | str,
        "grade_reasons": Sequence[
            Literal["too_few_prompts", "too_wide", "partial_runs", "model_changed", "no_history"] | str
        ],
        "options": Sequence[PrecisionOption],
        "recommended": int | None,
    },
)


class ChangedBrand(TypedDict):
    id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name of the brand.
    """
    domain: str
    """
    Normalised host of the brand.
    """


class ReprocessUnits(TypedDict):
    total: int
    """
    Answered units of the window with a stored text; 0 while the job is queued.
    """
    done: int
    """
    Units that were read again.
    """
    changed: int
    """
    Units whose brand rows differ afterwards. If the brand changes during the job, it begins again, and `done` and `changed` start from 0.
    """


ReprocessJob = TypedDict(
    "ReprocessJob",
    {
        "job_id": str,
        "brand_id": str,
        "status": Literal["queued", "running", "completed", "failed"] | str,
        "from": str,
        "to": str,
        "units": ReprocessUnits,
        "queued_at": str,
        "started_at": str | None,
        "completed_at": str | None,
    },
)


class ScanJob(TypedDict):
    job_id: str
    """
    Id of the scan job.
    """
    brand_id: str
    """
    Id of the own brand.
    """
    status: Literal["queued", "running", "completed", "partial", "failed", "cancelled"] | str
    """
    `queued`; `running` from the first request to a platform; then `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled` (the brand was archived first).
    """
    trigger: Literal["manual", "scheduled"] | str
    """
    `manual` for requestScan, `scheduled` for the daily scan.
    """
    run_date: str
    """
    UTC day that the scan measures: the day on which it was queued.
    """
    idempotency_key: str
    """
    `Idempotency-Key` of requestScan, or a generated one.
    """
    units: ScanUnits
    """
    Units of the scan by outcome. Those that have not ended are only in `total`.
    """
    queued_at: str
    """
    When the scan was queued.
    """
    started_at: str | None
    """
    When the first unit was sent to a platform; null before.
    """
    completed_at: str | None
    """
    When the last unit ended; null before.
    """


class PreviewedPlatform(TypedDict):
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str
    """
    The platform. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    units: int
    """
    Units on this platform.
    """
    price_usd: float | None
    """
    Price of a unit. null where none is set.
    """
    cost_usd: float | None
    """
    Price of its units. null without a price.
    """


class ScanAllowance(TypedDict):
    manual_scans_remaining: int | None
    """
    Scans on request left this month. null is unlimited.
    """
    scan_credits: int
    """
    Purchased scans that are left.
    """


ScanRefusal: TypeAlias = (
    Literal[
        "tier_not_entitled", "brand_archived", "no_active_prompts", "scan_already_queued", "no_manual_scans"
    ]
    | str
    | None
)


class ScanPreview(TypedDict):
    units: int
    """
    Units: one prompt, country and platform each.
    """
    prompts: int
    """
    Active prompts of the brand.
    """
    platforms: Sequence[PreviewedPlatform]
    """
    Platforms with units, in alphabetical order.
    """
    cost_usd: float | None
    """
    Price of all units. null if a platform with units has no price.
    """
    allowance: ScanAllowance
    """
    What scans on request are charged to.
    """
    would_refuse: ScanRefusal
    """
    Code of the refusal of `requestScan` now. null if it would queue a scan.
    """


class ScanRequest(TypedDict):
    job_id: str
    """
    Id of the scan job, for getScan.
    """
    idempotency_key: str
    """
    `Idempotency-Key` of the request, or a generated one.
    """
    status: Literal["queued"]
    """
    Always `queued`: the scan starts soon.
    """


class Formula(TypedDict):
    field: str
    """
    Row and field, such as `Score.mention_rate`.
    """
    expression: str
    """
    How the field is computed, from fields of the same row where possible.
    """
    source: str
    """
    Where the formula comes from: a publication, or a definition of this API.
    """


class MethodologyDetection(TypedDict):
    rules: Sequence[str]
    """
    How answers are searched for brands, for people. The wording may change.
    """
    languages: Sequence[str]
    """
    Languages in which statements that nothing is known of a brand are recognised.
    """
    case_ending_languages: Sequence[str]
    """
    Languages in which a name also counts with a case ending.
    """


class SentimentAccuracy(TypedDict):
    method: Literal["lexicon", "llm"] | str
    """
    Method that was compared with the labels. Known values: `lexicon`, `llm`.
    """
    tone: Literal["positive", "neutral", "negative"] | str | None
    """
    Label of the mentions; null for all. Known values: `positive`, `neutral`, `negative`.
    """
    language: str | None
    """
    Language of the mentions (ISO 639-1); null for all.
    """
    mentions: int
    """
    Number of labelled mentions.
    """
    agreement: float
    """
    Percentage of the mentions that the method rates as the label says.
    """
    agreement_low: float
    """
    Lower end of the 95 % score interval of `agreement`.
    """
    agreement_high: float
    """
    Upper end of the 95 % score interval of `agreement`.
    """


class MethodologySentiment(TypedDict):
    default_method: Literal["lexicon", "llm"] | str
    """
    Method that rates a sentiment first. The lexicon rates what the LLM judge does not. Known values: `lexicon`, `llm`.
    """
    llm_model: str | None
    """
    Model of the LLM judge; null if it is off.
    """
    lexicon_languages: Sequence[str]
    """
    Languages with word lists. The lexicon rates mentions in others 50.
    """
    accuracy: Sequence[SentimentAccuracy]
    """
    Agreement with a person on mentions that no word list was built on: of all, by label, by language. A method without an entry was not measured, such as the LLM judge.
    """


class MeasuredPlatform(TypedDict):
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str
    """
    AI platform. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    surface: Literal["api", "serp", "app"] | str
    """
    `api`: the API of the platform. `serp`: a search results page. Known values: `api`, `serp`, `app`.
    """
    model: str | None
    """
    Model that is requested; null for AI Overviews. `model` of a result is the one that answered.
    """
    provider: Literal["serpapi", "dataforseo"] | str | None
    """
    Provider of the search results pages; null for platforms that are asked by their own API. Known values: `serpapi`, `dataforseo`.
    """
    search: Literal["forced", "automatic"] | str
    """
    `forced`: the request makes the platform search. `automatic`: the platform decides; `search_used` of a result says whether it did.
    """
    localization: Literal["native", "prompt", "none"] | str
    """
    How the market is passed first: `native` setting, `prompt` text or `none`. For a market that the setting does not support, `native` becomes `prompt`.
    """


class MethodologyCadence(TypedDict):
    per_day: int
    """
    Scheduled scans of a brand in a UTC day; 0 if the schedule is off. Requested scans are additional.
    """
    samples_per_unit: int
    """
    Answers to one prompt, in one country, on one platform, in one scan.
    """


PlatformDrift = TypedDict(
    "PlatformDrift",
    {
        "platform": Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str,
        "from": str,
        "kind": Literal[
            "no_answer", "sources", "unresolved_links", "largest_source", "text_length", "no_model"
        ]
        | str,
    },
)


class MethodVersion(TypedDict):
    method_version: str
    """
    Number of the version.
    """
    since: str
    """
    First day of the version (UTC).
    """
    summary: str
    """
    What the version changed, for people.
    """


class Methodology(TypedDict):
    method_version: str
    """
    Current version of the extraction and formulas. `method_version` of a score appends `+llm` if the LLM judge rated an answer.
    """
    formulas: Sequence[Formula]
    """
    One entry per computed field of scores, share of voice and sources.
    """
    detection: MethodologyDetection
    """
    How mentions and citations are found.
    """
    sentiment: MethodologySentiment
    """
    How sentiment is rated.
    """
    platforms: Sequence[MeasuredPlatform]
    """
    Platforms that are measured, with their settings. Units of other platforms fail.
    """
    cadence: MethodologyCadence
    """
    How often brands are measured.
    """
    markets: Sequence[str]
    """
    Markets that can be measured (ISO 3166-1 alpha-2), sorted.
    """
    drift: Sequence[PlatformDrift]
    """
    Platforms whose answers, over all brands of the service, changed their shape in the last 90 days, oldest first.
    """
    known_limits: Sequence[str]
    """
    What the figures cannot show, for people. The wording may change.
    """
    versions: Sequence[MethodVersion]
    """
    Every version of the method, newest first.
    """


class Subscription(TypedDict):
    id: str
    """
    Id of the subscription.
    """
    endpoint_id: str
    """
    Id of the webhook endpoint.
    """
    event_type: (
        Literal[
            "scan.completed",
            "score.threshold_crossed",
            "sentiment.threshold_crossed",
            "score.changed",
            "experiment.completed",
        ]
        | str
    )
    """
    Type of the events that are sent. Known values: `scan.completed`, `score.threshold_crossed`, `sentiment.threshold_crossed`, `score.changed`, `experiment.completed`.
    """
    org_id: str | None
    """
    Only events of this organisation; null for every linked organisation.
    """
    brand_id: str | None
    """
    Only events of this own brand; null for every own brand.
    """
    threshold: float | None
    """
    Value of 0 to 100 whose crossing is an event; null for other event types.
    """
    direction: Literal["up", "down", "both"] | str | None
    """
    Crossings that are sent: `up` to the threshold or above, `down` below it, or `both`. null for other event types.
    """
    country: str | None
    """
    Only the series of this market. null for the series over all markets, and for `scan.completed`.
    """
    metric: Literal["score", "mention_rate", "sentiment", "citation_rate"] | str | None
    """
    Figure of `score.changed`; null for other event types. Known values: `score`, `mention_rate`, `sentiment`, `citation_rate`.
    """
    window_days: int | None
    """
    Days of each window of `score.changed`, 7 or 28; null for other event types.
    """
    confidence: float | None
    """
    Least confidence of a change for `score.changed`, as in the request; null for other event types.
    """
    created_at: str
    """
    When the subscription was created.
    """
    updated_at: str
    """
    When the subscription last changed.
    """


class WebhookEndpointWithSecret(TypedDict):
    id: str
    """
    Id of the webhook endpoint.
    """
    url: str
    """
    URL that deliveries are sent to.
    """
    status: Literal["pending_verification", "active", "failing", "disabled"] | str
    """
    `pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a response 410, or `disabled` by the operator. Only an `active` endpoint receives events.
    """
    description: str
    """
    Your own text; empty if none was sent.
    """
    consecutive_failures: int
    """
    Failed attempts since the last success, pings included.
    """
    last_success_at: str | None
    """
    When an attempt last succeeded; null if none has.
    """
    last_failure_at: str | None
    """
    When an attempt last failed; null if none has.
    """
    events_secret_rotated_at: str | None
    """
    When the secret was last rotated; null if it was not.
    """
    created_at: str
    """
    When the endpoint was created.
    """
    updated_at: str
    """
    When the endpoint last changed.
    """
    secret: str
    """
    Signing secret: `whsec_` and base64 of 32 bytes. Shown once.
    """


class WebhookEndpoint(TypedDict):
    id: str
    """
    Id of the webhook endpoint.
    """
    url: str
    """
    URL that deliveries are sent to.
    """
    status: Literal["pending_verification", "active", "failing", "disabled"] | str
    """
    `pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a response 410, or `disabled` by the operator. Only an `active` endpoint receives events.
    """
    description: str
    """
    Your own text; empty if none was sent.
    """
    consecutive_failures: int
    """
    Failed attempts since the last success, pings included.
    """
    last_success_at: str | None
    """
    When an attempt last succeeded; null if none has.
    """
    last_failure_at: str | None
    """
    When an attempt last failed; null if none has.
    """
    events_secret_rotated_at: str | None
    """
    When the secret was last rotated; null if it was not.
    """
    created_at: str
    """
    When the endpoint was created.
    """
    updated_at: str
    """
    When the endpoint last changed.
    """


DeliveredEventData: TypeAlias = Mapping[str, Any]


class DeliveryRecovery(TypedDict):
    replayed: int
    """
    Deliveries that this request has queued again.
    """


class DuplicateTextRefusal(TypedDict):
    texts: Sequence[str]
    """
    Texts that occur more than once, as in their first row.
    """


class CursorRefusal(TypedDict):
    reason: Literal["filter_changed", "window_changed", "stale"] | str
    """
    `filter_changed`, `window_changed`: a filter or a date differs from the first page. `stale`: the results have changed since the first page.
    """
    parameter: NotRequired[str]
    """
    The filter that differs. Only with `filter_changed`.
    """


class ValidationDetail(TypedDict):
    path: str
    """
    Dotted path of the field, the header name, or empty for the body as a whole.
    """
    code: str
    """
    What is wrong, such as `too_big` or `unsupported_country`. Further codes may follow.
    """
    message: str
    """
    For people. The wording may change.
    """


class NoManualScansRefusal(TypedDict):
    manual_scans_remaining: int
    """
    Scans on request that are left in this month.
    """
    scan_credits: int
    """
    Purchased scans that are left.
    """


class BrandRefusal(TypedDict):
    brand_id: str
    """
    Id of the own brand.
    """


class ExistingIdRefusal(TypedDict):
    existing_id: str
    """
    Id of the own brand that has the domain or reference.
    """


class CompetitorError(TypedDict):
    code: str
    """
    Error code, one of the list of codes.
    """
    message: str
    """
    For people. The wording may change.
    """


class ConflictRefusal(TypedDict):
    existing_id: NotRequired[str]
    """
    Id of the prompt with the same text.
    """
    competitor_id: NotRequired[str]
    """
    Id of the competitor that is already linked.
    """


class ReprocessRefusal(TypedDict):
    job_id: str
    """
    Id of the reprocess job that is queued or running.
    """


class ScanQueuedRefusal(TypedDict):
    job_id: str | None
    """
    Id of the scan job that is queued or running; null if it is not known.
    """
    idempotency_key: str | None
    """
    Its `idempotency_key`; null if it is not known.
    """


class CapRefusal(TypedDict):
    tier: NotRequired[str]
    """
    Tier of the organisation.
    """
    cap: NotRequired[int]
    """
    Limit of the tier, or the override of it.
    """
    attempted: NotRequired[int]
    """
    Number to which the request would have led.
    """


class CompetitorCapRefusal(TypedDict):
    tier: NotRequired[str]
    """
    Tier of the organisation.
    """
    cap: NotRequired[int]
    """
    Limit of the tier, or the override of it.
    """
    attempted: NotRequired[int]
    """
    Number to which the request would have led.
    """


class CountryCapRefusal(TypedDict):
    tier: NotRequired[str]
    """
    Tier of the organisation.
    """
    cap: NotRequired[int]
    """
    Limit of the tier, or the override of it.
    """
    attempted: NotRequired[int]
    """
    Number to which the request would have led.
    """
    countries_in_use: Sequence[str]
    """
    Countries of the active prompts of the organisation.
    """
    countries_requested: Sequence[str]
    """
    Countries that the request names.
    """


class CreatePropertyRequest(TypedDict):
    name: str
    """
    Name under which answers mention the brand.
    """
    domain: str
    """
    Registrable host name of the brand. Of a URL the host is stored, without `www.`.
    """
    external_ref: NotRequired[str]
    """
    Your own reference of the brand, unique in the organisation. None when omitted.
    """
    geography: NotRequired[str]
    """
    Where the brand is active, `global` when omitted. It is only stored; nothing is measured by it.
    """
    aliases: NotRequired[Sequence[str]]
    """
    Further names under which answers mention the brand. None when omitted or empty.
    """
    match: NotRequired[MatchRulesInput]
    """
    What counts as a mention of the brand. Default rules when omitted.
    """
    markets: NotRequired[Sequence[str]]
    """
    Markets that you intend to use. Checked against the limit of countries and returned, not stored: the countries of the prompts decide what is measured. None when omitted or empty.
    """
    competitors: NotRequired[Sequence[CompetitorInput]]
    """
    Competitors to link, in this order. None when omitted or empty.
    """


class CreatePromptRequest(TypedDict):
    text: str
    """
    Text that is put to the platforms, as sent.
    """
    countries: Sequence[str]
    """
    Markets in which the prompt is put, ISO 3166-1 alpha-2 in upper or lower case. Each must be a market of the installation.
    """
    platforms: NotRequired[Sequence[PlatformId]]
    """
    AI platforms that the prompt is put to: all five when omitted.
    """
    tags: NotRequired[Sequence[str]]
    """
    Labels of the prompt, to filter by. Repeated ones count once.
    """
    active: NotRequired[bool]
    """
    Whether scans include the prompt. An inactive one does not count towards the limits.
    """


class SyncPromptsRequest(TypedDict):
    prompts: Sequence[PromptSyncInput]
    """
    All prompts that the brand shall have. Active prompts of the brand that are not here are deactivated.
    """
    deactivate_missing: NotRequired[bool]
    """
    `true` deactivates every active prompt of the brand that `prompts` does not list; an empty list deactivates all. `false` leaves them active.
    """


class CreateExperimentRequest(TypedDict):
    name: str
    """
    Your own name of the experiment.
    """
    metric: NotRequired[Literal["mention_rate", "score", "citation_rate"]]
    """
    Figure that the change should move.
    """
    starts_on: str
    """
    Day of the change (UTC), at most 366 days before or after today.
    """
    treated: ExperimentArmInput
    """
    Prompts that the change is for.
    """
    control: ExperimentArmInput
    """
    Prompts that it is not for. No prompt is in both arms.
    """
    pre_days: NotRequired[int]
    """
    Days before the change, 7 to 92.
    """
    washout_days: NotRequired[int]
    """
    Days after the change that do not count, 0 to 28.
    """
    post_days: NotRequired[int]
    """
    Days after the washout, 7 to 92.
    """
    platforms: NotRequired[Sequence[PlatformId]]
    """
    Platforms that count. When omitted: all.
    """
    countries: NotRequired[Sequence[str]]
    """
    Markets that count. When omitted: all.
    """
    note: NotRequired[str]
    """
    Your own text, for people.
    """


class ScanCompletedEvent(TypedDict):
    id: str
    """
    Id of the event, equal to the header `webhook-id`. A replay has the same.
    """
    type: Literal["scan.completed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API that the body follows.
    """
    timestamp: str
    """
    When the event was created. Retries and replays have the same.
    """
    org: EventOrganisation | None
    """
    Organisation of the brand.
    """
    data: ScanCompletedData
    """
    Content of the event.
    """


class ScoreThresholdCrossedEvent(TypedDict):
    id: str
    """
    Id of the event, equal to the header `webhook-id`. A replay has the same.
    """
    type: Literal["score.threshold_crossed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API that the body follows.
    """
    timestamp: str
    """
    When the event was created. Retries and replays have the same.
    """
    org: EventOrganisation | None
    """
    Organisation of the brand.
    """
    data: ScoreThresholdCrossedData
    """
    Content of the event.
    """


class SentimentThresholdCrossedEvent(TypedDict):
    id: str
    """
    Id of the event, equal to the header `webhook-id`. A replay has the same.
    """
    type: Literal["sentiment.threshold_crossed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API that the body follows.
    """
    timestamp: str
    """
    When the event was created. Retries and replays have the same.
    """
    org: EventOrganisation | None
    """
    Organisation of the brand.
    """
    data: SentimentThresholdCrossedData
    """
    Content of the event.
    """


class ScoreChangedEvent(TypedDict):
    id: str
    """
    Id of the event, equal to the header `webhook-id`. A replay has the same.
    """
    type: Literal["score.changed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API that the body follows.
    """
    timestamp: str
    """
    When the event was created. Retries and replays have the same.
    """
    org: EventOrganisation | None
    """
    Organisation of the brand.
    """
    data: ScoreChangedData
    """
    Content of the event.
    """


class ExperimentResult(TypedDict):
    treated: ExperimentArmResult
    """
    The prompts that the change is for.
    """
    control: ExperimentArmResult
    """
    The prompts that it is not for.
    """
    effect: ExperimentEffect | None
    """
    What the treated prompts changed more than the control prompts, in points, with the interval of Welch’s t. null with fewer than two prompts in an arm.
    """
    p_value: float | None
    """
    Share of the splits of the prompts into two arms that give an effect of at least this size. null before the end, and in a stopped experiment.
    """
    placebo: ExperimentPlacebo | None
    """
    null before the end, and in a stopped experiment.
    """
    pre_trend: ExperimentTrend | None
    """
    Whether the arms already moved apart before the change. null with fewer than five prompts in an arm.
    """
    verdict: Literal["up", "down", "no_evidence", "not_comparable"] | str | None
    """
    `up` or `down` if the interval excludes 0 and `p_value` is below 0.05. null before the end, and in a stopped experiment. Known values: `up`, `down`, `no_evidence`, `not_comparable`.
    """
    reasons: Sequence[
        Literal[
            "too_few",
            "method_changed",
            "incomplete",
            "model_changed",
            "surface_changed",
            "competitors_changed",
            "unequal_answers",
            "pre_trend",
            "arms_differ",
        ]
        | str
    ]
    """
    `too_few`, `method_changed` and `incomplete` make the result `not_comparable`; so do `model_changed` and `surface_changed` of a platform in one arm only. Known values: `too_few`, `method_changed`, `incomplete`, `model_changed`, `surface_changed`, `competitors_changed`, `unequal_answers`, `pre_trend`, `arms_differ`.
    """
    final: bool
    """
    Whether the days of the result are over. Imports, reprocesses and failed scans can still change it.
    """


class Experiment(TypedDict):
    id: str
    """
    Id of the experiment.
    """
    brand_id: str
    """
    Id of its own brand.
    """
    name: str
    """
    Your own name of the experiment.
    """
    metric: Literal["mention_rate", "score", "citation_rate"] | str
    """
    Figure that the change should move. Known values: `mention_rate`, `score`, `citation_rate`.
    """
    status: Literal["registered", "running", "completed", "stopped"] | str
    """
    `registered` before `starts_on`, `running` to the end of `post`, then `completed`; or `stopped`.
    """
    preregistered: bool
    """
    Whether it was registered before the day on which it starts.
    """
    registered_at: str
    """
    When it was created.
    """
    starts_on: str
    """
    Day of the change (UTC).
    """
    pre: ExperimentDays
    """
    Days before the change.
    """
    post: ExperimentDays
    """
    Days after the change and the washout.
    """
    treated: ExperimentArm
    """
    Prompts that the change is for.
    """
    control: ExperimentArm
    """
    Prompts that it is not for.
    """
    platforms: Sequence[Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str] | None
    """
    Platforms that count; null for all. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    countries: Sequence[str] | None
    """
    Markets that count; null for all.
    """
    note: str | None
    """
    Your own text; null where not given.
    """
    design: ExperimentDesign
    """
    What the experiment can find.
    """
    result: ExperimentResult | None
    """
    null before both windows have an answer. In a list it is the one stored last, which a running experiment does not have.
    """


class ExperimentCompletedData(TypedDict):
    brand: EventBrand
    """
    Own brand of the experiment.
    """
    experiment: Experiment
    """
    As getExperiment returned it when it became completed.
    """


class EndpointPingEvent(TypedDict):
    id: str
    """
    Id of the event, equal to the header `webhook-id`. A replay has the same.
    """
    type: Literal["endpoint.ping"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API that the body follows.
    """
    timestamp: str
    """
    When the event was created. Retries and replays have the same.
    """
    org: EventOrganisation | None
    """
    Always null: a ping belongs to no organisation.
    """
    data: EndpointPingData
    """
    Content of the event.
    """


class PromptSyncRow(TypedDict):
    index: int | None
    """
    Index of the row in the body, from 0. null for a prompt that the body lacks.
    """
    text: str
    """
    Text of the prompt.
    """
    action: Literal["created", "updated", "reactivated", "deactivated", "unchanged", "failed"] | str
    """
    `created`. `updated`: fields of an active prompt changed. `reactivated`: an inactive one is active again. `deactivated`: it is inactive from now on. `unchanged`: it was as described. `failed`: see `error`.
    """
    prompt_id: str | None
    """
    Id of the prompt; null if its row failed before a prompt existed.
    """
    error: PromptSyncError | None
    """
    Why the row failed; null otherwise.
    """


class PromptSyncResult(TypedDict):
    results: Sequence[PromptSyncRow]
    """
    First the prompts that the body lacks, if any, then one result for each row of the body, in its order.
    """
    summary: PromptSyncSummary
    """
    Number of results by action. Read `failed`: the status is 200 also with failed rows.
    """


class ResultBrand(TypedDict):
    brand_id: str
    """
    Id of the brand.
    """
    name: str
    """
    Name of the brand when the answer was read.
    """
    domain: str
    """
    Normalised host of the brand.
    """
    is_own: bool
    """
    true for the own brand, false for a competitor.
    """
    mentioned: bool
    """
    Whether the answer mentions the brand.
    """
    mention_count: int
    """
    Occurrences of the brand in the answer.
    """
    position: int | None
    """
    Rank by first occurrence among the tracked brands; 1 is first. null without a mention.
    """
    sentiment: float | None
    """
    Tone towards the brand, 0 to 100; 50 is neutral. null without a mention.
    """
    cited: bool
    """
    Whether the answer cites the domain of the brand.
    """
    evidence: Sequence[Evidence]
    """
    Where the answer mentions the brand: the first three occurrences. Empty without a mention, and for imported answers.
    """


class Score(TypedDict):
    brand_id: str
    """
    Id of the own brand.
    """
    run_date: str
    """
    Day of the row (UTC); in a row of a `window` its last day.
    """
    country: str | None
    """
    Market of the series; null for the series over all markets.
    """
    score: float | None
    """
    Visibility of the brand, 0 to 100: mean over the answers, 100 for the first position, less for later ones, 0 without a mention. null without an answer.
    """
    previous_score: float | None
    """
    Score of the latest earlier row of the series; null without one.
    """
    change: float | None
    """
    `score` minus `previous_score`; null if one of them is. Often chance: compareScores says whether it is.
    """
    mention_rate: float | None
    """
    Share of the answers that mention the brand, 0 to 100. null without an answer.
    """
    mention_rate_low: float | None
    """
    Lower end of the 95 % Wilson interval of the mention rate. null without an answer.
    """
    mention_rate_high: float | None
    """
    Upper end of the 95 % Wilson interval of the mention rate. null without an answer.
    """
    average_position: float | None
    """
    Mean position of the brand in the answers that mention it; 1 is first. null without a mention.
    """
    sentiment: float | None
    """
    Mean tone towards the brand in the answers that mention it, 0 to 100; 50 is neutral. null without a mention.
    """
    citation_rate: float | None
    """
    Share of the answers that cite the domain of the brand, 0 to 100, without those of `units_citations_unknown`. null without any other.
    """
    share_of_voice: float | None
    """
    Mentions of the brand as a share of those of all tracked brands, 0 to 100. null without any mention.
    """
    units_total: int
    """
    Units with an answer, plus units to which the platform gave none.
    """
    units_answered: int
    """
    Units with an answer.
    """
    units_mentioned: int
    """
    Units whose answer mentions the brand.
    """
    units_cited: int
    """
    Units whose answer cites the domain of the brand.
    """
    units_citations_unknown: int | None
    """
    Answered units with `sources_unresolved` that do not cite the domain of the brand: no part of the citation rate. null in rows that were computed before the field existed.
    """
    units_mentioned_cited: int | None
    """
    Units whose answer mentions the brand and cites its domain. null in rows that were computed before the field existed.
    """
    units_informative: int | None
    """
    Units whose answer names a tracked brand or another one. null in rows that were computed before the field existed.
    """
    informative_rate: float | None
    """
    `units_informative` as a share of the answered units with a stored text, 0 to 100. null without any.
    """
    position_sum: int
    """
    Sum of the positions in the answers that mention the brand, to pool rows yourself.
    """
    sentiment_sum: float
    """
    Sum of the sentiments, to pool rows yourself.
    """
    sentiment_count: int
    """
    Answers with a sentiment of the brand.
    """
    platforms: Sequence[PlatformScore]
    """
    Figures of each AI platform with units on the day.
    """
    models: Sequence[ServedModel]
    """
    Models that gave the answers of the row, by platform.
    """
    model_changed: bool | None
    """
    Whether a platform of both rows served another set of models in the previous row of the series. Unknown models do not count. null without a previous row.
    """
    prompts_measured: int
    """
    Distinct prompts with an answered unit.
    """
    window: NotRequired[Literal["7d", "28d"] | str]
    """
    Days that the row pools, up to `run_date`. Only in rows of a window. Known values: `7d`, `28d`.
    """
    citation_rate_low: NotRequired[float | None]
    """
    Lower 95 % bound of the citation rate, with a prompt as a cluster. Only in rows of a window.
    """
    citation_rate_high: NotRequired[float | None]
    """
    Upper 95 % bound of the citation rate, with a prompt as a cluster. Only in rows of a window.
    """
    share_of_voice_low: NotRequired[float | None]
    """
    Lower 95 % bound of the share of voice, with a prompt as a cluster. Only in rows of a window.
    """
    share_of_voice_high: NotRequired[float | None]
    """
    Upper 95 % bound of the share of voice, with a prompt as a cluster. Only in rows of a window.
    """
    average_position_low: NotRequired[float | None]
    """
    Lower 95 % bound of the average position, with a prompt as a cluster. Only in rows of a window.
    """
    average_position_high: NotRequired[float | None]
    """
    Upper 95 % bound of the average position, with a prompt as a cluster. Only in rows of a window.
    """
    units_effective: NotRequired[float]
    """
    Number of independent answers that have the same precision: answers to one prompt resemble each other. Two decimals. Only in rows of a window.
    """
    method_version: str
    """
    Version of the extraction and formulas; `+llm` when the LLM judge rated a sentiment. Several, separated by commas, if the answers of the day were read by other versions than the day was scored by. In a row of a window all versions of its days.
    """
    computed_at: str
    """
    When the row was last computed.
    """


class Source(TypedDict):
    domain: str
    """
    Registrable domain that answers cite.
    """
    category: (
        Literal[
            "own",
            "competitor",
            "news",
            "reference",
            "forum",
            "social",
            "directory",
            "review",
            "ecommerce",
            "video",
            "blog",
            "academic",
            "institution",
            "other",
        ]
        | str
    )
    """
    Kind of website. `own`, `competitor`: domain of a tracked brand. `academic`, `institution`: by its suffix, such as `.edu` or `.gov`, or a known site. `news`, `reference`, `forum`, `social`, `directory`, `review`, `ecommerce`, `video`, `blog`: a known site of that kind. `other`: all others.
    """
    is_own: bool
    """
    Whether it is the domain of the own brand.
    """
    competitor_id: str | None
    """
    Id of the tracked competitor with this domain; null for other domains.
    """
    citations: int
    """
    Citations of the domain.
    """
    units_cited: int
    """
    Units whose answer cites the domain.
    """
    citation_share: float | None
    """
    `citations` as a share of the citations of all domains, 0 to 100.
    """
    citation_rate: float | None
    """
    `units_cited` as a share of `units_answered`, 0 to 100. Answers with `sources_unresolved` that do not cite the domain do not count.
    """
    units_answered: int
    """
    Units of the window with an answer.
    """
    pages: int
    """
    Distinct pages of the domain that are cited.
    """
    top_pages: Sequence[CitedPage]
    """
    Most cited pages of the domain, at most five.
    """
    platforms: Sequence[PlatformCitations]
    """
    Citations of the domain by AI platform.
    """
    countries: Sequence[str]
    """
    Markets of the answers that cite the domain.
    """
    mentioned_rate: float | None
    """
    Share of the citing answers that also mention the own brand, 0 to 100.
    """
    units_with_competitor: int
    """
    Citing answers that mention a competitor for which they were searched.
    """
    units_gap: int
    """
    Those of them that do not mention the own brand.
    """
    gap_rate: float | None
    """
    `units_gap` as a share of `units_cited`, 0 to 100.
    """
    first_seen: str
    """
    First day of the window with a citation (UTC).
    """
    last_seen: str
    """
    Last day of the window with a citation (UTC).
    """


class BreakdownRow(TypedDict):
    key: str
    """
    What the row is about: a prompt id, a tag, a platform, a market, `<platform>/<model>` or a kind of prompt. Empty for prompts without tags; `<platform>/` where the model is unknown.
    """
    label: str | None
    """
    The key for people: the text of a prompt, the model alone, else the key. null where unknown.
    """
    date: str | None
    """
    Day of the row, or Monday of its week (UTC); null with `series=none`.
    """
    prompt: BreakdownPrompt | None
    """
    The prompt; null unless `by=prompt`.
    """
    prompt_kind: Literal["branded", "competitor", "unbranded"] | str | None
    """
    `branded`: the text of the prompt mentions the own brand. `competitor`: only tracked competitors. `unbranded`: none. null unless `by` is `prompt` or `prompt_kind`.
    """
    units_total: int
    """
    Units with an answer, plus units to which the platform gave none.
    """
    units_answered: int
    """
    Units with an answer.
    """
    units_mentioned: int
    """
    Units whose answer mentions the brand.
    """
    units_cited: int
    """
    Units whose answer cites the domain of the brand.
    """
    units_mentioned_cited: int
    """
    Units whose answer mentions the brand and cites its domain.
    """
    prompts_measured: int
    """
    Distinct prompts with an answered unit.
    """
    score: float | None
    """
    Visibility, 0 to 100. null without an answer.
    """
    mention_rate: float | None
    """
    Share of the answers that mention the brand, 0 to 100. null without an answer.
    """
    mention_rate_low: float | None
    """
    Lower 95 % bound of the mention rate.
    """
    mention_rate_high: float | None
    """
    Upper 95 % bound of the mention rate.
    """
    citation_rate: float | None
    """
    Share of the answers that cite the domain of the brand, 0 to 100. null without a value.
    """
    citation_rate_low: float | None
    """
    Lower 95 % bound of the citation rate.
    """
    citation_rate_high: float | None
    """
    Upper 95 % bound of the citation rate.
    """
    average_position: float | None
    """
    Mean position in the answers that mention the brand; 1 is first. null without a mention.
    """
    average_position_low: float | None
    """
    Lower 95 % bound of the average position. null with fewer than five prompts, or where omitting one leaves no value.
    """
    average_position_high: float | None
    """
    Upper 95 % bound of the average position. null with fewer than five prompts, or where omitting one leaves no value.
    """
    sentiment: float | None
    """
    Mean tone, 0 to 100; 50 is neutral. null without a mention.
    """
    share_of_voice: float | None
    """
    Mentions of the brand as a share of those of all tracked brands, 0 to 100. null without any mention.
    """
    share_of_voice_low: float | None
    """
    Lower 95 % bound of the share of voice. null with fewer than five prompts, or where omitting one leaves no value.
    """
    share_of_voice_high: float | None
    """
    Upper 95 % bound of the share of voice. null with fewer than five prompts, or where omitting one leaves no value.
    """
    competitors: Sequence[CompetitorInSlice]
    """
    Every competitor that is tracked now, by name, then id.
    """
    is_imprecise: bool
    """
    Whether the bounds of the mention rate are more than 30 points apart.
    """


class DiscoveredBrand(TypedDict):
    key: str
    """
    What the spellings of the name have in common.
    """
    name: str
    """
    Most frequent spelling.
    """
    spellings: Sequence[str]
    """
    At most five spellings, most frequent first.
    """
    suggested_domain: str | None
    """
    Registrable domain to which most links with this name lead; null without one.
    """
    kind: Literal["brand", "publisher", "marketplace", "unknown"] | str
    """
    What the name is, by its domain or the LLM judge: `brand`, `publisher`, `marketplace`, or `unknown`.
    """
    units_mentioned: int
    """
    Answers that present the name.
    """
    mention_rate: float | None
    """
    Mean over the cells (prompt, country, platform) of the share of their answers that present the name, 0 to 100.
    """
    mention_rate_low: float | None
    """
    Lower 95 % bound of the rate, with a prompt as a cluster.
    """
    mention_rate_high: float | None
    """
    Upper 95 % bound of the rate, with a prompt as a cluster.
    """
    prompts: int
    """
    Distinct prompts whose answers present the name.
    """
    platforms: Sequence[Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str]
    """
    AI platforms whose answers present the name. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    average_position: float
    """
    Mean rank among all names of the answer, tracked ones included; 1 is first.
    """
    first_seen: str
    """
    First day of the window with the name (UTC).
    """
    last_seen: str
    """
    Last day of the window with the name (UTC).
    """
    examples: Sequence[DiscoveredExample]
    """
    At most three answers with a stored text that present the name, newest first.
    """


class BrandChange(TypedDict):
    brand: ChangedBrand
    """
    The own brand.
    """
    a: ComparedFigures
    """
    Window a, over the paired cells.
    """
    b: ComparedFigures
    """
    Window b, over the paired cells.
    """
    difference: ScoreDifference | None
    """
    Difference with its interval: the paired t interval over prompts, for `share_of_voice` that of the jackknife over prompts. null with fewer than two paired prompts; for `share_of_voice` below five, or where no brand is mentioned in a window.
    """
    p_value: float | None
    """
    Two-sided p-value of no difference. Where all k prompts differ by the same amount, it is (1/4)^(k - 1). null where the brand is not comparable.
    """
    q_value: float | None
    """
    Lowest `fdr` at which this row is a change. null where the brand is not comparable.
    """
    verdict: Literal["up", "down", "no_evidence", "not_comparable"] | str
    """
    `up` or `down` if `q_value` is at most `fdr`, `no_evidence` if it is higher, `not_comparable` as in compareScores.
    """
    reasons: Sequence[
        Literal[
            "too_few",
            "model_changed",
            "surface_changed",
            "method_changed",
            "competitors_changed",
            "incomplete",
            "unequal_answers",
            "partial_run",
            "prompt_set_changed",
            "short_window",
            "platform_drift",
        ]
        | str
    ]
    """
    What prevents a verdict, then what its reader should know. The guide “Methodology” explains each reason. Known values: `too_few`, `model_changed`, `surface_changed`, `method_changed`, `competitors_changed`, `incomplete`, `unequal_answers`, `partial_run`, `prompt_set_changed`, `short_window`, `platform_drift`.
    """


class Changes(TypedDict):
    window_days: int
    """
    Days of each window.
    """
    metric: Literal["score", "mention_rate", "sentiment", "citation_rate", "share_of_voice"] | str
    """
    Figure that is compared. Known values: `score`, `mention_rate`, `sentiment`, `citation_rate`, `share_of_voice`.
    """
    country: str | None
    """
    Market of the compared answers; null for all markets.
    """
    fdr: float
    """
    False discovery rate that was asked for.
    """
    tested: int
    """
    Brands that are comparable.
    """
    not_comparable: int
    """
    Brands that are not comparable.
    """
    up: int
    """
    Brands with the verdict `up`.
    """
    down: int
    """
    Brands with the verdict `down`.
    """
    median_difference: float | None
    """
    Median of the differences of the comparable brands, in points. A shift that many brands share shows here. null without a comparable brand.
    """
    rows: Sequence[BrandChange]
    """
    At most 500 brands. Ordered by `q_value` ascending, null last, then by the id of the brand.
    """


class DeliveredEvent(TypedDict):
    id: str
    """
    Id of the event, equal to `event_id`.
    """
    type: str
    """
    Type of the event.
    """
    api_version: str
    """
    Version of the API that the body follows.
    """
    timestamp: str
    """
    When the event was created.
    """
    org: EventOrganisation | None
    """
    Organisation of the event; null for a ping.
    """
    data: DeliveredEventData
    """
    Content of the event. Each type has its own fields.
    """


class CompetitorOutcome(TypedDict):
    name: str
    """
    Name of the competitor, as sent.
    """
    domain: str
    """
    Domain of the competitor, as sent.
    """
    status: Literal["applied", "failed", "not_attempted"] | str
    """
    `applied`: linked. `failed`: refused with `error`. `not_attempted`: an earlier one reached the limit.
    """
    competitor_id: NotRequired[str]
    """
    Id of the competitor. Only if it was linked.
    """
    reused: NotRequired[bool]
    """
    true if the organisation already had a competitor with this domain. Only if it was linked.
    """
    error: NotRequired[CompetitorError]
    """
    Why it was refused. Only if it failed.
    """


class ExperimentCompletedEvent(TypedDict):
    id: str
    """
    Id of the event, equal to the header `webhook-id`. A replay has the same.
    """
    type: Literal["experiment.completed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API that the body follows.
    """
    timestamp: str
    """
    When the event was created. Retries and replays have the same.
    """
    org: EventOrganisation | None
    """
    Organisation of the brand.
    """
    data: ExperimentCompletedData
    """
    Content of the event.
    """


class PromptResult(TypedDict):
    id: str
    """
    Id of the unit.
    """
    prompt_id: str
    """
    Id of the prompt.
    """
    brand_id: str
    """
    Id of the own brand.
    """
    scan_id: str | None
    """
    Id of the scan job; null for an imported answer.
    """
    run_date: str
    """
    UTC day of the scan.
    """
    platform: Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"] | str
    """
    AI platform that gave the answer. Known values: `perplexity`, `chatgpt`, `gemini`, `claude`, `ai_overviews`.
    """
    surface: Literal["api", "serp", "app"] | str
    """
    Where the answer comes from: the `api` of the platform, `serp`, a search results page, or `app`, what a person sees (imported answers only).
    """
    collector: str | None
    """
    Who collected the answer, as its import names it. null for scans, and if the import does not say.
    """
    country: str
    """
    Market of the unit, ISO 3166-1 alpha-2. Imports may have other values.
    """
    finalized_at: str
    """
    When the unit was finalised.
    """
    outcome: Literal["answered", "no_answer"] | str
    """
    `answered`, or `no_answer` if the platform responded without an answer. Units that failed have no result.
    """
    mentioned: bool
    """
    Whether the answer mentions the own brand. false without an answer.
    """
    mention_method: Literal["words", "words+llm"] | str
    """
    Method that decided the mentions: `words`, or `words+llm` if the LLM judge evaluated every brand with `match.verify` that the words found.
    """
    position: int | None
    """
    Rank of the own brand by first occurrence among the tracked brands; 1 is first. null without a mention.
    """
    sentiment: float | None
    """
    Tone towards the own brand, 0 to 100; 50 is neutral. null without a mention.
    """
    sentiment_method: Literal["lexicon", "llm"] | str | None
    """
    Method that rated all sentiments of the answer: `lexicon` or `llm`. null if no brand has a sentiment, and for imported answers.
    """
    cited: bool
    """
    Whether the answer cites the domain of the own brand. If false, and `sources_unresolved` is not 0, it may cite it.
    """
    answer_text: str | None
    """
    Text of the answer, at most 32 KiB; null without an answer, for an import without a text, and after the retention of texts.
    """
    answer_truncated: bool
    """
    Whether the text is incomplete: the platform stopped early, or the text was longer than what is stored.
    """
    model: str | None
    """
    Model that gave the answer, as the platform names it; null if it named none.
    """
    search_used: bool | None
    """
    Whether the platform searched the web for the answer; null if it is not known.
    """
    localization: Literal["native", "prompt", "none"] | str
    """
    How the market was passed: `native` by a setting of the platform, `prompt` by a sentence before the prompt, `none` not at all.
    """
    search_queries: Sequence[str]
    """
    Web searches that the platform reported.
    """
    brands: Sequence[ResultBrand]
    """
    The own brand, then its competitors in the order of their links. `position` has the order in the answer.
    """
    others: Sequence[OtherName]
    """
    Names of companies, brands or products that the answer presents and that are not tracked, each at its first occurrence. Empty without a stored text.
    """
    informative: bool | None
    """
    Whether the answer names a tracked brand or another one. null without a stored text, and until a text of an earlier version is reprocessed.
    """
    sources: Sequence[ResultSource]
    """
    Web pages of the answer, cited or only read, in their order. A link of which only the site is known has the root of the site.
    """
    sources_unresolved: int
    """
    Cited links whose page is hidden behind a redirect of the platform, counted up to 100. They are not among `sources`.
    """


class Delivery(TypedDict):
    id: str
    """
    Id of the delivery.
    """
    event_id: str
    """
    Id of the event, which is the header `webhook-id` of every attempt.
    """
    event_type: str
    """
    Type of the event.
    """
    endpoint_id: str
    """
    Id of the webhook endpoint.
    """
    subscription_id: str | None
    """
    Id of the subscription; null for a ping, and after the subscription was deleted.
    """
    status: Literal["pending", "delivering", "succeeded", "dead"] | str
    """
    `pending`: waits for an attempt. `delivering`: an attempt is in progress. `succeeded`: the receiver returned 2xx. `dead`: no attempt is left.
    """
    attempts: int
    """
    Attempts made so far, those before a replay included.
    """
    next_attempt_at: str | None
    """
    When the next attempt is due; null when none is.
    """
    last_status_code: int | None
    """
    HTTP status of the last attempt; null without a response.
    """
    last_duration_ms: int | None
    """
    Milliseconds that the last attempt took; null before the first.
    """
    last_error: (
        Literal[
            "dns_failure",
            "address_not_public",
            "connect_failed",
            "tls_failed",
            "timeout",
            "response_too_large",
            "http_status",
        ]
        | str
        | None
    )
    """
    Why the last attempt failed; null after a success. `dns_failure`: no address. `address_not_public`: an address is private. `connect_failed`: no connection, or no valid HTTP. `tls_failed`: no valid certificate. `timeout`: 5 s to connect, 15 s in all. `response_too_large`: over 16 KiB. `http_status`: not 2xx.
    """
    last_response_snippet: str | None
    """
    First 1,024 bytes of the receiver's last response, without control characters; null without one.
    """
    created_at: str
    """
    When the event was queued for the endpoint.
    """
    updated_at: str
    """
    When the delivery last changed.
    """
    event: NotRequired[DeliveredEvent | None]
    """
    Body of the event as it is sent; only with `include=event`. null if it is no longer kept, or if its organisation is no longer linked.
    """


class PropertyPartialFailure(TypedDict):
    brand_id: str
    """
    Id of the created brand.
    """
    brand: CreatedProperty
    """
    The created brand.
    """
    competitors: Sequence[CompetitorOutcome]
    """
    Outcome of each competitor, in the order of the body.
    """
