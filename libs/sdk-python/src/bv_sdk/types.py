# Generated from docs/openapi.json by scripts/generate.py; changes belong in libs/contract.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired


class UpdateLinkRequest(TypedDict):
    external_ref: str | None
    """
    The caller's own reference.
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
    Name under which answers mention it.
    """
    domain: str
    """
    Registrable host name. Of a URL the host is stored, without `www.`.
    """
    aliases: NotRequired[Sequence[str]]
    """
    Further names under which answers mention it. None when omitted or empty. A reused competitor keeps its own.
    """
    match: NotRequired[MatchRulesInput]
    """
    Default rules when omitted. A reused competitor keeps its own.
    """


class UpdateBrandRequest(TypedDict):
    name: NotRequired[str]
    """
    Name under which answers mention it.
    """
    aliases: NotRequired[Sequence[str]]
    """
    Replaces all aliases.
    """
    match: NotRequired[MatchRulesInput]
    """
    Replaces the whole object. Omitted members get their default.
    """
    geography: NotRequired[str]
    """
    Own brands only.
    """
    external_ref: NotRequired[str | None]
    """
    Own brands only. `null` removes it.
    """


PlatformId: TypeAlias = Literal["perplexity", "chatgpt", "gemini", "claude", "ai_overviews"]


class PromptSyncInput(TypedDict):
    text: str
    """
    Text of the prompt.
    """
    countries: Sequence[str]
    """
    Markets in which the prompt is put, ISO 3166-1 alpha-2.
    """
    platforms: NotRequired[Sequence[PlatformId]]
    """
    When omitted or empty: all five for a new prompt, no change of an existing one.
    """
    tags: NotRequired[Sequence[str]]
    """
    Labels. When omitted: none for a new prompt, no change of an existing one.
    """
    active: NotRequired[bool]
    """
    Whether it is scanned. When omitted: `true` for a new prompt, no change of an existing one.
    """


class UpdatePromptRequest(TypedDict):
    countries: NotRequired[Sequence[str]]
    """
    Replaces the markets, ISO 3166-1 alpha-2.
    """
    platforms: NotRequired[Sequence[PlatformId]]
    """
    Replaces the AI platforms.
    """
    tags: NotRequired[Sequence[str]]
    """
    Replaces all labels.
    """
    active: NotRequired[bool]
    """
    Whether the prompt is scanned.
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
        "scan.completed", "score.threshold_crossed", "sentiment.threshold_crossed", "score.changed"
    ]
    """
    Type of the events that are sent.
    """
    org_id: NotRequired[str | None]
    """
    Only events of this organisation; null for every linked organisation.
    """
    brand_id: NotRequired[str | None]
    """
    Only events of this own brand; null for every brand.
    """
    threshold: NotRequired[float]
    """
    Required for threshold events, rejected for others. A value equal to the threshold is above it.
    """
    direction: NotRequired[Literal["up", "down", "both"]]
    """
    Selects the changes of side that are sent; both when omitted; threshold events only. The side is kept whatever the direction.
    """
    country: NotRequired[str | None]
    """
    Market of the series; all markets when omitted. Not for `scan.completed`.
    """
    metric: NotRequired[Literal["score", "mention_rate", "sentiment", "citation_rate"]]
    """
    Figure that is compared; `score` when omitted; `score.changed` only.
    """
    window_days: NotRequired[Literal[7, 28]]
    """
    Days of each of the two windows; 7 when omitted; `score.changed` only.
    """
    confidence: NotRequired[float]
    """
    Least confidence of a change; `0.9999` when omitted. `0.95` is each `up` or `down` of `compareScores`. Higher levels also need equally long windows and more prompts. `score.changed` only.
    """


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    """
    https address with a public host, on port 443 or 1024 and above.
    """
    description: NotRequired[str]
    """
    Free text of the partner.
    """


class UpdateWebhookEndpointRequest(TypedDict):
    url: NotRequired[str]
    """
    https address with a public host, on port 443 or 1024 and above.
    """
    description: NotRequired[str]
    """
    Free text of the partner.
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
    The partner's own reference of the organisation.
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
    The caller's own reference.
    """


class ScanUnits(TypedDict):
    total: int
    """
    Units of the scan.
    """
    answered: int
    """
    Units with an answer.
    """
    no_answer: int
    """
    Units to which the platform gave no answer.
    """
    failed: int
    """
    Units that failed.
    """


class Movement(TypedDict):
    value: float | None
    """
    Value of the metric.
    """
    previous: float | None
    """
    Value before the change.
    """
    change: float | None
    """
    Current value minus previous value.
    """


class ScoreThresholdCrossedData(TypedDict):
    """
    After each scoring of the brand the newest day of the series is compared with the side last reported. A different side is an event, sent where `direction` of a subscription selects it. Imports send none; the next scan reports what they changed.
    """

    brand: EventBrand
    """
    Brand the event is about.
    """
    metric: Literal["score"]
    """
    Metric that is compared with the threshold.
    """
    country: str | None
    """
    Market of the series; null for the series over all markets.
    """
    threshold: float
    """
    Value whose crossing sends the event.
    """
    direction: Literal["up", "down"]
    """
    up: previous < threshold <= current. down: previous >= threshold > current.
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
    Brand the event is about.
    """
    metric: Literal["sentiment"]
    """
    Metric that is compared with the threshold.
    """
    country: str | None
    """
    Market of the series; null for the series over all markets.
    """
    threshold: float
    """
    Value whose crossing sends the event.
    """
    direction: Literal["up", "down"]
    """
    up: previous < threshold <= current. down: previous >= threshold > current.
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
    Lower bound of the interval of the difference.
    """
    high: float
    """
    Upper bound of the interval of the difference.
    """
    confidence: float
    """
    Confidence level of the interval.
    """


class EndpointPingData(TypedDict):
    endpoint_id: str
    """
    Id of the webhook endpoint.
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


