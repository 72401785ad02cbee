// Generated from @bv/contract by `pnpm generate`; changes belong there.
/* oxlint-disable max-lines */

/** A known value, which editors offer, or one that a later version of the API adds. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export type AnswersUsage = {
  /** UTC month, YYYY-MM. */
  month: string;
  /** Units asked, whatever their outcome. A unit counts once, however often it was retried. */
  units: number;
  /** Their cost at the prices of their time. null if one had no price. */
  cost_usd: number | null;
};

export type Brand = {
  /** Id of the brand. */
  id: string;
  /** Name under which answers mention the brand. */
  name: string;
  /** Normalised host of the brand, such as `acme.com`. */
  domain: string;
  /** true for an own brand, which is measured. false for a competitor. */
  is_own: boolean;
  /** Your own reference of the brand, unique in its organisation. null if it has none, and for competitors. */
  external_ref: string | null;
  /** Where the brand is active, as given by the organisation. `global` if nothing was given. */
  geography: string;
  /** When the brand was archived; null if it is not. */
  sunset_at: string | null;
  /** When the brand was created. */
  created_at: string;
  /** When the brand or its list of competitors last changed. Results and prompts do not count. */
  updated_at: string;
};

export type BrandChange = {
  /** The own brand. */
  brand: ChangedBrand;
  /** Window a, over the paired cells. */
  a: ComparedFigures;
  /** Window b, over the paired cells. */
  b: ComparedFigures;
  /** Difference with its interval: the paired t interval over prompts, for `share_of_voice` that of the jackknife over prompts. null with fewer than two paired prompts; for `share_of_voice` below five, or where no brand is mentioned in a window. */
  difference: ScoreDifference | null;
  /** Two-sided p-value of no difference. Where all k prompts differ by the same amount, it is (1/4)^(k - 1). null where the brand is not comparable. */
  p_value: number | null;
  /** Lowest `fdr` at which this row is a change. null where the brand is not comparable. */
  q_value: number | null;
  /** `up` or `down` if `q_value` is at most `fdr`, `no_evidence` if it is higher, `not_comparable` as in compareScores. */
  verdict: Open<Verdict>;
  /** What prevents a verdict, then what its reader should know. The guide “Methodology” explains each reason. */
  reasons: readonly Open<ComparisonReason>[];
};

export type BrandDetail = {
  /** Id of the brand. */
  id: string;
  /** Name under which answers mention the brand. */
  name: string;
  /** Normalised host of the brand, such as `acme.com`. */
  domain: string;
  /** true for an own brand, which is measured. false for a competitor. */
  is_own: boolean;
  /** Your own reference of the brand, unique in its organisation. null if it has none, and for competitors. */
  external_ref: string | null;
  /** Where the brand is active, as given by the organisation. `global` if nothing was given. */
  geography: string;
  /** When the brand was archived; null if it is not. */
  sunset_at: string | null;
  /** When the brand was created. */
  created_at: string;
  /** When the brand or its list of competitors last changed. Results and prompts do not count. */
  updated_at: string;
  /** Change token: moves with every change of the results of the brand. null before the first result. */
  last_scan_changed_at: string | null;
  /** Further names under which answers mention the brand. */
  aliases: readonly string[];
  /** What counts as a mention of the brand. */
  match: MatchRules;
  /** Advice on names that lead to wrong mentions. Empty without any. */
  warnings: readonly BrandWarning[];
  /** Competitors of the brand. Empty for a competitor. */
  competitors: readonly Competitor[];
};

export type BrandRefusal = {
  /** Id of the own brand. */
  brand_id: string;
};

export type BrandSummary = {
  /** Id of the brand. */
  id: string;
  /** Name of the brand. */
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** Your own reference of the brand; null if it has none. */
  external_ref: string | null;
  /** Where the brand is active, as given by the organisation. */
  geography: string;
  /** Visibility of the brand on `score_date` over all markets, 0 to 100. null before the first result, and without an answer on that day. */
  score: number | null;
  /** Score of the latest earlier day with results; null without one. */
  previous_score: number | null;
  /** `score` minus `previous_score`; null if one of them is. */
  score_change: number | null;
  /** Latest day with results (UTC); null before the first. */
  score_date: string | null;
  /** Whether the score of 7 days differs from that of the 7 days before, at the newest day whose scan was evaluated. Imports, reprocess jobs and late scans of earlier days count from the next scan on. null before the first evaluated scan. */
  change_verdict: Open<Verdict> | null;
  /** Mean tone towards the brand on `score_date` in the answers that mention it, 0 to 100; 50 is neutral. null without a mention. */
  sentiment: number | null;
  /** Mentions of the brand on `score_date` as a share of those of all tracked brands, 0 to 100. null without any mention. */
  share_of_voice: number | null;
  /** Mean position of the brand on `score_date` in the answers that mention it; 1 is first. null without a mention. */
  average_position: number | null;
  /** Active prompts of the brand. */
  active_prompts: number;
  /** When the last ended scan ended; null before the first. */
  last_scan_at: string | null;
  /** How the last ended scan ended: `completed`, `partial` (some units failed) or `failed` (all failed). null before the first. */
  last_scan_status: Open<EndedScanStatus> | null;
  /** Whether a scan of the brand is queued or running. */
  scan_in_progress: boolean;
  /** Change token: moves with every change of the results of the brand. null before the first result. */
  changed_at: string | null;
};

export type BrandWarning = {
  /** `common_word`: answers use the name or alias as an ordinary word. `inside_other_name`: it stands inside a name of another tracked brand, and an answer with that longer name does not mention this brand. More codes may follow. */
  code: Open<BrandWarningCode>;
  /** Field of the brand that has the value. */
  field: Open<BrandWarningField>;
  /** The name or alias. */
  value: string;
  /** Language in which it is an ordinary word, ISO 639-1; `und` for codes that have nothing to do with one. */
  language: string;
  /** Id of the brand with the longer name. Only for `inside_other_name`. */
  other_brand_id?: string;
  /** What to do, for people. Its wording may change. */
  message: string;
};

export type BrandWarningCode = 'common_word' | 'inside_other_name';

export type BrandWarningField = 'name' | 'aliases';

export type BreakdownBy = 'prompt' | 'tag' | 'platform' | 'country' | 'model' | 'prompt_kind';

export type BreakdownPrompt = {
  /** Id of the prompt. */
  id: string;
  /** Text of now; null until the service has received it. */
  text: string | null;
  /** Tags of now. */
  tags: readonly string[];
  /** Whether it is scanned now. */
  active: boolean;
};

export type BreakdownRow = {
  /** What the row is about: a prompt id, a tag, a platform, a market, `<platform>/<model>` or a kind of prompt. Empty for prompts without tags; `<platform>/` where the model is unknown. */
  key: string;
  /** The key for people: the text of a prompt, the model alone, else the key. null where unknown. */
  label: string | null;
  /** Day of the row, or Monday of its week (UTC); null with `series=none`. */
  date: string | null;
  /** The prompt; null unless `by=prompt`. */
  prompt: BreakdownPrompt | null;
  /** `branded`: the text of the prompt mentions the own brand. `competitor`: only tracked competitors. `unbranded`: none. null unless `by` is `prompt` or `prompt_kind`. */
  prompt_kind: Open<PromptKind> | null;
  /** Units with an answer, plus units to which the platform gave none. */
  units_total: number;
  /** Units with an answer. */
  units_answered: number;
  /** Units whose answer mentions the brand. */
  units_mentioned: number;
  /** Units whose answer cites the domain of the brand. */
  units_cited: number;
  /** Units whose answer mentions the brand and cites its domain. */
  units_mentioned_cited: number;
  /** Distinct prompts with an answered unit. */
  prompts_measured: number;
  /** Visibility, 0 to 100. null without an answer. */
  score: number | null;
  /** Share of the answers that mention the brand, 0 to 100. null without an answer. */
  mention_rate: number | null;
  /** Lower 95 % bound of the mention rate. */
  mention_rate_low: number | null;
  /** Upper 95 % bound of the mention rate. */
  mention_rate_high: number | null;
  /** Share of the answers that cite the domain of the brand, 0 to 100. null without a value. */
  citation_rate: number | null;
  /** Lower 95 % bound of the citation rate. */
  citation_rate_low: number | null;
  /** Upper 95 % bound of the citation rate. */
  citation_rate_high: number | null;
  /** Mean position in the answers that mention the brand; 1 is first. null without a mention. */
  average_position: number | null;
  /** Lower 95 % bound of the average position. null with fewer than five prompts, or where omitting one leaves no value. */
  average_position_low: number | null;
  /** Upper 95 % bound of the average position. null with fewer than five prompts, or where omitting one leaves no value. */
  average_position_high: number | null;
  /** Mean tone, 0 to 100; 50 is neutral. null without a mention. */
  sentiment: number | null;
  /** Mentions of the brand as a share of those of all tracked brands, 0 to 100. null without any mention. */
  share_of_voice: number | null;
  /** Lower 95 % bound of the share of voice. null with fewer than five prompts, or where omitting one leaves no value. */
  share_of_voice_low: number | null;
  /** Upper 95 % bound of the share of voice. null with fewer than five prompts, or where omitting one leaves no value. */
  share_of_voice_high: number | null;
  /** Every competitor that is tracked now, by name, then id. */
  competitors: readonly CompetitorInSlice[];
  /** Whether the bounds of the mention rate are more than 30 points apart. */
  is_imprecise: boolean;
};

export type BreakdownSeries = 'none' | 'day' | 'week';

export type CapRefusal = {
  /** Tier of the organisation. */
  tier?: string;
  /** Limit of the tier, or the override of it. */
  cap?: number;
  /** Number to which the request would have led. */
  attempted?: number;
};

export type ChangeConfidence = 0.95 | 0.99 | 0.999 | 0.9999;

export type ChangeDirection = 'up' | 'down';

export type ChangeMetric = 'score' | 'mention_rate' | 'sentiment' | 'citation_rate';

export type ChangeWindowDays = 7 | 28;

export type ChangedBrand = {
  /** Id of the brand. */
  id: string;
  /** Name of the brand. */
  name: string;
  /** Normalised host of the brand. */
  domain: string;
};

export type Changes = {
  /** Days of each window. */
  window_days: ChangeWindowDays;
  /** Figure that is compared. */
  metric: Open<ComparedMetric>;
  /** Market of the compared answers; null for all markets. */
  country: string | null;
  /** False discovery rate that was asked for. */
  fdr: number;
  /** Brands that are comparable. */
  tested: number;
  /** Brands that are not comparable. */
  not_comparable: number;
  /** Brands with the verdict `up`. */
  up: number;
  /** Brands with the verdict `down`. */
  down: number;
  /** Median of the differences of the comparable brands, in points. A shift that many brands share shows here. null without a comparable brand. */
  median_difference: number | null;
  /** At most 500 brands. Ordered by `q_value` ascending, null last, then by the id of the brand. */
  rows: readonly BrandChange[];
};

export type CitedPage = {
  /** Address of the page. */
  url: string;
  /** Title of the page; null if no platform gave one. */
  title: string | null;
  /** Citations of the page. */
  citations: number;
};

export type CitedUrl = {
  /** Address of the page. */
  url: string;
  /** Title of the page; null if no platform gave one. */
  title: string | null;
  /** Registrable domain of the page. */
  domain: string;
  /** Kind of website. `own`, `competitor`: domain of a tracked brand. `academic`, `institution`: by its suffix, such as `.edu` or `.gov`, or a known site. `news`, `reference`, `forum`, `social`, `directory`, `review`, `ecommerce`, `video`, `blog`: a known site of that kind. `other`: all others. */
  category: Open<SourceCategory>;
  /** Whether it is a page of the own brand. */
  is_own: boolean;
  /** Id of the tracked competitor with this domain; null for other domains. */
  competitor_id: string | null;
  /** Citations of the page. */
  citations: number;
  /** Units whose answer cites the page. */
  units_cited: number;
  /** Citing answers that mention the own brand. */
  units_mentioned: number;
  /** Citing answers that mention a competitor for which they were searched. */
  units_with_competitor: number;
  /** Those of them that do not mention the own brand. */
  units_gap: number;
  /** `units_gap` as a share of `units_cited`, 0 to 100. */
  gap_rate: number | null;
  /** Distinct prompts whose answers cite the page. */
  prompts: number;
  /** At most five of them, most citing first. */
  prompt_ids: readonly string[];
  /** AI platforms whose answers cite the page. */
  platforms: readonly Open<PlatformId>[];
  /** Markets of the answers that cite the page. */
  countries: readonly string[];
  /** First day of the window with a citation (UTC). */
  first_seen: string;
  /** Last day of the window with a citation (UTC). */
  last_seen: string;
};

export type ComparedFigures = {
  /** First day of the window (UTC), included. */
  from: string;
  /** Last day of the window (UTC), included. */
  to: string;
  /** Mean over the prompts of the means of their paired cells, 0 to 100; for `share_of_voice` the share over all of them. null without a value. */
  value: number | null;
  /** Answered units of the paired cells. */
  units: number;
  /** Failed units of the scans of the window, of the market and platform that are compared. Scans that an older version of the service ran count without a market and platform only. */
  units_failed: number;
  /** Prompts with a paired cell. */
  prompts: number;
};

export type ComparedMetric = 'score' | 'mention_rate' | 'sentiment' | 'citation_rate' | 'share_of_voice';

export type ComparisonReason =
  | 'too_few'
  | 'model_changed'
  | 'surface_changed'
  | 'method_changed'
  | 'competitors_changed'
  | 'incomplete'
  | 'unequal_answers'
  | 'partial_run'
  | 'prompt_set_changed'
  | 'short_window'
  | 'platform_drift';

export type Competitor = {
  /** Id of the competitor. */
  id: string;
  /** Name under which answers mention the competitor. */
  name: string;
  /** Normalised host of the competitor. */
  domain: string;
  /** Further names under which answers mention the brand. */
  aliases: readonly string[];
  /** What counts as a mention of the brand. */
  match: MatchRules;
  /** Advice on names that lead to wrong mentions. Empty without any. */
  warnings: readonly BrandWarning[];
};

export type CompetitorCapRefusal = {
  /** Tier of the organisation. */
  tier?: string;
  /** Limit of the tier, or the override of it. */
  cap?: number;
  /** Number to which the request would have led. */
  attempted?: number;
  [field: string]: unknown;
};

export type CompetitorError = {
  /** Error code, one of the list of codes. */
  code: string;
  /** For people. The wording may change. */
  message: string;
};

export type CompetitorInSlice = {
  /** Id of the competitor. */
  brand_id: string;
  /** Name of now. */
  name: string;
  /** Answers of the slice that mention it; null if none was searched for it. */
  units_mentioned: number | null;
  /** Share of the answers that were searched for it which mention it, 0 to 100; null without any. */
  mention_rate: number | null;
};

export type CompetitorInput = {
  /** Name under which answers mention the competitor. A reused competitor keeps its own. */
  name: string;
  /** Registrable host name of the competitor. Of a URL the host is stored, without `www.`. */
  domain: string;
  /** Further names under which answers mention the competitor. None when omitted or empty. A reused competitor keeps its own. */
  aliases?: readonly string[] | undefined;
  /** What counts as a mention of the competitor. Default rules when omitted. A reused competitor keeps its own. */
  match?: MatchRulesInput | undefined;
};

export type CompetitorOutcome = {
  /** Name of the competitor, as sent. */
  name: string;
  /** Domain of the competitor, as sent. */
  domain: string;
  /** `applied`: linked. `failed`: refused with `error`. `not_attempted`: an earlier one reached the limit. */
  status: Open<CompetitorStatus>;
  /** Id of the competitor. Only if it was linked. */
  competitor_id?: string;
  /** true if the organisation already had a competitor with this domain. Only if it was linked. */
  reused?: boolean;
  /** Why it was refused. Only if it failed. */
  error?: CompetitorError;
};

export type CompetitorStatus = 'applied' | 'failed' | 'not_attempted';

export type CompetitorsUsage = {
  /** Competitors that an own brand may have. It always has a limit. */
  limit: number;
  /** Highest number of competitors that an own brand has. */
  max_used: number;
};

export type ConflictRefusal = {
  /** Id of the prompt with the same text. */
  existing_id?: string;
  /** Id of the competitor that is already linked. */
  competitor_id?: string;
  [field: string]: unknown;
};

export type CountriesUsage = {
  /** Number of countries. */
  used: number;
  /** Limit of the tier, or the override of it. null is unlimited. */
  limit: number | null;
  /** The countries, ISO 3166-1 alpha-2, in alphabetical order. */
  codes: readonly string[];
};

export type CountryCapRefusal = {
  /** Tier of the organisation. */
  tier?: string;
  /** Limit of the tier, or the override of it. */
  cap?: number;
  /** Number to which the request would have led. */
  attempted?: number;
  /** Countries of the active prompts of the organisation. */
  countries_in_use: readonly string[];
  /** Countries that the request names. */
  countries_requested: readonly string[];
};

export type Coverage = {
  /** What is counted. */
  subject: Open<CoverageSubject>;
  /** First day of the window (UTC). */
  from: string;
  /** Last day of the window (UTC). */
  to: string;
  /** Answers of the window: for `brands` those with a text that was read for names. */
  units: number;
  /** Distinct prompts with such an answer. */
  prompts: number;
  /** Distinct brands, domains or pages in these answers. */
  seen: number;
  /** Those that exactly one answer has. */
  seen_once: number;
  /** Those that exactly two answers have. */
  seen_twice: number;
  /** Estimated share of all occurrences, in further answers too, that are of what was seen, 0 to 100. The bounds are null with fewer than five prompts. */
  coverage: CoverageShare;
  /** There are at least so many, with those that no answer has shown. */
  estimated_total: CoverageTotal;
  /** How many unseen ones 100 further answers would show. null where the total is. */
  next_100_units: number | null;
};

export type CoverageShare = {
  /** The estimate; null with fewer than two answers, or nothing seen. */
  value: number | null;
  /** Lower 95 % bound; null where it cannot be computed. */
  low: number | null;
  /** Upper 95 % bound; null where it cannot be computed. */
  high: number | null;
};

export type CoverageSubject = 'brands' | 'domains' | 'pages';

export type CoverageTotal = {
  /** The estimate; null with fewer than two answers, or nothing seen. */
  value: number | null;
  /** Lower 95 % bound; null where it cannot be computed. */
  low: number | null;
  /** Upper 95 % bound; null where it cannot be computed. */
  high: number | null;
};

export type CreatedProperty = {
  /** Id of the brand. */
  id: string;
  /** Name under which answers mention the brand. */
  name: string;
  /** Normalised host of the brand, such as `acme.com`. */
  domain: string;
  /** true for an own brand, which is measured. false for a competitor. */
  is_own: boolean;
  /** Your own reference of the brand, unique in its organisation. null if it has none, and for competitors. */
  external_ref: string | null;
  /** Where the brand is active, as given by the organisation. `global` if nothing was given. */
  geography: string;
  /** When the brand was archived; null if it is not. */
  sunset_at: string | null;
  /** When the brand was created. */
  created_at: string;
  /** When the brand or its list of competitors last changed. Results and prompts do not count. */
  updated_at: string;
  /** Change token: moves with every change of the results of the brand. null before the first result. */
  last_scan_changed_at: string | null;
  /** Further names under which answers mention the brand. */
  aliases: readonly string[];
  /** What counts as a mention of the brand. */
  match: MatchRules;
  /** Advice on names that lead to wrong mentions. Empty without any. */
  warnings: readonly BrandWarning[];
  /** Competitors of the brand. Empty for a competitor. */
  competitors: readonly Competitor[];
  /** The `markets` of the request. They are not stored. */
  markets: readonly string[];
};

export type CrossingDirection = 'up' | 'down';

export type CursorRefusal = {
  /** `filter_changed`, `window_changed`: a filter or a date differs from the first page. `stale`: the results have changed since the first page. */
  reason: Open<CursorRefusalReason>;
  /** The filter that differs. Only with `filter_changed`. */
  parameter?: string;
};

export type CursorRefusalReason = 'filter_changed' | 'window_changed' | 'stale';

export type Deleted = {
  /** Id of what was deleted, from the path. */
  id: string;
  /** Always true. */
  deleted: true;
};

export type DeliveredEvent = {
  /** Id of the event, equal to `event_id`. */
  id: string;
  /** Type of the event. */
  type: string;
  /** Version of the API that the body follows. */
  api_version: string;
  /** When the event was created. */
  timestamp: string;
  /** Organisation of the event; null for a ping. */
  org: EventOrganisation | null;
  /** Content of the event. Each type has its own fields. */
  data: DeliveredEventData;
};

export type DeliveredEventData = {
  [field: string]: unknown;
};

export type Delivery = {
  /** Id of the delivery. */
  id: string;
  /** Id of the event, which is the header `webhook-id` of every attempt. */
  event_id: string;
  /** Type of the event. */
  event_type: string;
  /** Id of the webhook endpoint. */
  endpoint_id: string;
  /** Id of the subscription; null for a ping, and after the subscription was deleted. */
  subscription_id: string | null;
  /** `pending`: waits for an attempt. `delivering`: an attempt is in progress. `succeeded`: the receiver returned 2xx. `dead`: no attempt is left. */
  status: Open<DeliveryStatus>;
  /** Attempts made so far, those before a replay included. */
  attempts: number;
  /** When the next attempt is due; null when none is. */
  next_attempt_at: string | null;
  /** HTTP status of the last attempt; null without a response. */
  last_status_code: number | null;
  /** Milliseconds that the last attempt took; null before the first. */
  last_duration_ms: number | null;
  /** Why the last attempt failed; null after a success. `dns_failure`: no address. `address_not_public`: an address is private. `connect_failed`: no connection, or no valid HTTP. `tls_failed`: no valid certificate. `timeout`: 5 s to connect, 15 s in all. `response_too_large`: over 16 KiB. `http_status`: not 2xx. */
  last_error: Open<DeliveryError> | null;
  /** First 1,024 bytes of the receiver's last response, without control characters; null without one. */
  last_response_snippet: string | null;
  /** When the event was queued for the endpoint. */
  created_at: string;
  /** When the delivery last changed. */
  updated_at: string;
  /** Body of the event as it is sent; only with `include=event`. null if it is no longer kept, or if its organisation is no longer linked. */
  event?: DeliveredEvent | null;
};

export type DeliveryError =
  | 'dns_failure'
  | 'address_not_public'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'response_too_large'
  | 'http_status';

export type DeliveryRecovery = {
  /** Deliveries that this request has queued again. */
  replayed: number;
};

export type DeliveryStatus = 'pending' | 'delivering' | 'succeeded' | 'dead';

export type DiscoveredBrand = {
  /** What the spellings of the name have in common. */
  key: string;
  /** Most frequent spelling. */
  name: string;
  /** At most five spellings, most frequent first. */
  spellings: readonly string[];
  /** Registrable domain to which most links with this name lead; null without one. */
  suggested_domain: string | null;
  /** What the name is, by its domain or the LLM judge: `brand`, `publisher`, `marketplace`, or `unknown`. */
  kind: Open<DiscoveredKind>;
  /** Answers that present the name. */
  units_mentioned: number;
  /** Mean over the cells (prompt, country, platform) of the share of their answers that present the name, 0 to 100. */
  mention_rate: number | null;
  /** Lower 95 % bound of the rate, with a prompt as a cluster. */
  mention_rate_low: number | null;
  /** Upper 95 % bound of the rate, with a prompt as a cluster. */
  mention_rate_high: number | null;
  /** Distinct prompts whose answers present the name. */
  prompts: number;
  /** AI platforms whose answers present the name. */
  platforms: readonly Open<PlatformId>[];
  /** Mean rank among all names of the answer, tracked ones included; 1 is first. */
  average_position: number;
  /** First day of the window with the name (UTC). */
  first_seen: string;
  /** Last day of the window with the name (UTC). */
  last_seen: string;
  /** At most three answers with a stored text that present the name, newest first. */
  examples: readonly DiscoveredExample[];
};