class LimitUsage(TypedDict):
    used: int
    """
    Number in use.
    """
    limit: int | None
    """
    The limit; null means unlimited.
    """


class CountriesUsage(TypedDict):
    used: int
    """
    Number in use.
    """
    limit: int | None
    """
    The limit; null means unlimited.
    """
    codes: Sequence[str]
    """
    Market codes in use.
    """


class CompetitorsUsage(TypedDict):
    limit: int
    """
    The limit; null means unlimited.
    """
    max_used: int
    """
    Highest number that an own brand has.
    """


class ManualScansUsage(TypedDict):
    used: int
    """
    Number in use.
    """
    limit: int | None
    """
    The limit; null means unlimited.
    """
    remaining: int | None
    """
    Number that is left.
    """
    resets_at: str
    """
    When the next month starts.
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
    link_scope: Literal["owner", "read_only", "read_write"]
    """
    owner for an organisation key; the scope of the link for a partner key.
    """
    external_ref: str | None
    """
    The partner's own id of the organisation.
    """
    created_at: str
    """
    When it was created.
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
    code: Literal["common_word"]
    """
    `common_word`: answers use the name or alias as an ordinary word. More codes may follow.
    """
    field: Literal["name", "aliases"]
    """
    Field of the brand that has the value.
    """
    value: str
    """
    The name or alias.
    """
    language: str
    """
    Language in which it is an ordinary word, ISO 639-1.
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
    Name of the competitor.
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


class BrandDetail(TypedDict):
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
    is_own: bool
    """
    true: tracked own brand; false: competitor row.
    """
    external_ref: str | None
    """
    The caller's own reference.
    """
    geography: str
    """
    Where the brand is active, as given at creation.
    """
    sunset_at: str | None
    """
    When set, the brand is archived.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """
    last_scan_changed_at: str | None
    """
    Change token: moves whenever something changes for the brand; null before the first result.
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
    Competitors of the brand.
    """


class LinkedCompetitor(TypedDict):
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
    is_own: bool
    """
    true: tracked own brand; false: competitor row.
    """
    external_ref: str | None
    """
    The caller's own reference.
    """
    geography: str
    """
    Where the brand is active, as given at creation.
    """
    sunset_at: str | None
    """
    When set, the brand is archived.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
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
    true when an existing row of the organisation was reused.
    """


class Brand(TypedDict):
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
    is_own: bool
    """
    true: tracked own brand; false: competitor row.
    """
    external_ref: str | None
    """
    The caller's own reference.
    """
    geography: str
    """
    Where the brand is active, as given at creation.
    """
    sunset_at: str | None
    """
    When set, the brand is archived.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """


class Deleted(TypedDict):
    id: str
    """
    Id of what was deleted.
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
    Id of the brand.
    """
    text: str
    """
    Text of the prompt.
    """
    tags: Sequence[str]
    """
    Labels of the prompt.
    """
    countries: Sequence[str]
    """
    Markets in which the prompt is put, ISO 3166-1 alpha-2.
    """
    platforms: Sequence[PlatformId]
    """
    AI platforms that the prompt is put to.
    """
    active: bool
    """
    Whether the prompt is scanned.
    """
    source: Literal["ui", "api", "sync", "import"]
    """
    `ui`, `api` (createPrompt), `sync` (syncPrompts) or `import`.
    """
    created_by_key_id: str | None
    """
    Key that created the prompt; null if no API key did.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """


class PromptSyncError(TypedDict):
    code: str
    """
    Error code, for programs.
    """
    message: str
    """
    Error message, for people. Its wording may change.
    """
    details: NotRequired[Any]
    """
    Details of the error; the shape depends on the code.
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
    Prompts that were changed.
    """
    reactivated: int
    """
    Prompts that became active again.
    """
    deactivated: int
    """
    Prompts that were deactivated.
    """
    unchanged: int
    """
    Prompts that were already as described.
    """
    failed: int
    """
    Rows that failed.
    """


class ScoreComparison(TypedDict):
    metric: Literal["score", "mention_rate", "sentiment", "citation_rate"]
    """
    Figure that is compared.
    """
    country: str | None
    """
    Market of the compared answers; null for all markets.
    """
    platform: PlatformId | None
    """
    Platform of the compared answers; null for all platforms.
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
    Difference with its paired t interval over prompts. null with fewer than two paired prompts.
    """
    verdict: Literal["up", "down", "no_evidence", "not_comparable"]
    """
    `up` or `down` if the interval excludes 0, `no_evidence` if it contains 0, `not_comparable` if one of the first three reasons applies.
    """
    reasons: Sequence[
        Literal["too_few", "model_changed", "method_changed", "partial_run", "prompt_set_changed"]
    ]
    """
    `too_few`: fewer than five prompts are paired. `model_changed`: a platform served another set of models. `method_changed`: a window has a method version that the other lacks. `partial_run`: a scan of a window was partial. `prompt_set_changed`: less than 80 % of the cells of a window are paired.
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
    The caller's own reference.
    """
    geography: str
    """
    Where the brand is active, as given at creation.
    """
    score: float | None
    """
    Visibility score, 0 to 100.
    """
    previous_score: float | None
    """
    Score of the latest earlier day of the series.
    """
    score_change: float | None
    """
    Difference of the score to the previous one.
    """
    score_date: str | None
    """
    Day of the score.
    """
    change_verdict: Literal["up", "down", "no_evidence", "not_comparable"] | None
    """
    Whether the score of 7 days differs from that of the 7 days before, at the newest day whose scan was evaluated. Imports and reprocess jobs count from the next scan on. null before the first evaluated scan.
    """
    sentiment: float | None
    """
    Mean tone towards the brand in the answers that mention it, 0 to 100; 50 is neutral, null without a mention.
    """
    share_of_voice: float | None
    """
    Mentions of the brand as a share of the mentions of all tracked brands, 0 to 100.
    """
    average_position: float | None
    """
    Mean position of the brand in the answers that mention it; 1 is first.
    """
    active_prompts: int
    """
    Number of active prompts of the brand.
    """
    last_scan_at: str | None
    """
    When the last scan ended.
    """
    last_scan_status: Literal["completed", "partial", "failed"] | None
    """
    Status of the last ended scan.
    """
    scan_in_progress: bool
    """
    Whether a scan of the brand is queued or running.
    """
    changed_at: str | None
    """
    Change token: when the brand's results last changed.
    """


class Mention(TypedDict):
    prompt_id: str
    """
    Id of the prompt.
    """
    run_date: str
    """
    Day of the measurement (UTC).
    """
    platform: PlatformId
    """
    AI platform.
    """
    country: str
    """
    Market.
    """
    finalized_at: str
    """
    When the run unit was finalised.
    """
    mentioned: bool
    """
    Whether the answer mentions the brand.
    """
    position: int | None
    """
    Rank by first occurrence; 1 is first, null without a mention.
    """
    sentiment: float | None
    """
    Tone towards the brand, 0 to 100; 50 is neutral, null without a mention.
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
    Title of the page.
    """
    cited: bool
    """
    Whether the answer cites the source. Otherwise the platform only read it.
    """
    category: Literal[
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
    """
    Kind of website.
    """


class PlatformScore(TypedDict):
    platform: PlatformId
    """
    AI platform.
    """
    score: float | None
    """
    Visibility score, 0 to 100.
    """
    mention_rate: float | None
    """
    Share of answers that mention the brand, 0 to 100.
    """
    units_answered: int
    """
    Units with an answer.
    """


class ServedModel(TypedDict):
    platform: PlatformId
    """
    AI platform.
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
    Day of the measurement (UTC).
    """
    brand_id: str
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
    is_own: bool
    """
    true for an own brand, false for a competitor.
    """
    share_of_voice: float | None
    """
    Mentions of the brand as a share of the mentions of all tracked brands, 0 to 100.
    """
    mentions: int
    """
    Number of answers that mention the brand.
    """
    total_mentions: int
    """
    Number of mentions of all brands compared.
    """
    units_answered: int
    """
    Units with an answer.
    """
    mention_rate: float | None
    """
    Share of answers that mention the brand, 0 to 100.
    """
    average_position: float | None
    """
    Mean position of the brand in the answers that mention it; 1 is first.
    """
    rank: int
    """
    Rank among the tracked brands; 1 is first.
    """


class CitedPage(TypedDict):
    url: str
    """
    Address of the page.
    """
    title: str | None
    """
    Title of the page.
    """
    citations: int
    """
    Number of citations.
    """


class PlatformCitations(TypedDict):
    platform: PlatformId
    """
    AI platform.
    """
    citations: int
    """
    Number of citations.
    """


class ReprocessUnits(TypedDict):
    total: int
    """
    Answered units of the window with a stored text; 0 while the job is queued.
    """
    done: int
    """
    Units that were read again; starts from 0 if the brand changes during the job.
    """
    changed: int
    """
    Units whose brand rows differ afterwards.
    """


class ScanJob(TypedDict):
    job_id: str
    """
    Id of the scan job.
    """
    brand_id: str
    """
    Id of the brand.
    """
    status: Literal["queued", "running", "completed", "partial", "failed", "cancelled"]
    """
    `queued`, `running`, `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled`.
    """
    trigger: Literal["manual", "scheduled"]
    """
    What started the scan.
    """
    run_date: str
    """
    Day of the measurement (UTC).
    """
    idempotency_key: str
    """
    `Idempotency-Key` of the scan request, or a generated one.
    """
    units: ScanUnits
    """
    Counts of the run units: one prompt, country and platform each.
    """
    queued_at: str
    """
    When the job was queued.
    """
    started_at: str | None
    """
    When the job started; null before.
    """
    completed_at: str | None
    """
    When the job ended; null before.
    """


class ScanRequest(TypedDict):
    job_id: str
    """
    Id of the scan job.
    """
    idempotency_key: str
    """
    `Idempotency-Key` of the scan request, or a generated one.
    """
    status: Literal["queued"]
    """
    `queued`, `running`, `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled`.
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