export type DiscoveredExample = {
  /** Id of the prompt result. */
  result_id: string;
  /** Offset of the name in its `answer_text`, in Unicode code points. */
  start: number;
  /** Offset after the name, in Unicode code points. */
  end: number;
};

export type DiscoveredKind = 'brand' | 'publisher' | 'marketplace' | 'unknown';

export type DriftKind =
  | 'no_answer'
  | 'sources'
  | 'unresolved_links'
  | 'largest_source'
  | 'text_length'
  | 'no_model';

export type DuplicateTextRefusal = {
  /** Texts that occur more than once, as in their first row. */
  texts: readonly string[];
};

export type EndedScanStatus = 'completed' | 'partial' | 'failed';

export type EndpointPingData = {
  /** Id of the webhook endpoint that is checked. */
  endpoint_id: string;
};

export type EndpointPingEvent = {
  /** Id of the event, equal to the header `webhook-id`. A replay has the same. */
  id: string;
  /** Type of the event. */
  type: 'endpoint.ping';
  /** Version of the API that the body follows. */
  api_version: '1.0.0';
  /** When the event was created. Retries and replays have the same. */
  timestamp: string;
  /** Always null: a ping belongs to no organisation. */
  org: EventOrganisation | null;
  /** Content of the event. */
  data: EndpointPingData;
};

export type EventBrand = {
  /** Id of the brand. */
  id: string;
  /** Name of the brand. */
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** The organisation's own reference of the brand; null if it has none. */
  external_ref: string | null;
};

export type EventOrganisation = {
  /** Id of the organisation. */
  id: string;
  /** Your own id of the organisation, from your link to it; null if it has none. */
  external_ref: string | null;
};

export type Evidence = {
  /** Offset of the first character in `answer_text`, in Unicode code points. */
  start: number;
  /** Offset after the last character, in Unicode code points. */
  end: number;
};

export type ExistingIdRefusal = {
  /** Id of the own brand that has the domain or reference. */
  existing_id: string;
};

export type Experiment = {
  /** Id of the experiment. */
  id: string;
  /** Id of its own brand. */
  brand_id: string;
  /** Your own name of the experiment. */
  name: string;
  /** Figure that the change should move. */
  metric: Open<PrecisionMetric>;
  /** `registered` before `starts_on`, `running` to the end of `post`, then `completed`; or `stopped`. */
  status: Open<ExperimentStatus>;
  /** Whether it was registered before the day on which it starts. */
  preregistered: boolean;
  /** When it was created. */
  registered_at: string;
  /** Day of the change (UTC). */
  starts_on: string;
  /** Days before the change. */
  pre: ExperimentDays;
  /** Days after the change and the washout. */
  post: ExperimentDays;
  /** Prompts that the change is for. */
  treated: ExperimentArm;
  /** Prompts that it is not for. */
  control: ExperimentArm;
  /** Platforms that count; null for all. */
  platforms: readonly Open<PlatformId>[] | null;
  /** Markets that count; null for all. */
  countries: readonly string[] | null;
  /** Your own text; null where not given. */
  note: string | null;
  /** What the experiment can find. */
  design: ExperimentDesign;
  /** null before both windows have an answer. In a list it is the one stored last, which a running experiment does not have. */
  result: ExperimentResult | null;
};

export type ExperimentArm = {
  /** Prompts of the arm, those of its tags included. */
  prompt_ids: readonly string[];
  /** Tags that were resolved to prompts at creation. */
  tags: readonly string[];
};

export type ExperimentArmInput = {
  /** Ids of prompts of the brand. */
  prompt_ids?: readonly string[] | undefined;
  /** Every prompt with one of these tags, inactive ones included. */
  tags?: readonly string[] | undefined;
};

export type ExperimentArmResult = {
  /** Mean over the prompts before the change; null without a pair. */
  before: number | null;
  /** Mean over the prompts after it; null without a pair. */
  after: number | null;
  /** Answered units of the paired cells before. */
  units_before: number;
  /** Answered units of the paired cells after. */
  units_after: number;
  /** Prompts with a cell that has an answer in both windows. */
  prompts: number;
};

export type ExperimentCompletedData = {
  /** Own brand of the experiment. */
  brand: EventBrand;
  /** As getExperiment returned it when it became completed. */
  experiment: Experiment;
};

export type ExperimentCompletedEvent = {
  /** Id of the event, equal to the header `webhook-id`. A replay has the same. */
  id: string;
  /** Type of the event. */
  type: 'experiment.completed';
  /** Version of the API that the body follows. */
  api_version: '1.0.0';
  /** When the event was created. Retries and replays have the same. */
  timestamp: string;
  /** Organisation of the brand. */
  org: EventOrganisation | null;
  /** Content of the event. */
  data: ExperimentCompletedData;
};

export type ExperimentDays = {
  /** First day (UTC), included. */
  from: string;
  /** Last day (UTC), included. */
  to: string;
};

export type ExperimentDesign = {
  /** Prompts in the treated arm. */
  treated_prompts: number;
  /** Prompts in the control arm. */
  control_prompts: number;
  /** Smallest effect that is found in 80 % of experiments, in points, by what was usual before. null without two pairs of earlier windows. */
  smallest_detectable: number | null;
};

export type ExperimentEffect = {
  /** Change of the treated prompts minus that of the control prompts, in points: -200 to 200. */
  value: number;
  /** Lower 95 % bound. */
  low: number;
  /** Upper 95 % bound. */
  high: number;
  /** Confidence level of the interval. */
  confidence: number;
};

export type ExperimentPlacebo = {
  /** Share of earlier start days that give an effect of at least this size. null with fewer than seven such days. */
  p_value: number | null;
};

export type ExperimentReason =
  | 'too_few'
  | 'method_changed'
  | 'incomplete'
  | 'model_changed'
  | 'surface_changed'
  | 'competitors_changed'
  | 'unequal_answers'
  | 'pre_trend'
  | 'arms_differ';

export type ExperimentResult = {
  /** The prompts that the change is for. */
  treated: ExperimentArmResult;
  /** The prompts that it is not for. */
  control: ExperimentArmResult;
  /** What the treated prompts changed more than the control prompts, in points, with the interval of Welch’s t. null with fewer than two prompts in an arm. */
  effect: ExperimentEffect | null;
  /** Share of the splits of the prompts into two arms that give an effect of at least this size. null before the end, and in a stopped experiment. */
  p_value: number | null;
  /** null before the end, and in a stopped experiment. */
  placebo: ExperimentPlacebo | null;
  /** Whether the arms already moved apart before the change. null with fewer than five prompts in an arm. */
  pre_trend: ExperimentTrend | null;
  /** `up` or `down` if the interval excludes 0 and `p_value` is below 0.05. null before the end, and in a stopped experiment. */
  verdict: Open<Verdict> | null;
  /** `too_few`, `method_changed` and `incomplete` make the result `not_comparable`; so do `model_changed` and `surface_changed` of a platform in one arm only. */
  reasons: readonly Open<ExperimentReason>[];
  /** Whether the days of the result are over. Imports, reprocesses and failed scans can still change it. */
  final: boolean;
};

export type ExperimentStatus = 'registered' | 'running' | 'completed' | 'stopped';

export type ExperimentTrend = {
  /** Change of the treated prompts minus that of the control prompts, between the halves of `pre`. */
  value: number;
  /** Lower 95 % bound. */
  low: number;
  /** Upper 95 % bound. */
  high: number;
};

export type Formula = {
  /** Row and field, such as `Score.mention_rate`. */
  field: string;
  /** How the field is computed, from fields of the same row where possible. */
  expression: string;
  /** Where the formula comes from: a publication, or a definition of this API. */
  source: string;
};

export type KeyIntrospection = {
  /** The first 12 characters of the key. */
  key_prefix: string;
  kind: Open<KeyKind>;
  /** Name that the key was issued with. */
  name: string | null;
  /** `write` is needed for every operation that changes something. */
  scopes: readonly Open<KeyScope>[];
  /** From then on the key is refused. Null: it does not expire. */
  expires_at: string | null;
  /** The organisation of the key; null for a partner key. */
  org_id: string | null;
  /** The partner of the key; null for an organisation key. */
  partner_id: string | null;
  /** Requests that the key may make in a clock minute. */
  per_minute: number;
  /** Quota of the current month and what was used of it. */
  monthly: KeyMonthlyUsage;
};

export type KeyKind = 'organisation' | 'partner';

export type KeyMonthlyUsage = {
  /** Requests that the key may make in a UTC calendar month. Null is unlimited. */
  quota: number | null;
  /** Requests charged in this month, this one included. Those of the last second may be missing. */
  used: number;
  /** Start of the next UTC calendar month. */
  resets_at: string;
};

export type KeyScope = 'read' | 'write';

export type LimitUsage = {
  /** Number that counts towards the limit. */
  used: number;
  /** Limit of the tier, or the override of it. null is unlimited. */
  limit: number | null;
};

export type LinkScope = 'owner' | 'read_only' | 'read_write';

export type LinkedCompetitor = {
  /** Id of the brand. */
  id: string;
  /** Name under which answers mention the brand. */
  name: string;
  /** Normalised host of the brand, such as `acme.com`. */
  domain: string;
  /** true for an own brand, which is measured. false for a competitor. */
  is_own: boolean;
  /** Your own reference of the brand, unique in its organisation. null if it has none, and for competitors. */
  external_ref: string | null;
  /** Where the brand is active, as given by the organisation. `global` if nothing was given. */
  geography: string;
  /** When the brand was archived; null if it is not. */
  sunset_at: string | null;
  /** When the brand was created. */
  created_at: string;
  /** When the brand or its list of competitors last changed. Results and prompts do not count. */
  updated_at: string;
  /** Further names under which answers mention the brand. */
  aliases: readonly string[];
  /** What counts as a mention of the brand. */
  match: MatchRules;
  /** Advice on names that lead to wrong mentions. Empty without any. */
  warnings: readonly BrandWarning[];
  /** true if the organisation already had a competitor with this domain. It keeps its name, aliases and match rules. */
  reused: boolean;
  /** true if the own brand has results. `score` and share of voice depend on the tracked brands: `reprocessBrand` searches the stored answers for the new one too. */
  reprocess_advised: boolean;
};

export type Localization = 'native' | 'prompt' | 'none';

export type ManualScansUsage = {
  /** Scans requested in this UTC month. Scans by credits and refunded ones do not count. */
  used: number;
  /** Limit of the tier, or the override of it. null is unlimited. */
  limit: number | null;
  /** Scans that are left in this month. null is unlimited. */
  remaining: number | null;
  /** Start of the next UTC month. */
  resets_at: string;
};

export type MatchRules = {
  /** The name and aliases count only as written: "Target", not "target". The domain never is. */
  case_sensitive: boolean;
  /** An occurrence inside one of these phrases does not count, such as "target audience". Compared as whole words, without case and accents. */
  exclude: readonly string[];
  /** A mention counts only if the LLM judge confirms that the text means this brand. Without a judgement, words decide; `mention_method` says which. */
  verify: boolean;
};

export type MatchRulesInput = {
  /** The name and aliases count only as written: "Target", not "target". The domain never is. Default: `false`. */
  case_sensitive?: boolean | undefined;
  /** An occurrence inside one of these phrases does not count, such as "target audience". Compared as whole words, without case and accents. Default: `[]`. */
  exclude?: readonly string[] | undefined;
  /** A mention counts only if the LLM judge confirms that the text means this brand. Without a judgement, words decide; `mention_method` says which. Default: `false`. */
  verify?: boolean | undefined;
};

export type MeasuredPlatform = {
  /** AI platform. */
  platform: Open<PlatformId>;
  /** `api`: the API of the platform. `serp`: a search results page. */
  surface: Open<Surface>;
  /** Model that is requested; null for AI Overviews. `model` of a result is the one that answered. */
  model: string | null;
  /** Provider of the search results pages; null for platforms that are asked by their own API. */
  provider: Open<SearchResultsProvider> | null;
  /** `forced`: the request makes the platform search. `automatic`: the platform decides; `search_used` of a result says whether it did. */
  search: Open<SearchMode>;
  /** How the market is passed first: `native` setting, `prompt` text or `none`. For a market that the setting does not support, `native` becomes `prompt`. */
  localization: Open<Localization>;
};

export type MeasuredScanStatus = 'completed' | 'partial';

export type Mention = {
  /** Id of the prompt. */
  prompt_id: string;
  /** UTC day of the scan. */
  run_date: string;
  /** AI platform that gave the answer. */
  platform: Open<PlatformId>;
  /** Market of the unit, ISO 3166-1 alpha-2. Imports may have other values. */
  country: string;
  /** When the unit was finalised. */
  finalized_at: string;
  /** Whether the answer mentions the own brand. false without an answer. */
  mentioned: boolean;
  /** Rank of the own brand by first occurrence among the tracked brands; 1 is first. null without a mention. */
  position: number | null;
  /** Tone towards the own brand, 0 to 100; 50 is neutral. null without a mention. */
  sentiment: number | null;
};

export type MentionMethod = 'words' | 'words+llm';

export type MethodVersion = {
  /** Number of the version. */
  method_version: string;
  /** First day of the version (UTC). */
  since: string;
  /** What the version changed, for people. */
  summary: string;
};

export type Methodology = {
  /** Current version of the extraction and formulas. `method_version` of a score appends `+llm` if the LLM judge rated an answer. */
  method_version: string;
  /** One entry per computed field of scores, share of voice and sources. */
  formulas: readonly Formula[];
  /** How mentions and citations are found. */
  detection: MethodologyDetection;
  /** How sentiment is rated. */
  sentiment: MethodologySentiment;
  /** Platforms that are measured, with their settings. Units of other platforms fail. */
  platforms: readonly MeasuredPlatform[];
  /** How often brands are measured. */
  cadence: MethodologyCadence;
  /** Markets that can be measured (ISO 3166-1 alpha-2), sorted. */
  markets: readonly string[];
  /** Platforms whose answers, over all brands of the service, changed their shape in the last 90 days, oldest first. */
  drift: readonly PlatformDrift[];
  /** What the figures cannot show, for people. The wording may change. */
  known_limits: readonly string[];
  /** Every version of the method, newest first. */
  versions: readonly MethodVersion[];
};

export type MethodologyCadence = {
  /** Scheduled scans of a brand in a UTC day; 0 if the schedule is off. Requested scans are additional. */
  per_day: number;
  /** Answers to one prompt, in one country, on one platform, in one scan. */
  samples_per_unit: number;
};

export type MethodologyDetection = {
  /** How answers are searched for brands, for people. The wording may change. */
  rules: readonly string[];
  /** Languages in which statements that nothing is known of a brand are recognised. */
  languages: readonly string[];
  /** Languages in which a name also counts with a case ending. */
  case_ending_languages: readonly string[];
};

export type MethodologySentiment = {
  /** Method that rates a sentiment first. The lexicon rates what the LLM judge does not. */
  default_method: Open<SentimentMethod>;
  /** Model of the LLM judge; null if it is off. */
  llm_model: string | null;
  /** Languages with word lists. The lexicon rates mentions in others 50. */
  lexicon_languages: readonly string[];
  /** Agreement with a person on mentions that no word list was built on: of all, by label, by language. A method without an entry was not measured, such as the LLM judge. */
  accuracy: readonly SentimentAccuracy[];
};

export type Movement = {
  /** Figure of the day; null without one. */
  value: number | null;
  /** Figure of the latest earlier day with results; null without one. */
  previous: number | null;
  /** `value` minus `previous`; null if one of them is. Often chance. */
  change: number | null;
};

export type NoManualScansRefusal = {
  /** Scans on request that are left in this month. */
  manual_scans_remaining: number;
  /** Purchased scans that are left. */
  scan_credits: number;
};

export type Organisation = {
  /** Id of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
  /** `owner` for an organisation key. For a partner key the scope of its link: `read_only`, or `read_write` to change things too. */
  link_scope: Open<LinkScope>;
  /** The partner's own id of the organisation. null if it has none, and for an organisation key. */
  external_ref: string | null;
  /** When the organisation was created. */
  created_at: string;
};

export type OrganisationDetail = {
  /** Id of the organisation. */
  id: string;
  /** Name of the organisation. */
  name: string;
  /** `owner` for an organisation key. For a partner key the scope of its link: `read_only`, or `read_write` to change things too. */
  link_scope: Open<LinkScope>;
  /** The partner's own id of the organisation. null if it has none, and for an organisation key. */
  external_ref: string | null;
  /** When the organisation was created. */
  created_at: string;
  /** Name of the tier. */
  tier: string;
  /** Whether keys of the organisation may call the API. */
  api_access: boolean;
  /** When the name, the tier or an override last changed. */
  updated_at: string;
  /** Limits of the organisation, and how much of each is used. */
  usage: Usage;
};

export type OtherName = {
  /** As the answer writes it. */
  name: string;
  /** Offset of the first character in `answer_text`, in Unicode code points. */
  start: number;
  /** Offset after the last character, in Unicode code points. */
  end: number;
};

export type Outcome = 'answered' | 'no_answer';

export type PlatformCitations = {
  /** AI platform. */
  platform: Open<PlatformId>;
  /** Citations of the domain by answers of the platform. */
  citations: number;
};

export type PlatformDrift = {
  /** AI platform. */
  platform: Open<PlatformId>;
  /** First day (UTC) that differs from the 14 days before it. */
  from: string;
  /** What differs. Shares of answers: without a text (`no_answer`), with sources (`sources`), with links whose page is unknown (`unresolved_links`). Also those that cite the most cited domain (`largest_source`) or lack the name of a model (`no_model`). `text_length`: the median length. */
  kind: Open<DriftKind>;
};

export type PlatformId = 'perplexity' | 'chatgpt' | 'gemini' | 'claude' | 'ai_overviews';

export type PlatformScore = {
  /** AI platform. */
  platform: Open<PlatformId>;
  /** Score over the answers of the platform, 0 to 100; null without an answer. */
  score: number | null;
  /** Share of the answers of the platform that mention the brand, 0 to 100; null without an answer. */
  mention_rate: number | null;
  /** Units of the platform with an answer. */
  units_answered: number;
};

export type PooledWindow = '7d' | '28d';

export type Precision = {
  /** Figure whose precision is given. */
  metric: Open<PrecisionMetric>;
  /** First day of the window (UTC), included. */
  from: string;
  /** Last day of the window (UTC), included. */
  to: string;
  /** Prompts with an answer in the window. */
  prompts: number;
  /** Cells (prompt, country, platform) with an answer. */
  cells: number;
  /** Answers; for `citation_rate` those whose citations are known, for `score` those of days scored since revision 2026-11-28. */
  units: number;
  /** Where the figure varies. */
  variance: PrecisionVariance;
  /** The figure of the window, with an interval in which prompts are a sample. */
  level: PrecisionLevel;
  /** Which changes can be found. */
  change: PrecisionChange;
  /** What narrows the interval most: more `prompts` or more `repeats`. `too_few`: fewer than five prompts, or fewer than two answers in more than half of the cells. */
  limited_by: Open<PrecisionLimit>;
  /** `decision_grade`: 20 prompts or more, and a half width of at most `width`. `directional`: five prompts or more, and at most three times `width`. Else `exploratory`. */
  grade: Open<PrecisionGrade>;
  /** What keeps it from `decision_grade`, then what a reader should know. */
  grade_reasons: readonly Open<PrecisionReason>[];
  /** Other numbers of prompts and repeats, fewest answers a day first. */
  options: readonly PrecisionOption[];
  /** Index of the first option that reaches `width`, from 0; null if none does. */
  recommended: number | null;
};

export type PrecisionChange = {
  /** Change between two windows of 7 days that `compareScores` finds with this power, in points. */
  smallest_detectable_7d: number | null;
  /** The same of two windows of 28 days. */
  smallest_detectable_28d: number | null;
  /** Share of such changes that are found. */
  power: number;
  /** Confidence of the comparison. */
  confidence: number;
};

export type PrecisionGrade = 'decision_grade' | 'directional' | 'exploratory';

export type PrecisionLevel = {
  /** Mean over the cells of the window. null without an answer. */
  value: number | null;
  /** Lower 95 % bound: what other prompts of this kind would show. */
  low: number | null;
  /** Upper 95 % bound. */
  high: number | null;
  /** Half of the width of the interval, in points, before it is clamped. */
  half_width: number | null;
};

export type PrecisionLimit = 'prompts' | 'repeats' | 'too_few';

export type PrecisionMetric = 'mention_rate' | 'score' | 'citation_rate';

export type PrecisionOption = {
  /** Number of prompts. */
  prompts: number;
  /** Answers of a prompt in a stratum in a day. */
  repeats_per_day: number;
  /** Answers a day: prompts × strata of a prompt × `repeats_per_day`. */
  units_per_day: number;
  /** Half width of the level over a window of as many days. */
  half_width: number;
  /** Smallest detectable change of 28 days. */
  smallest_detectable_28d: number;
  /** Price of the answers; null without prices. */
  cost_usd_per_day: number | null;
};

export type PrecisionReason =
  | 'too_few_prompts'
  | 'too_wide'
  | 'partial_runs'
  | 'model_changed'
  | 'no_history';

export type PrecisionVariance = {
  /** What part of the variance lies between prompts. */
  prompt: VarianceShare;
  /** What part of the variance lies between strata: platforms in markets. */
  stratum: VarianceShare;
  /** What part of the variance lies between strata of the same prompt, beyond that of prompts and of strata. */
  prompt_by_stratum: VarianceShare;
  /** What part of the variance lies between answers to the same prompt in the same stratum. */
  repeat: VarianceShare;
  /** Variance of an answer, in squared points. */
  total: number | null;
};

export type PreviewedPlatform = {
  /** The platform. */
  platform: Open<PlatformId>;
  /** Units on this platform. */
  units: number;
  /** Price of a unit. null where none is set. */
  price_usd: number | null;
  /** Price of its units. null without a price. */
  cost_usd: number | null;
};

export type Prompt = {
  /** Id of the prompt. */
  id: string;
  /** Id of its own brand. */
  brand_id: string;
  /** Text that is put to the platforms. It never changes. */
  text: string;
  /** Labels of the prompt, in the order sent. */
  tags: readonly string[];
  /** Markets in which the prompt is put, ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** AI platforms that the prompt is put to. */
  platforms: readonly Open<PlatformId>[];
  /** Whether scans include the prompt. Only active prompts count towards the limits. */
  active: boolean;
  /** How the prompt was created: `api` by createPrompt, `sync` by syncPrompts. `ui` and `import` are reserved for other ways. */
  source: Open<PromptSource>;
  /** Id of the key that created the prompt; null if no API key did. */
  created_by_key_id: string | null;
  /** When the prompt was created. */
  created_at: string;
  /** When the prompt last changed. */
  updated_at: string;
};

export type PromptKind = 'branded' | 'competitor' | 'unbranded';