class MethodologySentiment(TypedDict):
    default_method: Literal["lexicon", "llm"]
    """
    Method that rates a sentiment first. The lexicon rates what the LLM judge does not.
    """
    llm_model: str | None
    """
    Model of the LLM judge; null if it is off.
    """
    lexicon_languages: Sequence[str]
    """
    Languages with word lists. The lexicon rates mentions in others 50.
    """


class MeasuredPlatform(TypedDict):
    platform: PlatformId
    """
    AI platform.
    """
    surface: Literal["api", "serp"]
    """
    `api`: the API of the platform. `serp`: a search results page.
    """
    model: str | None
    """
    Model that is requested; null for AI Overviews. `model` of a result is the one that answered.
    """
    provider: Literal["serpapi", "dataforseo"] | None
    """
    Provider of the search results pages; null for platforms that are asked by their own API.
    """
    search: Literal["forced", "automatic"]
    """
    `forced`: the request makes the platform search. `automatic`: the platform decides; `search_used` of a result says whether it did.
    """
    localization: Literal["native", "prompt", "none"]
    """
    How the market is passed first: `native` setting, `prompt` text or `none`. For a market that the setting does not support, `native` becomes `prompt`.
    """


class MethodologyCadence(TypedDict):
    per_day: int
    """
    Scheduled scans of a brand in a UTC day. Requested scans are additional.
    """
    samples_per_unit: int
    """
    Answers to one prompt, in one country, on one platform, in one scan.
    """


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