export type PromptResult = {
  /** Id of the unit. */
  id: string;
  /** Id of the prompt. */
  prompt_id: string;
  /** Id of the own brand. */
  brand_id: string;
  /** Id of the scan job; null for an imported answer. */
  scan_id: string | null;
  /** UTC day of the scan. */
  run_date: string;
  /** AI platform that gave the answer. */
  platform: Open<PlatformId>;
  /** Where the answer comes from: the `api` of the platform, `serp`, a search results page, or `app`, what a person sees (imported answers only). */
  surface: Open<Surface>;
  /** Who collected the answer, as its import names it. null for scans, and if the import does not say. */
  collector: string | null;
  /** Market of the unit, ISO 3166-1 alpha-2. Imports may have other values. */
  country: string;
  /** When the unit was finalised. */
  finalized_at: string;
  /** `answered`, or `no_answer` if the platform responded without an answer. Units that failed have no result. */
  outcome: Open<Outcome>;
  /** Whether the answer mentions the own brand. false without an answer. */
  mentioned: boolean;
  /** Method that decided the mentions: `words`, or `words+llm` if the LLM judge evaluated every brand with `match.verify` that the words found. */
  mention_method: Open<MentionMethod>;
  /** Rank of the own brand by first occurrence among the tracked brands; 1 is first. null without a mention. */
  position: number | null;
  /** Tone towards the own brand, 0 to 100; 50 is neutral. null without a mention. */
  sentiment: number | null;
  /** Method that rated all sentiments of the answer: `lexicon` or `llm`. null if no brand has a sentiment, and for imported answers. */
  sentiment_method: Open<SentimentMethod> | null;
  /** Whether the answer cites the domain of the own brand. If false, and `sources_unresolved` is not 0, it may cite it. */
  cited: boolean;
  /** Text of the answer, at most 32 KiB; null without an answer, for an import without a text, and after the retention of texts. */
  answer_text: string | null;
  /** Whether the text is incomplete: the platform stopped early, or the text was longer than what is stored. */
  answer_truncated: boolean;
  /** Model that gave the answer, as the platform names it; null if it named none. */
  model: string | null;
  /** Whether the platform searched the web for the answer; null if it is not known. */
  search_used: boolean | null;
  /** How the market was passed: `native` by a setting of the platform, `prompt` by a sentence before the prompt, `none` not at all. */
  localization: Open<Localization>;
  /** Web searches that the platform reported. */
  search_queries: readonly string[];
  /** The own brand, then its competitors in the order of their links. `position` has the order in the answer. */
  brands: readonly ResultBrand[];
  /** Names of companies, brands or products that the answer presents and that are not tracked, each at its first occurrence. Empty without a stored text. */
  others: readonly OtherName[];
  /** Whether the answer names a tracked brand or another one. null without a stored text, and until a text of an earlier version is reprocessed. */
  informative: boolean | null;
  /** Web pages of the answer, cited or only read, in their order. A link of which only the site is known has the root of the site. */
  sources: readonly ResultSource[];
  /** Cited links whose page is hidden behind a redirect of the platform, counted up to 100. They are not among `sources`. */
  sources_unresolved: number;
};

export type PromptSource = 'ui' | 'api' | 'sync' | 'import';

export type PromptSyncAction = 'created' | 'updated' | 'reactivated' | 'deactivated' | 'unchanged' | 'failed';

export type PromptSyncError = {
  /** Error code, such as `prompt_cap_exceeded` or `prompt_writes_busy`. */
  code: string;
  /** For people. The wording may change. */
  message: string;
  /** As in the error of the same code; may be absent. */
  details?: unknown;
};

export type PromptSyncInput = {
  /** Text of the prompt, which identifies it. Case and surrounding spaces do not count. */
  text: string;
  /** Markets in which the prompt is put, ISO 3166-1 alpha-2 in upper or lower case. Each must be a market of the installation. */
  countries: readonly string[];
  /** AI platforms that the prompt is put to. When omitted or empty: all five for a new prompt, no change of an existing one. */
  platforms?: readonly PlatformId[] | undefined;
  /** Labels of the prompt. When omitted: none for a new prompt, no change of an existing one. */
  tags?: readonly string[] | undefined;
  /** Whether scans include the prompt. `true` when omitted, also for a prompt that is inactive now. */
  active?: boolean | undefined;
};

export type PromptSyncResult = {
  /** First the prompts that the body lacks, if any, then one result for each row of the body, in its order. */
  results: readonly PromptSyncRow[];
  /** Number of results by action. Read `failed`: the status is 200 also with failed rows. */
  summary: PromptSyncSummary;
};

export type PromptSyncRow = {
  /** Index of the row in the body, from 0. null for a prompt that the body lacks. */
  index: number | null;
  /** Text of the prompt. */
  text: string;
  /** `created`. `updated`: fields of an active prompt changed. `reactivated`: an inactive one is active again. `deactivated`: it is inactive from now on. `unchanged`: it was as described. `failed`: see `error`. */
  action: Open<PromptSyncAction>;
  /** Id of the prompt; null if its row failed before a prompt existed. */
  prompt_id: string | null;
  /** Why the row failed; null otherwise. */
  error: PromptSyncError | null;
};

export type PromptSyncSummary = {
  /** Number of results. */
  total: number;
  /** Prompts that were created. */
  created: number;
  /** Active prompts that were changed. */
  updated: number;
  /** Inactive prompts that became active. */
  reactivated: number;
  /** Prompts that became inactive. */
  deactivated: number;
  /** Prompts that were already as described. */
  unchanged: number;
  /** Rows that failed. Their `error` says why. */
  failed: number;
};

export type PropertyPartialFailure = {
  /** Id of the created brand. */
  brand_id: string;
  /** The created brand. */
  brand: CreatedProperty;
  /** Outcome of each competitor, in the order of the body. */
  competitors: readonly CompetitorOutcome[];
};

export type ReprocessJob = {
  /** Id of the reprocess job. */
  job_id: string;
  /** Id of the own brand. */
  brand_id: string;
  /** `queued`, `running`, `completed`, or `failed`: a day failed five times, and later days keep their earlier figures. */
  status: Open<ReprocessStatus>;
  /** First day of the window (UTC), included. */
  from: string;
  /** Last day of the window (UTC), included. */
  to: string;
  /** Progress of the job, in units. */
  units: ReprocessUnits;
  /** When the job was requested. */
  queued_at: string;
  /** When the job began; null while it is queued. */
  started_at: string | null;
  /** When the job completed or failed; null before. */
  completed_at: string | null;
};

export type ReprocessRefusal = {
  /** Id of the reprocess job that is queued or running. */
  job_id: string;
};

export type ReprocessStatus = 'queued' | 'running' | 'completed' | 'failed';

export type ReprocessUnits = {
  /** Answered units of the window with a stored text; 0 while the job is queued. */
  total: number;
  /** Units that were read again. */
  done: number;
  /** Units whose brand rows differ afterwards. If the brand changes during the job, it begins again, and `done` and `changed` start from 0. */
  changed: number;
};

export type ResultBrand = {
  /** Id of the brand. */
  brand_id: string;
  /** Name of the brand when the answer was read. */
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** true for the own brand, false for a competitor. */
  is_own: boolean;
  /** Whether the answer mentions the brand. */
  mentioned: boolean;
  /** Occurrences of the brand in the answer. */
  mention_count: number;
  /** Rank by first occurrence among the tracked brands; 1 is first. null without a mention. */
  position: number | null;
  /** Tone towards the brand, 0 to 100; 50 is neutral. null without a mention. */
  sentiment: number | null;
  /** Whether the answer cites the domain of the brand. */
  cited: boolean;
  /** Where the answer mentions the brand: the first three occurrences. Empty without a mention, and for imported answers. */
  evidence: readonly Evidence[];
};

export type ResultSource = {
  /** Rank of the source in the answer; 1 is first. */
  position: number;
  /** Address of the page. */
  url: string;
  /** Registrable domain of the page. */
  domain: string;
  /** Title of the page; null if the platform gave none. */
  title: string | null;
  /** Whether the answer cites the source. Otherwise the platform only read it. */
  cited: boolean;
  /** Kind of website. `own`, `competitor`: domain of a tracked brand. `academic`, `institution`: by its suffix, such as `.edu` or `.gov`, or a known site. `news`, `reference`, `forum`, `social`, `directory`, `review`, `ecommerce`, `video`, `blog`: a known site of that kind. `other`: all others. */
  category: Open<SourceCategory>;
};

export type ScanAllowance = {
  /** Scans on request left this month. null is unlimited. */
  manual_scans_remaining: number | null;
  /** Purchased scans that are left. */
  scan_credits: number;
};

export type ScanCompletedData = {
  /** Id of the scan job. */
  job_id: string | null;
  /** Own brand that was scanned. */
  brand: EventBrand;
  /** `manual` for requestScan, `scheduled` for the daily scan. */
  trigger: Open<ScanTrigger>;
  /** `completed`, or `partial` if some units failed. A failed scan sends no event. */
  status: Open<MeasuredScanStatus>;
  /** UTC day that the scan measured. */
  run_date: string;
  /** When the scan was queued. */
  queued_at: string;
  /** When the first unit was sent to a platform. */
  started_at: string;
  /** When the last unit ended. */
  completed_at: string;
  /** Units of the scan by outcome. */
  units: ScanUnits;
  /** AI platforms of the scan. */
  platforms: readonly Open<PlatformId>[];
  /** Markets of the scan, ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** Score of the day over all markets. */
  score: Movement;
  /** Mean sentiment of the day over all markets. */
  sentiment: Movement;
  /** Mentions of the brand on the day as a share of those of all tracked brands, 0 to 100. null without any mention. */
  share_of_voice: number | null;
  /** Whether the score of the 7 days up to `run_date` differs from that of the 7 days before. null if the scan was not evaluated. */
  change_verdict: Open<Verdict> | null;
  /** Change token of the brand, which only grows: an event with an earlier one than the last is outdated. */
  last_scan_changed_at: string;
};

export type ScanCompletedEvent = {
  /** Id of the event, equal to the header `webhook-id`. A replay has the same. */
  id: string;
  /** Type of the event. */
  type: 'scan.completed';
  /** Version of the API that the body follows. */
  api_version: '1.0.0';
  /** When the event was created. Retries and replays have the same. */
  timestamp: string;
  /** Organisation of the brand. */
  org: EventOrganisation | null;
  /** Content of the event. */
  data: ScanCompletedData;
};

export type ScanJob = {
  /** Id of the scan job. */
  job_id: string;
  /** Id of the own brand. */
  brand_id: string;
  /** `queued`; `running` from the first request to a platform; then `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled` (the brand was archived first). */
  status: Open<ScanStatus>;
  /** `manual` for requestScan, `scheduled` for the daily scan. */
  trigger: Open<ScanTrigger>;
  /** UTC day that the scan measures: the day on which it was queued. */
  run_date: string;
  /** `Idempotency-Key` of requestScan, or a generated one. */
  idempotency_key: string;
  /** Units of the scan by outcome. Those that have not ended are only in `total`. */
  units: ScanUnits;
  /** When the scan was queued. */
  queued_at: string;
  /** When the first unit was sent to a platform; null before. */
  started_at: string | null;
  /** When the last unit ended; null before. */
  completed_at: string | null;
};

export type ScanPreview = {
  /** Units: one prompt, country and platform each. */
  units: number;
  /** Active prompts of the brand. */
  prompts: number;
  /** Platforms with units, in alphabetical order. */
  platforms: readonly PreviewedPlatform[];
  /** Price of all units. null if a platform with units has no price. */
  cost_usd: number | null;
  /** What scans on request are charged to. */
  allowance: ScanAllowance;
  /** Code of the refusal of `requestScan` now. null if it would queue a scan. */
  would_refuse: ScanRefusal;
};

export type ScanQueuedRefusal = {
  /** Id of the scan job that is queued or running; null if it is not known. */
  job_id: string | null;
  /** Its `idempotency_key`; null if it is not known. */
  idempotency_key: string | null;
};

export type ScanRefusal =
  | 'tier_not_entitled'
  | 'brand_archived'
  | 'no_active_prompts'
  | 'scan_already_queued'
  | 'no_manual_scans'
  | null;

export type ScanRequest = {
  /** Id of the scan job, for getScan. */
  job_id: string;
  /** `Idempotency-Key` of the request, or a generated one. */
  idempotency_key: string;
  /** Always `queued`: the scan starts soon. */
  status: 'queued';
};

export type ScanStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

export type ScanTrigger = 'manual' | 'scheduled';

export type ScanUnits = {
  /** Units of the scan: one prompt, country and platform each. */
  total: number;
  /** Units with an answer. */
  answered: number;
  /** Units to which the platform responded without an answer. */
  no_answer: number;
  /** Units that failed after all attempts. */
  failed: number;
};

export type Score = {
  /** Id of the own brand. */
  brand_id: string;
  /** Day of the row (UTC); in a row of a `window` its last day. */
  run_date: string;
  /** Market of the series; null for the series over all markets. */
  country: string | null;
  /** Visibility of the brand, 0 to 100: mean over the answers, 100 for the first position, less for later ones, 0 without a mention. null without an answer. */
  score: number | null;
  /** Score of the latest earlier row of the series; null without one. */
  previous_score: number | null;
  /** `score` minus `previous_score`; null if one of them is. Often chance: compareScores says whether it is. */
  change: number | null;
  /** Share of the answers that mention the brand, 0 to 100. null without an answer. */
  mention_rate: number | null;
  /** Lower end of the 95 % Wilson interval of the mention rate. null without an answer. */
  mention_rate_low: number | null;
  /** Upper end of the 95 % Wilson interval of the mention rate. null without an answer. */
  mention_rate_high: number | null;
  /** Mean position of the brand in the answers that mention it; 1 is first. null without a mention. */
  average_position: number | null;
  /** Mean tone towards the brand in the answers that mention it, 0 to 100; 50 is neutral. null without a mention. */
  sentiment: number | null;
  /** Share of the answers that cite the domain of the brand, 0 to 100, without those of `units_citations_unknown`. null without any other. */
  citation_rate: number | null;
  /** Mentions of the brand as a share of those of all tracked brands, 0 to 100. null without any mention. */
  share_of_voice: number | null;
  /** Units with an answer, plus units to which the platform gave none. */
  units_total: number;
  /** Units with an answer. */
  units_answered: number;
  /** Units whose answer mentions the brand. */
  units_mentioned: number;
  /** Units whose answer cites the domain of the brand. */
  units_cited: number;
  /** Answered units with `sources_unresolved` that do not cite the domain of the brand: no part of the citation rate. null in rows that were computed before the field existed. */
  units_citations_unknown: number | null;
  /** Units whose answer mentions the brand and cites its domain. null in rows that were computed before the field existed. */
  units_mentioned_cited: number | null;
  /** Units whose answer names a tracked brand or another one. null in rows that were computed before the field existed. */
  units_informative: number | null;
  /** `units_informative` as a share of the answered units with a stored text, 0 to 100. null without any. */
  informative_rate: number | null;
  /** Sum of the positions in the answers that mention the brand, to pool rows yourself. */
  position_sum: number;
  /** Sum of the sentiments, to pool rows yourself. */
  sentiment_sum: number;
  /** Answers with a sentiment of the brand. */
  sentiment_count: number;
  /** Figures of each AI platform with units on the day. */
  platforms: readonly PlatformScore[];
  /** Models that gave the answers of the row, by platform. */
  models: readonly ServedModel[];
  /** Whether a platform of both rows served another set of models in the previous row of the series. Unknown models do not count. null without a previous row. */
  model_changed: boolean | null;
  /** Distinct prompts with an answered unit. */
  prompts_measured: number;
  /** Days that the row pools, up to `run_date`. Only in rows of a window. */
  window?: Open<PooledWindow>;
  /** Lower 95 % bound of the citation rate, with a prompt as a cluster. Only in rows of a window. */
  citation_rate_low?: number | null;
  /** Upper 95 % bound of the citation rate, with a prompt as a cluster. Only in rows of a window. */
  citation_rate_high?: number | null;
  /** Lower 95 % bound of the share of voice, with a prompt as a cluster. Only in rows of a window. */
  share_of_voice_low?: number | null;
  /** Upper 95 % bound of the share of voice, with a prompt as a cluster. Only in rows of a window. */
  share_of_voice_high?: number | null;
  /** Lower 95 % bound of the average position, with a prompt as a cluster. Only in rows of a window. */
  average_position_low?: number | null;
  /** Upper 95 % bound of the average position, with a prompt as a cluster. Only in rows of a window. */
  average_position_high?: number | null;
  /** Number of independent answers that have the same precision: answers to one prompt resemble each other. Two decimals. Only in rows of a window. */
  units_effective?: number;
  /** Version of the extraction and formulas; `+llm` when the LLM judge rated a sentiment. Several, separated by commas, if the answers of the day were read by other versions than the day was scored by. In a row of a window all versions of its days. */
  method_version: string;
  /** When the row was last computed. */
  computed_at: string;
};

export type ScoreChangedData = {
  /** Own brand whose figure changed. */
  brand: EventBrand;
  /** Figure that is compared. */
  metric: Open<ChangeMetric>;
  /** Market of the compared answers; null for all markets. */
  country: string | null;
  /** Platform of the compared answers; null for all platforms. */
  platform: Open<PlatformId> | null;
  /** Window a, over the paired cells. */
  a: ComparedFigures;
  /** Window b, over the paired cells. */
  b: ComparedFigures;
  /** Difference with its paired t interval of 95 % over prompts. The interval does not contain 0. */
  difference: ScoreDifference;
  /** Whether the figure is higher or lower in window b. */
  verdict: Open<ChangeDirection>;
  /** What prevents a verdict, then what its reader should know. The guide “Methodology” explains each reason. */
  reasons: readonly Open<ComparisonReason>[];
  /** Scan whose scoring led to the comparison. */
  job_id: string;
};

export type ScoreChangedEvent = {
  /** Id of the event, equal to the header `webhook-id`. A replay has the same. */
  id: string;
  /** Type of the event. */
  type: 'score.changed';
  /** Version of the API that the body follows. */
  api_version: '1.0.0';
  /** When the event was created. Retries and replays have the same. */
  timestamp: string;
  /** Organisation of the brand. */
  org: EventOrganisation | null;
  /** Content of the event. */
  data: ScoreChangedData;
};

export type ScoreComparison = {
  /** Figure that is compared. */
  metric: Open<ComparedMetric>;
  /** Market of the compared answers; null for all markets. */
  country: string | null;
  /** Platform of the compared answers; null for all platforms. */
  platform: Open<PlatformId> | null;
  /** Window a, over the paired cells. */
  a: ComparedFigures;
  /** Window b, over the paired cells. */
  b: ComparedFigures;
  /** Difference with its interval: the paired t interval over prompts, for `share_of_voice` that of the jackknife over prompts. null with fewer than two paired prompts; for `share_of_voice` below five, or where no brand is mentioned in a window. */
  difference: ScoreDifference | null;
  /** `up` or `down` if the interval excludes 0, `no_evidence` if it contains 0. `not_comparable` if one of these applies: `too_few`, `model_changed`, `surface_changed`, `method_changed`, `competitors_changed`, `incomplete`, `unequal_answers`. */
  verdict: Open<Verdict>;
  /** What prevents a verdict, then what its reader should know. The guide “Methodology” explains each reason. */
  reasons: readonly Open<ComparisonReason>[];
};

export type ScoreDifference = {
  /** Value of b minus value of a. */
  value: number;
  /** Lower bound of the interval of the difference. 0.01 or -0.01 if it is closer to 0, but not 0. */
  low: number;
  /** Upper bound of the interval of the difference. 0.01 or -0.01 if it is closer to 0, but not 0. */
  high: number;
  /** Confidence level of the interval and of the verdict. */
  confidence: number;
};

export type ScoreThresholdCrossedData = {
  /** Own brand whose figure crossed the threshold. */
  brand: EventBrand;
  /** Figure that is compared with the threshold. */
  metric: 'score';
  /** Market of the series; null for the series over all markets. */
  country: string | null;
  /** Threshold of the subscription. */
  threshold: number;
  /** `up`: previous < threshold <= current. `down`: previous >= threshold > current. */
  direction: Open<CrossingDirection>;
  /** Value of the last event at this threshold, or of the first evaluation. An event counts whether or not `direction` of a subscription selected it. On a first evaluation that changes side: value of the latest earlier run_date. */
  previous: number;
  /** Value of the newest day of the series. */
  current: number;
  /** current minus previous. */
  change: number;
  /** Newest day of the series, whichever day was scanned. */
  run_date: string;
  /** Scan whose scoring led to the evaluation. */
  job_id: string | null;
};

export type ScoreThresholdCrossedEvent = {
  /** Id of the event, equal to the header `webhook-id`. A replay has the same. */
  id: string;
  /** Type of the event. */
  type: 'score.threshold_crossed';
  /** Version of the API that the body follows. */
  api_version: '1.0.0';
  /** When the event was created. Retries and replays have the same. */
  timestamp: string;
  /** Organisation of the brand. */
  org: EventOrganisation | null;
  /** Content of the event. */
  data: ScoreThresholdCrossedData;
};

export type ScoreWindow = 'day' | '7d' | '28d';

export type SearchMode = 'forced' | 'automatic';

export type SearchResultsProvider = 'serpapi' | 'dataforseo';

export type SentimentAccuracy = {
  /** Method that was compared with the labels. */
  method: Open<SentimentMethod>;
  /** Label of the mentions; null for all. */
  tone: Open<Tone> | null;
  /** Language of the mentions (ISO 639-1); null for all. */
  language: string | null;
  /** Number of labelled mentions. */
  mentions: number;
  /** Percentage of the mentions that the method rates as the label says. */
  agreement: number;
  /** Lower end of the 95 % score interval of `agreement`. */
  agreement_low: number;
  /** Upper end of the 95 % score interval of `agreement`. */
  agreement_high: number;
};

export type SentimentMethod = 'lexicon' | 'llm';

export type SentimentThresholdCrossedData = {
  /** Own brand whose figure crossed the threshold. */
  brand: EventBrand;
  /** Figure that is compared with the threshold. */
  metric: 'sentiment';
  /** Market of the series; null for the series over all markets. */
  country: string | null;
  /** Threshold of the subscription. */
  threshold: number;
  /** `up`: previous < threshold <= current. `down`: previous >= threshold > current. */
  direction: Open<CrossingDirection>;
  /** Value of the last event at this threshold, or of the first evaluation. An event counts whether or not `direction` of a subscription selected it. On a first evaluation that changes side: value of the latest earlier run_date. */
  previous: number;
  /** Value of the newest day of the series. */
  current: number;
  /** current minus previous. */
  change: number;
  /** Newest day of the series, whichever day was scanned. */
  run_date: string;
  /** Scan whose scoring led to the evaluation. */
  job_id: string | null;
};

export type SentimentThresholdCrossedEvent = {
  /** Id of the event, equal to the header `webhook-id`. A replay has the same. */
  id: string;
  /** Type of the event. */
  type: 'sentiment.threshold_crossed';
  /** Version of the API that the body follows. */
  api_version: '1.0.0';
  /** When the event was created. Retries and replays have the same. */
  timestamp: string;
  /** Organisation of the brand. */
  org: EventOrganisation | null;
  /** Content of the event. */
  data: SentimentThresholdCrossedData;
};

export type ServedModel = {
  /** AI platform. */
  platform: Open<PlatformId>;
  /** As the platform names it; null if it named none. */
  model: string | null;
  /** Answered units. */
  units: number;
};

export type ShareOfVoice = {
  /** Day of the row (UTC). */
  run_date: string;
  /** Id of the brand. */
  brand_id: string;
  /** Current name of the brand. */
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** true for the own brand, false for a competitor. */
  is_own: boolean;
  /** `mentions` as a share of `total_mentions`, 0 to 100; null if no tracked brand is mentioned. */
  share_of_voice: number | null;
  /** Answers that mention the brand. */
  mentions: number;
  /** Sum of `mentions` over the own brand and its competitors. */
  total_mentions: number;
  /** Answers that were searched for the brand. */
  units_answered: number;
  /** `mentions` as a share of `units_answered`, 0 to 100; null without an answer. */
  mention_rate: number | null;
  /** Mean position of the brand in the answers that mention it; 1 is first. null without a mention. */
  average_position: number | null;
  /** Rank by `mentions`; 1 is first. Equal brands share a rank. */
  rank: number;
};