class Subscription(TypedDict):
    id: str
    """
    Id of the subscription.
    """
    endpoint_id: str
    """
    Id of the webhook endpoint.
    """
    event_type: Literal[
        "scan.completed", "score.threshold_crossed", "sentiment.threshold_crossed", "score.changed"
    ]
    """
    Type of the events that are sent.
    """
    org_id: str | None
    """
    null: every linked organisation.
    """
    brand_id: str | None
    """
    Only events of this own brand; null for every brand.
    """
    threshold: float | None
    """
    Value whose crossing sends the event.
    """
    direction: Literal["up", "down", "both"] | None
    """
    Direction of a crossing: up, down or both.
    """
    country: str | None
    """
    Only the series of this market; null for the series of all markets.
    """
    metric: Literal["score", "mention_rate", "sentiment", "citation_rate"] | None
    """
    Figure of `score.changed`; null for other event types.
    """
    window_days: float | None
    """
    Days of each window of `score.changed`; null for other event types.
    """
    confidence: float | None
    """
    Least confidence of a change for `score.changed`; null for other event types.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """


class WebhookEndpointWithSecret(TypedDict):
    id: str
    """
    Id of the webhook endpoint.
    """
    url: str
    """
    Address that events are sent to.
    """
    status: Literal["pending_verification", "active", "failing", "disabled"]
    """
    `pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a 410, or `disabled` by the operator.
    """
    description: str
    """
    Free text of the partner.
    """
    consecutive_failures: int
    """
    Failed attempts since the last success.
    """
    last_success_at: str | None
    """
    When a delivery last succeeded.
    """
    last_failure_at: str | None
    """
    When a delivery last failed.
    """
    events_secret_rotated_at: str | None
    """
    When the signing secret was last rotated.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """
    secret: str
    """
    whsec_ and base64 of 32 bytes; shown once.
    """


class WebhookEndpoint(TypedDict):
    id: str
    """
    Id of the webhook endpoint.
    """
    url: str
    """
    Address that events are sent to.
    """
    status: Literal["pending_verification", "active", "failing", "disabled"]
    """
    `pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a 410, or `disabled` by the operator.
    """
    description: str
    """
    Free text of the partner.
    """
    consecutive_failures: int
    """
    Failed attempts since the last success.
    """
    last_success_at: str | None
    """
    When a delivery last succeeded.
    """
    last_failure_at: str | None
    """
    When a delivery last failed.
    """
    events_secret_rotated_at: str | None
    """
    When the signing secret was last rotated.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """


class Delivery(TypedDict):
    id: str
    """
    Id of the delivery.
    """
    event_id: str
    """
    Id of the event; the same for every attempt.
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
    Id of the subscription; null for a ping and after the subscription was deleted.
    """
    status: Literal["pending", "delivering", "succeeded", "dead"]
    """
    `pending`: waits for an attempt. `delivering`: an attempt is in progress. `succeeded`: the receiver returned 2xx. `dead`: no attempt is left.
    """
    attempts: int
    """
    Attempts made so far.
    """
    next_attempt_at: str | None
    """
    When the next attempt is due; null when none is.
    """
    last_status_code: int | None
    """
    HTTP status of the last attempt.
    """
    last_duration_ms: int | None
    """
    Duration of the last attempt, milliseconds.
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
        | None
    )
    """
    Why the last attempt failed; null after a success.
    """
    last_response_snippet: str | None
    """
    First 1,024 bytes of the receiver's last response.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """


class DeliveryRecovery(TypedDict):
    replayed: int
    """
    Deliveries that this request has queued again.
    """


class DuplicateTextRefusal(TypedDict):
    texts: Sequence[str]
    """
    Texts that occur more than once.
    """


class CursorRefusal(TypedDict):
    reason: Literal["filter_changed", "window_changed", "stale"]
    """
    Why the cursor is invalid.
    """
    parameter: NotRequired[str]
    """
    Filter that differs from the first page.
    """


class ValidationDetail(TypedDict):
    path: str
    """
    Dotted path of the field, the header name, or empty for the body as a whole.
    """
    code: str
    """
    Error code, for programs.
    """
    message: str
    """
    Error message, for people. Its wording may change.
    """


class NoManualScansRefusal(TypedDict):
    manual_scans_remaining: int
    """
    Manual scans left this month.
    """
    scan_credits: int
    """
    Purchased scans that are left.
    """


class BrandRefusal(TypedDict):
    brand_id: str
    """
    Id of the brand.
    """


class ExistingIdRefusal(TypedDict):
    existing_id: str
    """
    Id of the brand that exists.
    """


class CompetitorError(TypedDict):
    code: str
    """
    Error code, for programs.
    """
    message: str
    """
    Error message, for people. Its wording may change.
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
    Id of the reprocess job.
    """


class ScanQueuedRefusal(TypedDict):
    job_id: str | None
    """
    Id of the scan job.
    """
    idempotency_key: str | None
    """
    `Idempotency-Key` of the scan request, or a generated one.
    """


class CapRefusal(TypedDict):
    tier: NotRequired[str]
    """
    Tier of the organisation.
    """
    cap: NotRequired[int]
    """
    The limit of the tier.
    """
    attempted: NotRequired[int]
    """
    The count that the refused request would have led to.
    """


class CompetitorCapRefusal(TypedDict):
    tier: NotRequired[str]
    """
    Tier of the organisation.
    """
    cap: NotRequired[int]
    """
    The limit of the tier.
    """
    attempted: NotRequired[int]
    """
    The count that the refused request would have led to.
    """


class CountryCapRefusal(TypedDict):
    tier: NotRequired[str]
    """
    Tier of the organisation.
    """
    cap: NotRequired[int]
    """
    The limit of the tier.
    """
    attempted: NotRequired[int]
    """
    The count that the refused request would have led to.
    """
    countries_in_use: Sequence[str]
    """
    Markets already in use.
    """
    countries_requested: Sequence[str]
    """
    Markets the refused request names.
    """


class CreatePropertyRequest(TypedDict):
    name: str
    """
    Name under which answers mention it.
    """
    domain: str
    """
    Registrable host name. Of a URL the host is stored, without `www.`.
    """
    external_ref: NotRequired[str]
    """
    The caller's own reference.
    """
    geography: NotRequired[str]
    """
    Where the brand is active, as given at creation.
    """
    aliases: NotRequired[Sequence[str]]
    """
    Further names under which answers mention the brand. None when omitted or empty.
    """
    match: NotRequired[MatchRulesInput]
    """
    What counts as a mention. Default rules when omitted.
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
    Text of the prompt.
    """
    countries: Sequence[str]
    """
    Markets in which the prompt is put, ISO 3166-1 alpha-2.
    """
    platforms: NotRequired[Sequence[PlatformId]]
    """
    AI platforms that the prompt is put to.
    """
    tags: NotRequired[Sequence[str]]
    """
    Labels of the prompt.
    """
    active: NotRequired[bool]
    """
    Whether the prompt is scanned.
    """