export type Source = {
  /** Registrable domain that answers cite. */
  domain: string;
  /** Kind of website. `own`, `competitor`: domain of a tracked brand. `academic`, `institution`: by its suffix, such as `.edu` or `.gov`, or a known site. `news`, `reference`, `forum`, `social`, `directory`, `review`, `ecommerce`, `video`, `blog`: a known site of that kind. `other`: all others. */
  category: Open<SourceCategory>;
  /** Whether it is the domain of the own brand. */
  is_own: boolean;
  /** Id of the tracked competitor with this domain; null for other domains. */
  competitor_id: string | null;
  /** Citations of the domain. */
  citations: number;
  /** Units whose answer cites the domain. */
  units_cited: number;
  /** `citations` as a share of the citations of all domains, 0 to 100. */
  citation_share: number | null;
  /** `units_cited` as a share of `units_answered`, 0 to 100. Answers with `sources_unresolved` that do not cite the domain do not count. */
  citation_rate: number | null;
  /** Units of the window with an answer. */
  units_answered: number;
  /** Distinct pages of the domain that are cited. */
  pages: number;
  /** Most cited pages of the domain, at most five. */
  top_pages: readonly CitedPage[];
  /** Citations of the domain by AI platform. */
  platforms: readonly PlatformCitations[];
  /** Markets of the answers that cite the domain. */
  countries: readonly string[];
  /** Share of the citing answers that also mention the own brand, 0 to 100. */
  mentioned_rate: number | null;
  /** Citing answers that mention a competitor for which they were searched. */
  units_with_competitor: number;
  /** Those of them that do not mention the own brand. */
  units_gap: number;
  /** `units_gap` as a share of `units_cited`, 0 to 100. */
  gap_rate: number | null;
  /** First day of the window with a citation (UTC). */
  first_seen: string;
  /** Last day of the window with a citation (UTC). */
  last_seen: string;
};

export type SourceCategory =
  | 'own'
  | 'competitor'
  | 'news'
  | 'reference'
  | 'forum'
  | 'social'
  | 'directory'
  | 'review'
  | 'ecommerce'
  | 'video'
  | 'blog'
  | 'academic'
  | 'institution'
  | 'other';

export type SubscribableEvent =
  | 'scan.completed'
  | 'score.threshold_crossed'
  | 'sentiment.threshold_crossed'
  | 'score.changed'
  | 'experiment.completed';

export type Subscription = {
  /** Id of the subscription. */
  id: string;
  /** Id of the webhook endpoint. */
  endpoint_id: string;
  /** Type of the events that are sent. */
  event_type: Open<SubscribableEvent>;
  /** Only events of this organisation; null for every linked organisation. */
  org_id: string | null;
  /** Only events of this own brand; null for every own brand. */
  brand_id: string | null;
  /** Value of 0 to 100 whose crossing is an event; null for other event types. */
  threshold: number | null;
  /** Crossings that are sent: `up` to the threshold or above, `down` below it, or `both`. null for other event types. */
  direction: Open<ThresholdDirection> | null;
  /** Only the series of this market. null for the series over all markets, and for `scan.completed`. */
  country: string | null;
  /** Figure of `score.changed`; null for other event types. */
  metric: Open<ChangeMetric> | null;
  /** Days of each window of `score.changed`, 7 or 28; null for other event types. */
  window_days: ChangeWindowDays | null;
  /** Least confidence of a change for `score.changed`, as in the request; null for other event types. */
  confidence: ChangeConfidence | null;
  /** When the subscription was created. */
  created_at: string;
  /** When the subscription last changed. */
  updated_at: string;
};

export type Surface = 'api' | 'serp' | 'app';

export type ThresholdDirection = 'up' | 'down' | 'both';

export type Tone = 'positive' | 'neutral' | 'negative';

export type Usage = {
  /** Active prompts of brands that are not archived. */
  prompts: LimitUsage;
  /** Own brands that are not archived. */
  own_brands: LimitUsage;
  /** Countries of the active prompts of brands that are not archived. */
  countries: CountriesUsage;
  /** Competitors of one own brand. */
  competitors_per_brand: CompetitorsUsage;
  /** Scans on request in this UTC month. null while scans are unavailable. */
  manual_scans: ManualScansUsage | null;
  /** Purchased scans that are left, used after the manual scans of the month. null while scans are unavailable. */
  scan_credits: number | null;
  /** Units asked in this UTC month. null while scans are unavailable. */
  answers: AnswersUsage | null;
};

export type ValidationDetail = {
  /** Dotted path of the field, the header name, or empty for the body as a whole. */
  path: string;
  /** What is wrong, such as `too_big` or `unsupported_country`. Further codes may follow. */
  code: string;
  /** For people. The wording may change. */
  message: string;
};

export type VarianceShare = {
  /** Share of the variance, 0 to 100. */
  share: number | null;
  /** Lower 95 % bound of the share. */
  low: number | null;
  /** Upper 95 % bound of the share. */
  high: number | null;
};

export type Verdict = 'up' | 'down' | 'no_evidence' | 'not_comparable';

export type WebhookEndpoint = {
  /** Id of the webhook endpoint. */
  id: string;
  /** URL that deliveries are sent to. */
  url: string;
  /** `pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a response 410, or `disabled` by the operator. Only an `active` endpoint receives events. */
  status: Open<WebhookEndpointStatus>;
  /** Your own text; empty if none was sent. */
  description: string;
  /** Failed attempts since the last success, pings included. */
  consecutive_failures: number;
  /** When an attempt last succeeded; null if none has. */
  last_success_at: string | null;
  /** When an attempt last failed; null if none has. */
  last_failure_at: string | null;
  /** When the secret was last rotated; null if it was not. */
  events_secret_rotated_at: string | null;
  /** When the endpoint was created. */
  created_at: string;
  /** When the endpoint last changed. */
  updated_at: string;
};

export type WebhookEndpointStatus = 'pending_verification' | 'active' | 'failing' | 'disabled';

export type WebhookEndpointWithSecret = {
  /** Id of the webhook endpoint. */
  id: string;
  /** URL that deliveries are sent to. */
  url: string;
  /** `pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a response 410, or `disabled` by the operator. Only an `active` endpoint receives events. */
  status: Open<WebhookEndpointStatus>;
  /** Your own text; empty if none was sent. */
  description: string;
  /** Failed attempts since the last success, pings included. */
  consecutive_failures: number;
  /** When an attempt last succeeded; null if none has. */
  last_success_at: string | null;
  /** When an attempt last failed; null if none has. */
  last_failure_at: string | null;
  /** When the secret was last rotated; null if it was not. */
  events_secret_rotated_at: string | null;
  /** When the endpoint was created. */
  created_at: string;
  /** When the endpoint last changed. */
  updated_at: string;
  /** Signing secret: `whsec_` and base64 of 32 bytes. Shown once. */
  secret: string;
};

export type GetOrgInput = {
  /** Id of the organisation. */
  orgId: string;
};

export type ListOrgsInput = {
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type UpdateLinkInput = {
  /** Id of the organisation. */
  orgId: string;
};

export type UpdateLinkBody = {
  /** Your own id of the organisation; `null` removes it. It need not be unique. */
  external_ref: string | null;
};

export type CreatePropertyInput = {
  /** Id of the organisation. */
  orgId: string;
};

export type CreatePropertyBody = {
  /** Name under which answers mention the brand. */
  name: string;
  /** Registrable host name of the brand. Of a URL the host is stored, without `www.`. */
  domain: string;
  /** Your own reference of the brand, unique in the organisation. None when omitted. */
  external_ref?: string | undefined;
  /** Where the brand is active, `global` when omitted. It is only stored; nothing is measured by it. */
  geography?: string | undefined;
  /** Further names under which answers mention the brand. None when omitted or empty. */
  aliases?: readonly string[] | undefined;
  /** What counts as a mention of the brand. Default rules when omitted. */
  match?: MatchRulesInput | undefined;
  /** Markets that you intend to use. Checked against the limit of countries and returned, not stored: the countries of the prompts decide what is measured. None when omitted or empty. */
  markets?: readonly string[] | undefined;
  /** Competitors to link, in this order. None when omitted or empty. */
  competitors?: readonly CompetitorInput[] | undefined;
};

export type GetBrandInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
};

export type LinkCompetitorInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
};

export type LinkCompetitorBody = CompetitorInput;

export type ListBrandsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** `true` for own brands only, `false` for competitors only. */
  is_own?: boolean | undefined;
};

export type UnlinkCompetitorInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Id of the competitor. */
  competitorId: string;
};

export type UpdateBrandInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
};

export type UpdateBrandBody = {
  /** Name under which answers mention the brand. */
  name?: string | undefined;
  /** Replaces all aliases; an empty list removes them. */
  aliases?: readonly string[] | undefined;
  /** Replaces all match rules. Omitted members get their default. */
  match?: MatchRulesInput | undefined;
  /** Where the brand is active. Own brands only. */
  geography?: string | undefined;
  /** Your own reference of the brand; `null` removes it. Own brands only. */
  external_ref?: string | null | undefined;
  /** The domain cannot be changed: a body with it is refused with `immutable`. */
  domain?: never;
};

export type CreatePromptInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
};

export type CreatePromptBody = {
  /** Text that is put to the platforms, as sent. */
  text: string;
  /** Markets in which the prompt is put, ISO 3166-1 alpha-2 in upper or lower case. Each must be a market of the installation. */
  countries: readonly string[];
  /** AI platforms that the prompt is put to: all five when omitted. Default: `["perplexity","chatgpt","gemini","claude","ai_overviews"]`. */
  platforms?: readonly PlatformId[] | undefined;
  /** Labels of the prompt, to filter by. Repeated ones count once. Default: `[]`. */
  tags?: readonly string[] | undefined;
  /** Whether scans include the prompt. An inactive one does not count towards the limits. Default: `true`. */
  active?: boolean | undefined;
};

export type ListPromptsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** Only prompts of this own brand. */
  brand_id?: string | undefined;
  /** `true` for active prompts only, `false` for inactive ones only. */
  active?: boolean | undefined;
  /** Only prompts with this label. */
  tag?: string | undefined;
  /** Only prompts that are put to this platform. */
  platform?: PlatformId | undefined;
  /** Only prompts that are put in this market, ISO 3166-1 alpha-2. */
  country?: string | undefined;
};

export type SyncPromptsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
};

export type SyncPromptsBody = {
  /** All prompts that the brand shall have. Active prompts of the brand that are not here are deactivated. */
  prompts: readonly PromptSyncInput[];
  /** `true` deactivates every active prompt of the brand that `prompts` does not list; an empty list deactivates all. `false` leaves them active. Default: `true`. */
  deactivate_missing?: boolean | undefined;
};

export type UpdatePromptInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the prompt. */
  promptId: string;
};

export type UpdatePromptBody = {
  /** Replaces all markets, ISO 3166-1 alpha-2. */
  countries?: readonly string[] | undefined;
  /** Replaces all AI platforms that the prompt is put to. */
  platforms?: readonly PlatformId[] | undefined;
  /** Replaces all labels; an empty list removes them. */
  tags?: readonly string[] | undefined;
  /** `true` includes the prompt in scans, within the limits. `false` excludes it; its results stay. */
  active?: boolean | undefined;
  /** The text cannot be changed: a body with it is refused with `text_immutable`. */
  text?: never;
};

export type CompareScoresInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** First day of window a (UTC), included. Default: 7 days before window b. */
  from_a?: string | undefined;
  /** Last day of window a (UTC), included. Default: the day before window b. */
  to_a?: string | undefined;
  /** First day of window b (UTC), included. Default: 6 days before today. */
  from_b?: string | undefined;
  /** Last day of window b (UTC), included. Default: today. */
  to_b?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
  /** Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or `share_of_voice`. Default: `"score"`. */
  metric?: ComparedMetric | undefined;
  /** Confidence of the interval and of the verdict: 0.8, 0.9, 0.95, 0.99, 0.999 or 0.9999. For m comparisons at once, take 1 − 0.05 / m or more. Default: `0.95`. */
  confidence?: 0.8 | 0.9 | 0.95 | 0.99 | 0.999 | 0.9999 | undefined;
};

export type ListBrandSummariesInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type ListMentionsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
};

export type ListPromptResultsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the prompt. */
  promptId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
};

export type ListScoresInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** The series of this market, ISO 3166-1 alpha-2. When omitted: the series over all markets. */
  country?: string | undefined;
  /** Days that each row pools, up to its `run_date`: `day` (one), `7d` or `28d`. Default: `"day"`. */
  window?: ScoreWindow | undefined;
};

export type ListShareOfVoiceInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
};

export type ListSourcesInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
  /** `true`: only where answers mention a competitor and not the own brand, most such answers first. `false` is the same as omitting it. */
  gap?: boolean | undefined;
};

export type ListBreakdownInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** What the rows are slices of. Required on the first page. */
  by?: BreakdownBy | undefined;
  /** Days that a row pools: the window (`none`, also when omitted), a `day`, or a `week` from Monday to Sunday. */
  series?: BreakdownSeries | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
  /** Only prompts with this tag; empty: only prompts without tags. */
  tag?: string | undefined;
  /** Only prompts whose text mentions the own brand, competitors only, or no tracked brand. */
  prompt_kind?: PromptKind | undefined;
};

export type ListPagesInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
  /** Only pages of this domain. A URL or a subdomain selects its registrable domain. */
  domain?: string | undefined;
  /** `true`: only where answers mention a competitor and not the own brand, most such answers first. `false` is the same as omitting it. */
  gap?: boolean | undefined;
};

export type GetCoverageInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** What to count: `brands` (tracked and discovered), cited `domains` or cited `pages`. */
  subject: CoverageSubject;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
};

export type ListDiscoveredBrandsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
  /** Only names in at least so many answers. Default: `2`. */
  min_units?: number | undefined;
};

export type GetPrecisionInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Figure: `mention_rate`, `score` or `citation_rate`. Default: `"mention_rate"`. */
  metric?: PrecisionMetric | undefined;
  /** First day of the window (UTC), included. Default: 27 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. All platforms when omitted. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
  /** Half width that is wanted, in points. Default: `5`. */
  width?: number | undefined;
};

export type GetChangesInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Days of each window: 7 or 28. Default: `7`. */
  window_days?: 7 | 28 | undefined;
  /** Figure to compare: `score`, `mention_rate`, `sentiment`, `citation_rate` or `share_of_voice`. Default: `"score"`. */
  metric?: ComparedMetric | undefined;
  /** Only this market, ISO 3166-1 alpha-2. All markets when omitted. */
  country?: string | undefined;
  /** Accepted share of false changes among the rows with `up` or `down`, 0.001 to 0.5. Default: `0.05`. */
  fdr?: number | undefined;
};

export type CreateExperimentInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
};

export type CreateExperimentBody = {
  /** Your own name of the experiment. */
  name: string;
  /** Figure that the change should move. Default: `"mention_rate"`. */
  metric?: PrecisionMetric | undefined;
  /** Day of the change (UTC), at most 366 days before or after today. */
  starts_on: string;
  /** Prompts that the change is for. */
  treated: ExperimentArmInput;
  /** Prompts that it is not for. No prompt is in both arms. */
  control: ExperimentArmInput;
  /** Days before the change, 7 to 92. Default: `28`. */
  pre_days?: number | undefined;
  /** Days after the change that do not count, 0 to 28. Default: `7`. */
  washout_days?: number | undefined;
  /** Days after the washout, 7 to 92. Default: `28`. */
  post_days?: number | undefined;
  /** Platforms that count. When omitted: all. */
  platforms?: readonly PlatformId[] | undefined;
  /** Markets that count. When omitted: all. */
  countries?: readonly string[] | undefined;
  /** Your own text, for people. */
  note?: string | undefined;
};

export type GetExperimentInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Id of the experiment. */
  experimentId: string;
};

export type ListExperimentsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type StopExperimentInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Id of the experiment. */
  experimentId: string;
};

export type GetReprocessInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Id of the reprocess job. */
  jobId: string;
};

export type ReprocessBrandInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
};

export type ReprocessBrandBody = {
  /** First day (UTC), included. Default: 89 days before `to`. */
  from?: string | undefined;
  /** Last day (UTC), included, at most 366 days after `from`. Default: today. */
  to?: string | undefined;
};

export type GetScanInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
  /** Id of the scan job. */
  jobId: string;
};

export type GetScanPreviewInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
};

export type RequestScanInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the own brand (`is_own: true`). */
  brandId: string;
};

export type CreateSubscriptionInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
};

export type CreateSubscriptionBody = {
  /** `scan.completed`: a scan has ended and is scored. `score.threshold_crossed`, `sentiment.threshold_crossed`: a series is on another side of `threshold`. `score.changed`: a figure moved by more than its answers vary. `experiment.completed`: the last day of an experiment is over. */
  event_type: SubscribableEvent;
  /** Only events of this organisation. When omitted or null: every organisation linked to you, now or later. */
  org_id?: string | null | undefined;
  /** Only events of this own brand. When omitted or null: every own brand. */
  brand_id?: string | null | undefined;
  /** Value of 0 to 100 whose crossing is an event. Required for threshold events, rejected for others. A value equal to the threshold is above it. */
  threshold?: number | undefined;
  /** Crossings that are sent: `up` to the threshold or above, `down` below it, or `both`, also when omitted. Threshold events only. The side is kept whatever the direction. */
  direction?: ThresholdDirection | undefined;
  /** Only the series of this market. When omitted or null: the series over all markets. Not for `scan.completed`. */
  country?: string | null | undefined;
  /** Figure that is compared; `score` when omitted; `score.changed` only. */
  metric?: ChangeMetric | undefined;
  /** Days of each of the two windows, 7 or 28; 7 when omitted; `score.changed` only. */
  window_days?: ChangeWindowDays | undefined;
  /** Least confidence of a change, 0.95, 0.99, 0.999 or 0.9999; `0.9999` when omitted. `0.95` is each `up` or `down` of `compareScores`. Higher levels also need equally long windows and more prompts. `score.changed` only. */
  confidence?: ChangeConfidence | undefined;
};

export type CreateWebhookEndpointBody = {
  /** `https` URL that deliveries are sent to. Its host has public addresses only; the port is 443, or 1024 and above. No credentials, no fragment. */
  url: string;
  /** Your own text, for people. */
  description?: string | undefined;
};

export type DeleteSubscriptionInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
  /** Id of the subscription. */
  subscriptionId: string;
};

export type DeleteWebhookEndpointInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
};

export type ListDeliveriesInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** Only deliveries with this status. */
  status?: DeliveryStatus | undefined;
  /** `event` adds the body of each event. A page then has at most 50 deliveries, whatever `limit` is. */
  include?: 'event' | undefined;
};

export type ListSubscriptionsInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type ListWebhookEndpointsInput = {
  /** Maximum number of items of the page. Send it with every page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type RecoverDeliveriesInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
};

export type RecoverDeliveriesBody = {
  /** Only deliveries created at this time (UTC) or later. At most 30 days ago. */
  since: string;
};

export type ReplayDeliveryInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
  /** Id of the delivery. */
  deliveryId: string;
};

export type RotateWebhookSecretInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
};

export type TestWebhookEndpointInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
};

export type UpdateWebhookEndpointInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
};

export type UpdateWebhookEndpointBody = {
  /** `https` URL that deliveries are sent to. Its host has public addresses only; the port is 443, or 1024 and above. No credentials, no fragment. */
  url?: string | undefined;
  /** Your own text, for people. */
  description?: string | undefined;
};

/** Type of `details` by error code. */
export type ErrorDetails = {
  /** 503: The service cannot answer now. */
  api_unavailable: undefined;
  /** 400: GET and HEAD requests carry no body. */
  body_not_allowed: undefined;
  /** 409: The brand is archived. */
  brand_archived: BrandRefusal;
  /** 422: The limit of own brands would be exceeded. */
  brand_cap_exceeded: CapRefusal;
  /** 409: An own brand with this domain exists. */
  brand_exists: ExistingIdRefusal;
  /** 422: The limit of competitors of the brand is reached. */
  competitor_cap_exceeded: CompetitorCapRefusal;
  /** 409: The request conflicts with what exists. */
  conflict: ConflictRefusal;
  /** 422: The limit of countries would be exceeded. */
  country_cap_exceeded: CountryCapRefusal;
  /** 409: An attempt of the delivery is in progress. */
  delivery_in_flight: undefined;
  /** 400: The same prompt text occurs more than once in the body. */
  duplicate_prompt_text: DuplicateTextRefusal;
  /** 409: The endpoint was disabled by the service operator. */
  endpoint_disabled: undefined;
  /** 409: A brand with this external_ref exists. */
  external_ref_exists: ExistingIdRefusal;
  /** 409: A request with this idempotency key is still running. */
  idempotency_key_in_flight: undefined;
  /** 409: The idempotency key was used for a different request. */
  idempotency_key_reuse: undefined;
  /** 500: Internal error. */
  internal_error: undefined;
  /** 401: The API key is not valid. */
  invalid_api_key: undefined;
  /** 400: The body cannot be read; send uncompressed UTF-8 JSON. */
  invalid_body: undefined;
  /** 400: The cursor cannot be used here; restart from the first page. */
  invalid_cursor: CursorRefusal;
  /** 400: The body is not valid JSON. */
  invalid_json: undefined;
  /** 409: The organisation of the event is no longer linked. */
  link_revoked: undefined;
  /** 403: The link to the organisation is read-only. */
  link_scope_insufficient: undefined;
  /** 409: The brand has no active prompt. */
  no_active_prompts: BrandRefusal;
  /** 402: No manual scans are left this month and no scan credits. */
  no_manual_scans: NoManualScansRefusal;
  /** 404: Not found. */
  not_found: undefined;
  /** 403: The operation is for partner keys only. */
  partner_only: undefined;
  /** 413: The body is larger than 1 MB. */
  payload_too_large: undefined;
  /** 422: The limit of prompts would be exceeded. */
  prompt_cap_exceeded: CapRefusal;
  /** 409: Another request is writing the prompts of the brand; nothing was changed. */
  prompt_writes_busy: undefined;
  /** 429: The monthly quota is spent. */
  quota_exceeded: undefined;
  /** 503: The request could not be counted and was refused. */
  rate_limit_unavailable: undefined;
  /** 429: Too many requests in this minute. */
  rate_limited: undefined;
  /** 409: A reprocess job of this brand is already queued or running. */
  reprocess_in_progress: ReprocessRefusal;
  /** 409: A scan of this brand is already queued or running today. */
  scan_already_queued: ScanQueuedRefusal;
  /** 409: Results are being finalised; repeat the request after Retry-After seconds. */
  scan_in_progress: undefined;
  /** 400: The text of a prompt cannot be changed. */
  text_immutable: undefined;
  /** 403: The tier of the organisation does not include this. */
  tier_not_entitled: undefined;
  /** 400: The request is not valid. */
  validation_error: readonly ValidationDetail[];
  /** 403: The key lacks the write scope. */
  write_scope_required: undefined;
  /** 400: The request is not valid HTTP. */
  invalid_request: undefined;
  /** 431: The request headers are too large. */
  headers_too_large: undefined;
  /** 405: CORS is disabled; the API is server-to-server only. */
  cors_disabled: undefined;
};

/** The body of every webhook by its type. */
export type WebhookEvents = {
  'scan.completed': ScanCompletedEvent;
  'score.threshold_crossed': ScoreThresholdCrossedEvent;
  'sentiment.threshold_crossed': SentimentThresholdCrossedEvent;
  'score.changed': ScoreChangedEvent;
  'experiment.completed': ExperimentCompletedEvent;
  'endpoint.ping': EndpointPingEvent;
};