class SyncPromptsRequest(TypedDict):
    prompts: Sequence[PromptSyncInput]
    """
    The prompts that the brand shall have.
    """
    deactivate_missing: NotRequired[bool]
    """
    Whether the sync deactivates every active prompt of the brand that `prompts` does not list. An empty list then deactivates all.
    """


class ScanCompletedData(TypedDict):
    job_id: str | None
    """
    Id of the scan job.
    """
    brand: EventBrand
    """
    Brand the event is about.
    """
    trigger: Literal["manual", "scheduled"]
    """
    What started the scan.
    """
    status: Literal["completed", "partial"]
    """
    `completed`, or `partial` if some units failed.
    """
    run_date: str
    """
    Day of the measurement (UTC).
    """
    queued_at: str
    """
    When the job was queued.
    """
    started_at: str
    """
    When the job started; null before.
    """
    completed_at: str
    """
    When the job ended; null before.
    """
    units: ScanUnits
    """
    Counts of the run units: one prompt, country and platform each.
    """
    platforms: Sequence[PlatformId]
    """
    AI platforms of the scan.
    """
    countries: Sequence[str]
    """
    Markets of the scan.
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
    Mentions of the brand as a share of the mentions of all tracked brands, 0 to 100.
    """
    change_verdict: Literal["up", "down", "no_evidence", "not_comparable"] | None
    """
    Whether the score of the 7 days up to `run_date` differs from that of the 7 days before. null if the scan was not evaluated.
    """
    last_scan_changed_at: str
    """
    Change token of the brand: moves with every change of its results.
    """


class ScoreThresholdCrossedEvent(TypedDict):
    id: str
    """
    Id of the event; equals `webhook-id`.
    """
    type: Literal["score.threshold_crossed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API the payload follows.
    """
    timestamp: str
    """
    When the event occurred.
    """
    org: EventOrganisation | None
    """
    Organisation of the event; null for a ping.
    """
    data: ScoreThresholdCrossedData
    """
    Content of the event.
    """


class SentimentThresholdCrossedEvent(TypedDict):
    id: str
    """
    Id of the event; equals `webhook-id`.
    """
    type: Literal["sentiment.threshold_crossed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API the payload follows.
    """
    timestamp: str
    """
    When the event occurred.
    """
    org: EventOrganisation | None
    """
    Organisation of the event; null for a ping.
    """
    data: SentimentThresholdCrossedData
    """
    Content of the event.
    """


class ScoreChangedData(TypedDict):
    """
    The comparison when the first scan of a day was scored. Window b ends on that day, window a ends before window b.
    """

    brand: EventBrand
    """
    Brand the event is about.
    """
    metric: Literal["score", "mention_rate", "sentiment", "citation_rate"]
    """
    Figure that is compared.
    """
    country: str | None
    """
    Market of the compared answers; null for all markets.
    """
    platform: PlatformId | None
    """
    Platform of the compared answers; null for all platforms.
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
    Difference with its paired t interval over prompts. The interval does not contain 0.
    """
    verdict: Literal["up", "down"]
    """
    Whether the figure is higher or lower in window b.
    """
    reasons: Sequence[
        Literal["too_few", "model_changed", "method_changed", "partial_run", "prompt_set_changed"]
    ]
    """
    `too_few`: fewer than five prompts are paired. `model_changed`: a platform served another set of models. `method_changed`: a window has a method version that the other lacks. `partial_run`: a scan of a window was partial. `prompt_set_changed`: less than 80 % of the cells of a window are paired.
    """
    job_id: str
    """
    Scan whose scoring led to the comparison.
    """


class EndpointPingEvent(TypedDict):
    id: str
    """
    Id of the event; equals `webhook-id`.
    """
    type: Literal["endpoint.ping"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API the payload follows.
    """
    timestamp: str
    """
    When the event occurred.
    """
    org: EventOrganisation | None
    """
    Organisation of the event; null for a ping.
    """
    data: EndpointPingData
    """
    Content of the event.
    """


class KeyIntrospection(TypedDict):
    key_prefix: str
    """
    The first 12 characters of the key.
    """
    kind: Literal["organisation", "partner"]
    """
    Whether the key belongs to one organisation or to a partner.
    """
    name: str | None
    """
    Name that the key was issued with.
    """
    scopes: Sequence[Literal["read", "write"]]
    """
    `write` is needed for every operation that changes something.
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
    Markets of the active prompts.
    """
    competitors_per_brand: CompetitorsUsage
    """
    Competitors per own brand: limit and highest use.
    """
    manual_scans: ManualScansUsage | None
    """
    null while the service that counts them is unavailable.
    """
    scan_credits: int | None
    """
    Purchased scans that are left.
    """


class CreatedProperty(TypedDict):
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
    is_own: bool
    """
    true: tracked own brand; false: competitor row.
    """
    external_ref: str | None
    """
    The caller's own reference.
    """
    geography: str
    """
    Where the brand is active, as given at creation.
    """
    sunset_at: str | None
    """
    When set, the brand is archived.
    """
    created_at: str
    """
    When it was created.
    """
    updated_at: str
    """
    When it last changed.
    """
    last_scan_changed_at: str | None
    """
    Change token: moves whenever something changes for the brand; null before the first result.
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
    Competitors of the brand.
    """
    markets: Sequence[str]
    """
    Echo of the validated markets.
    """


class PromptSyncRow(TypedDict):
    index: int | None
    """
    Index of the row in the body; null for a prompt that the body lacks, which is deactivated.
    """
    text: str
    """
    Text of the prompt.
    """
    action: Literal["created", "updated", "reactivated", "deactivated", "unchanged", "failed"]
    """
    What the sync did with the prompt.
    """
    prompt_id: str | None
    """
    Id of the prompt.
    """
    error: PromptSyncError | None
    """
    Why the row failed; null otherwise.
    """


class ResultBrand(TypedDict):
    brand_id: str
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
    is_own: bool
    """
    true for an own brand, false for a competitor.
    """
    mentioned: bool
    """
    Whether the answer mentions the brand.
    """
    mention_count: int
    """
    Number of occurrences of the brand in the answer.
    """
    position: int | None
    """
    Rank by first occurrence; 1 is first, null without a mention.
    """
    sentiment: float | None
    """
    Tone towards the brand, 0 to 100; 50 is neutral, null without a mention.
    """
    cited: bool
    """
    Whether the answer cites the domain.
    """
    evidence: Sequence[Evidence]
    """
    Where the answer mentions the brand: the first three occurrences. Empty without a mention.
    """


class Score(TypedDict):
    brand_id: str
    """
    Id of the brand.
    """
    run_date: str
    """
    Day of the measurement (UTC).
    """
    country: str | None
    """
    null in the all-market series.
    """
    score: float | None
    """
    Visibility score, 0 to 100.
    """
    previous_score: float | None
    """
    Score of the latest earlier day of the series.
    """
    change: float | None
    """
    Score minus previous score.
    """
    mention_rate: float | None
    """
    Share of answers that mention the brand, 0 to 100.
    """
    mention_rate_low: float | None
    """
    Lower end of the 95 % Wilson interval.
    """
    mention_rate_high: float | None
    """
    Upper end of the 95 % Wilson interval.
    """
    average_position: float | None
    """
    Mean position of the brand in the answers that mention it; 1 is first.
    """
    sentiment: float | None
    """
    Mean tone towards the brand in the answers that mention it, 0 to 100; 50 is neutral, null without a mention.
    """
    citation_rate: float | None
    """
    Share of answered units that cite the domain, 0 to 100.
    """
    share_of_voice: float | None
    """
    Mentions of the brand as a share of the mentions of all tracked brands, 0 to 100.
    """
    units_total: int
    """
    Answered units plus units without an answer.
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
    Units whose answer cites the domain.
    """
    position_sum: int
    """
    Sum of the positions of the units that mention the brand.
    """
    sentiment_sum: float
    """
    Sum of the sentiments of the units.
    """
    sentiment_count: int
    """
    Number of units with a sentiment.
    """
    platforms: Sequence[PlatformScore]
    """
    Figures of each AI platform.
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
    window: NotRequired[Literal["7d", "28d"]]
    """
    Days that the row pools, up to `run_date`. Only in rows of a window.
    """
    units_effective: NotRequired[float]
    """
    Number of independent answers that have the same precision: answers to one prompt resemble each other. Two decimals. Only in rows of a window.
    """
    method_version: str
    """
    Version of the extraction and formulas; `+llm` when the LLM judge rated a sentiment. In a row of a window all versions of its days, separated by commas.
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
    category: Literal[
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
    """
    Kind of website.
    """
    is_own: bool
    """
    Whether it is the domain of the own brand.
    """
    competitor_id: str | None
    """
    Competitor with this domain; null for other domains.
    """
    citations: int
    """
    Number of citations.
    """
    units_cited: int
    """
    Units whose answer cites the domain.
    """
    citation_share: float | None
    """
    Share of all citations that go to the domain, 0 to 100.
    """
    citation_rate: float | None
    """
    Share of answered units that cite the domain, 0 to 100.
    """
    units_answered: int
    """
    Units with an answer.
    """
    pages: int
    """
    Number of distinct pages cited.
    """
    top_pages: Sequence[CitedPage]
    """
    Most cited pages, at most five.
    """
    platforms: Sequence[PlatformCitations]
    """
    Citations by AI platform.
    """
    countries: Sequence[str]
    """
    Markets of the answers that cite the domain.
    """
    mentioned_rate: float | None
    """
    Share of the citing answers that also mention the brand, 0 to 100.
    """
    first_seen: str
    """
    First day of the window with a citation (UTC).
    """
    last_seen: str
    """
    Last day of the window with a citation (UTC).
    """


ReprocessJob = TypedDict(
    "ReprocessJob",
    {
        "job_id": str,
        "brand_id": str,
        "status": Literal["queued", "running", "completed", "failed"],
        "from": str,
        "to": str,
        "units": ReprocessUnits,
        "queued_at": str,
        "started_at": str | None,
        "completed_at": str | None,
    },
)


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
    known_limits: Sequence[str]
    """
    What the figures cannot show, for people. The wording may change.
    """
    versions: Sequence[MethodVersion]
    """
    Every version of the method, newest first.
    """


class CompetitorOutcome(TypedDict):
    name: str
    """
    Name of the competitor.
    """
    domain: str
    """
    Normalised host of the competitor.
    """
    status: Literal["applied", "failed", "not_attempted"]
    """
    `applied`: linked. `failed`: refused with `error`. `not_attempted`: an earlier one reached the limit.
    """
    competitor_id: NotRequired[str]
    """
    Id of the competitor.
    """
    reused: NotRequired[bool]
    """
    Whether an existing competitor of the organisation was linked.
    """
    error: NotRequired[CompetitorError]
    """
    Why it was refused.
    """


class ScanCompletedEvent(TypedDict):
    id: str
    """
    Id of the event; equals `webhook-id`.
    """
    type: Literal["scan.completed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API the payload follows.
    """
    timestamp: str
    """
    When the event occurred.
    """
    org: EventOrganisation | None
    """
    Organisation of the event; null for a ping.
    """
    data: ScanCompletedData
    """
    Content of the event.
    """


class ScoreChangedEvent(TypedDict):
    id: str
    """
    Id of the event; equals `webhook-id`.
    """
    type: Literal["score.changed"]
    """
    Type of the event.
    """
    api_version: Literal["1.0.0"]
    """
    Version of the API the payload follows.
    """
    timestamp: str
    """
    When the event occurred.
    """
    org: EventOrganisation | None
    """
    Organisation of the event; null for a ping.
    """
    data: ScoreChangedData
    """
    Content of the event.
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
    link_scope: Literal["owner", "read_only", "read_write"]
    """
    owner for an organisation key; the scope of the link for a partner key.
    """
    external_ref: str | None
    """
    The partner's own id of the organisation.
    """
    created_at: str
    """
    When it was created.
    """
    tier: str
    """
    Tier of the organisation.
    """
    api_access: bool
    """
    Whether the plan includes the API.
    """
    updated_at: str
    """
    When it last changed.
    """
    usage: Usage
    """
    Use of the limits of the tier.
    """


class PromptSyncResult(TypedDict):
    results: Sequence[PromptSyncRow]
    """
    One result per row of the body, then one per deactivated prompt.
    """
    summary: PromptSyncSummary
    """
    Counts of the results by action.
    """


class PromptResult(TypedDict):
    id: str
    """
    Id of the run unit.
    """
    prompt_id: str
    """
    Id of the prompt.
    """
    brand_id: str
    """
    Id of the brand.
    """
    scan_id: str | None
    """
    Id of the scan job; null for an imported answer.
    """
    run_date: str
    """
    Day of the measurement (UTC).
    """
    platform: PlatformId
    """
    AI platform.
    """
    surface: Literal["api", "serp"]
    """
    Where answers of the platform come from: its `api`, or `serp`, a search results page. Imported answers may come from elsewhere.
    """
    country: str
    """
    Market.
    """
    finalized_at: str
    """
    When the run unit was finalised.
    """
    outcome: Literal["answered", "no_answer"]
    """
    `answered`, or `no_answer` when the platform declined.
    """
    mentioned: bool
    """
    Whether the answer mentions the brand.
    """
    mention_method: Literal["words", "words+llm"]
    """
    Method that decided the mentions: `words`, or `words+llm` if the LLM judge confirmed every brand with `match.verify` that the words found.
    """
    position: int | None
    """
    Rank by first occurrence; 1 is first, null without a mention.
    """
    sentiment: float | None
    """
    Tone towards the brand, 0 to 100; 50 is neutral, null without a mention.
    """
    sentiment_method: Literal["lexicon", "llm"] | None
    """
    Method that rated all sentiments of the answer: `lexicon` or `llm`. Null if no brand of the answer has a sentiment, and for imported answers.
    """
    cited: bool
    """
    Whether the answer cites the domain of the own brand.
    """
    answer_text: str | None
    """
    The platform's answer; null when it gave none.
    """
    answer_truncated: bool
    """
    Whether the answer text is incomplete: the platform stopped early, or the text exceeded the stored length.
    """
    model: str | None
    """
    Model that gave the answer, as the platform names it.
    """
    search_used: bool | None
    """
    Whether the platform searched the web.
    """
    localization: Literal["native", "prompt", "none"]
    """
    How the market was passed to the platform: `native` setting, `prompt` text or `none`.
    """
    search_queries: Sequence[str]
    """
    Web searches of the platform.
    """
    brands: Sequence[ResultBrand]
    """
    Tracked brands, in order of first occurrence.
    """
    sources: Sequence[ResultSource]
    """
    Web pages of the answer, in their order.
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
