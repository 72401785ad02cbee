// Generated from @bv/contract by `pnpm generate`; changes belong there.
/* oxlint-disable max-lines */

export type Brand = {
  id: string;
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** true: tracked own brand; false: competitor row. */
  is_own: boolean;
  external_ref: string | null;
  geography: string;
  /** When set, the brand is archived. */
  sunset_at: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
};

export type BrandDetail = {
  id: string;
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** true: tracked own brand; false: competitor row. */
  is_own: boolean;
  external_ref: string | null;
  geography: string;
  /** When set, the brand is archived. */
  sunset_at: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
  /** Change token: moves whenever something changes for the brand; null before the first result. */
  last_scan_changed_at: string | null;
  aliases: readonly string[];
  match: MatchRules;
  warnings: readonly BrandWarning[];
  competitors: readonly Competitor[];
};

export type BrandRefusal = {
  brand_id: string;
};

export type BrandSummary = {
  id: string;
  name: string;
  domain: string;
  external_ref: string | null;
  geography: string;
  score: number | null;
  previous_score: number | null;
  score_change: number | null;
  score_date: string | null;
  /** Whether the score of 7 days differs from that of the 7 days before, at the newest day whose scan was evaluated. Imports and reprocess jobs count from the next scan on. null before the first evaluated scan. */
  change_verdict: Verdict | null;
  sentiment: number | null;
  share_of_voice: number | null;
  average_position: number | null;
  active_prompts: number;
  last_scan_at: string | null;
  last_scan_status: EndedScanStatus | null;
  scan_in_progress: boolean;
  changed_at: string | null;
};

export type BrandWarning = {
  /** `common_word`: answers use the name or alias as an ordinary word. More codes may follow. */
  code: BrandWarningCode;
  /** Field of the brand that has the value. */
  field: BrandWarningField;
  /** The name or alias. */
  value: string;
  /** Language in which it is an ordinary word, ISO 639-1. */
  language: string;
  /** What to do, for people. Its wording may change. */
  message: string;
};

export type BrandWarningCode = 'common_word';

export type BrandWarningField = 'name' | 'aliases';

export type CapRefusal = {
  tier?: string;
  cap?: number;
  attempted?: number;
};

export type ChangeDirection = 'up' | 'down';

export type ChangeWindowDays = 7 | 28;

export type CitedPage = {
  url: string;
  title: string | null;
  citations: number;
};

export type ComparedFigures = {
  /** First day of the window (UTC), included. */
  from: string;
  /** Last day of the window (UTC), included. */
  to: string;
  /** Mean over the prompts of the means of their paired cells, 0 to 100. null without a paired cell. */
  value: number | null;
  /** Answered units of the paired cells. */
  units: number;
  /** Prompts with a paired cell. */
  prompts: number;
};

export type ComparedMetric = 'score' | 'mention_rate' | 'sentiment' | 'citation_rate';

export type ComparisonReason =
  | 'too_few'
  | 'model_changed'
  | 'method_changed'
  | 'partial_run'
  | 'prompt_set_changed';

export type Competitor = {
  id: string;
  name: string;
  domain: string;
  aliases: readonly string[];
  match: MatchRules;
  warnings: readonly BrandWarning[];
};

export type CompetitorCapRefusal = {
  tier?: string;
  cap?: number;
  attempted?: number;
  [field: string]: unknown;
};

export type CompetitorError = {
  code: string;
  message: string;
};

export type CompetitorInput = {
  name: string;
  domain: string;
  /** None when omitted or empty. A reused competitor keeps its own. */
  aliases?: readonly string[] | undefined;
  /** Default rules when omitted. A reused competitor keeps its own. */
  match?: MatchRulesInput | undefined;
};

export type CompetitorOutcome = {
  name: string;
  domain: string;
  status: CompetitorStatus;
  competitor_id?: string;
  reused?: boolean;
  error?: CompetitorError;
};

export type CompetitorStatus = 'applied' | 'failed' | 'not_attempted';

export type CompetitorsUsage = {
  limit: number;
  max_used: number;
};

export type ConflictRefusal = {
  existing_id?: string;
  competitor_id?: string;
  [field: string]: unknown;
};

export type CountriesUsage = {
  used: number;
  limit: number | null;
  codes: readonly string[];
};

export type CountryCapRefusal = {
  tier?: string;
  cap?: number;
  attempted?: number;
  countries_in_use: readonly string[];
  countries_requested: readonly string[];
};

export type CreatedProperty = {
  id: string;
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** true: tracked own brand; false: competitor row. */
  is_own: boolean;
  external_ref: string | null;
  geography: string;
  /** When set, the brand is archived. */
  sunset_at: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
  /** Change token: moves whenever something changes for the brand; null before the first result. */
  last_scan_changed_at: string | null;
  aliases: readonly string[];
  match: MatchRules;
  warnings: readonly BrandWarning[];
  competitors: readonly Competitor[];
  /** Echo of the validated markets. */
  markets: readonly string[];
};

export type CrossingDirection = 'up' | 'down';

export type CursorRefusal = {
  reason: CursorRefusalReason;
  parameter?: string;
};

export type CursorRefusalReason = 'filter_changed' | 'window_changed' | 'stale';

export type Deleted = {
  id: string;
  deleted: true;
};

export type Delivery = {
  id: string;
  event_id: string;
  event_type: string;
  endpoint_id: string;
  subscription_id: string | null;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_duration_ms: number | null;
  last_error: DeliveryError | null;
  last_response_snippet: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
};

export type DeliveryError =
  | 'dns_failure'
  | 'address_not_public'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'response_too_large'
  | 'http_status';

export type DeliveryStatus = 'pending' | 'delivering' | 'succeeded' | 'dead';

export type DuplicateTextRefusal = {
  texts: readonly string[];
};

export type EndedScanStatus = 'completed' | 'partial' | 'failed';

export type EndpointPingData = {
  endpoint_id: string;
};

export type EndpointPingEvent = {
  id: string;
  type: 'endpoint.ping';
  api_version: '1.0.0';
  /** ISO 8601 UTC date-time. */
  timestamp: string;
  org: EventOrganisation | null;
  data: EndpointPingData;
};

export type EventBrand = {
  id: string;
  name: string;
  domain: string;
  external_ref: string | null;
};

export type EventOrganisation = {
  id: string;
  external_ref: string | null;
};

export type Evidence = {
  /** Offset of the first character in `answer_text`, in Unicode code points. */
  start: number;
  /** Offset after the last character, in Unicode code points. */
  end: number;
};

export type ExistingIdRefusal = {
  existing_id: string;
};

export type Formula = {
  /** Row and field, such as `Score.mention_rate`. */
  field: string;
  /** How the field is computed, from fields of the same row where possible. */
  expression: string;
  /** Where the formula comes from: a publication, or a definition of this API. */
  source: string;
};

export type LimitUsage = {
  used: number;
  limit: number | null;
};

export type LinkScope = 'owner' | 'read_only' | 'read_write';

export type LinkedCompetitor = {
  id: string;
  name: string;
  /** Normalised host of the brand. */
  domain: string;
  /** true: tracked own brand; false: competitor row. */
  is_own: boolean;
  external_ref: string | null;
  geography: string;
  /** When set, the brand is archived. */
  sunset_at: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
  aliases: readonly string[];
  match: MatchRules;
  warnings: readonly BrandWarning[];
  /** true when an existing row of the organisation was reused. */
  reused: boolean;
};

export type Localization = 'native' | 'prompt' | 'none';

export type ManualScansUsage = {
  used: number;
  limit: number | null;
  remaining: number | null;
  /** ISO 8601 UTC date-time. */
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
  platform: PlatformId;
  /** `api`: the API of the platform. `serp`: a search results page. */
  surface: Surface;
  /** Model that is requested; null for AI Overviews. `model` of a result is the one that answered. */
  model: string | null;
  /** Provider of the search results pages; null for platforms that are asked by their own API. */
  provider: SearchResultsProvider | null;
  /** `forced`: the request makes the platform search. `automatic`: the platform decides; `search_used` of a result says whether it did. */
  search: SearchMode;
  /** How the market is passed first: `native` setting, `prompt` text or `none`. For a market that the setting does not support, `native` becomes `prompt`. */
  localization: Localization;
};

export type MeasuredScanStatus = 'completed' | 'partial';

export type Mention = {
  prompt_id: string;
  /** Calendar date, YYYY-MM-DD (UTC). */
  run_date: string;
  platform: PlatformId;
  country: string;
  /** ISO 8601 UTC date-time. */
  finalized_at: string;
  mentioned: boolean;
  position: number | null;
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
  /** What the figures cannot show, for people. The wording may change. */
  known_limits: readonly string[];
  /** Every version of the method, newest first. */
  versions: readonly MethodVersion[];
};

export type MethodologyCadence = {
  /** Scheduled scans of a brand in a UTC day. Requested scans are additional. */
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
  default_method: SentimentMethod;
  /** Model of the LLM judge; null if it is off. */
  llm_model: string | null;
  /** Languages with word lists. The lexicon rates mentions in others 50. */
  lexicon_languages: readonly string[];
};

export type Movement = {
  value: number | null;
  previous: number | null;
  change: number | null;
};

export type NoManualScansRefusal = {
  manual_scans_remaining: number;
  scan_credits: number;
};

export type Organisation = {
  id: string;
  name: string;
  /** owner for an organisation key; the scope of the link for a partner key. */
  link_scope: LinkScope;
  /** The partner's own id of the organisation. */
  external_ref: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
};

export type OrganisationDetail = {
  id: string;
  name: string;
  /** owner for an organisation key; the scope of the link for a partner key. */
  link_scope: LinkScope;
  /** The partner's own id of the organisation. */
  external_ref: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  tier: string;
  api_access: boolean;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
  usage: Usage;
};

export type Outcome = 'answered' | 'no_answer';

export type PlatformCitations = {
  platform: PlatformId;
  citations: number;
};

export type PlatformId = 'perplexity' | 'chatgpt' | 'gemini' | 'claude' | 'ai_overviews';

export type PlatformScore = {
  platform: PlatformId;
  score: number | null;
  mention_rate: number | null;
  units_answered: number;
};

export type PooledWindow = '7d' | '28d';

export type Prompt = {
  id: string;
  brand_id: string;
  text: string;
  tags: readonly string[];
  countries: readonly string[];
  platforms: readonly PlatformId[];
  active: boolean;
  source: PromptSource;
  created_by_key_id: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
};

export type PromptResult = {
  id: string;
  prompt_id: string;
  brand_id: string;
  scan_id: string | null;
  /** Calendar date, YYYY-MM-DD (UTC). */
  run_date: string;
  platform: PlatformId;
  /** Where answers of the platform come from: its `api`, or `serp`, a search results page. Imported answers may come from elsewhere. */
  surface: Surface;
  country: string;
  /** ISO 8601 UTC date-time. */
  finalized_at: string;
  outcome: Outcome;
  mentioned: boolean;
  mention_method: MentionMethod;
  position: number | null;
  sentiment: number | null;
  sentiment_method: SentimentMethod | null;
  cited: boolean;
  answer_text: string | null;
  answer_truncated: boolean;
  model: string | null;
  search_used: boolean | null;
  localization: Localization;
  search_queries: readonly string[];
  brands: readonly ResultBrand[];
  sources: readonly ResultSource[];
};

export type PromptSource = 'ui' | 'api' | 'sync' | 'import';

export type PromptSyncAction = 'created' | 'updated' | 'reactivated' | 'deactivated' | 'unchanged' | 'failed';

export type PromptSyncError = {
  code: string;
  message: string;
  details?: unknown;
};

export type PromptSyncInput = {
  text: string;
  countries: readonly string[];
  /** When omitted or empty: all five for a new prompt, no change of an existing one. */
  platforms?: readonly PlatformId[] | undefined;
  tags?: readonly string[] | undefined;
  active?: boolean | undefined;
};

export type PromptSyncResult = {
  results: readonly PromptSyncRow[];
  summary: PromptSyncSummary;
};

export type PromptSyncRow = {
  /** Index of the row in the body; null for a prompt that the body lacks, which is deactivated. */
  index: number | null;
  text: string;
  action: PromptSyncAction;
  prompt_id: string | null;
  error: PromptSyncError | null;
};

export type PromptSyncSummary = {
  total: number;
  created: number;
  updated: number;
  reactivated: number;
  deactivated: number;
  unchanged: number;
  failed: number;
};

export type PropertyPartialFailure = {
  brand_id: string;
  brand: CreatedProperty;
  competitors: readonly CompetitorOutcome[];
};

export type ReprocessJob = {
  /** Id of the reprocess job. */
  job_id: string;
  brand_id: string;
  status: ReprocessStatus;
  /** First day of the window (UTC), included. */
  from: string;
  /** Last day of the window (UTC), included. */
  to: string;
  units: ReprocessUnits;
  /** ISO 8601 UTC date-time. */
  queued_at: string;
  started_at: string | null;
  completed_at: string | null;
};

export type ReprocessRefusal = {
  job_id: string;
};

export type ReprocessStatus = 'queued' | 'running' | 'completed' | 'failed';

export type ReprocessUnits = {
  /** Answered units of the window with a stored text; 0 while the job is queued. */
  total: number;
  /** Units that were read again; starts from 0 if the brand changes during the job. */
  done: number;
  /** Units whose brand rows differ afterwards. */
  changed: number;
};

export type ResultBrand = {
  brand_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  mentioned: boolean;
  mention_count: number;
  position: number | null;
  sentiment: number | null;
  cited: boolean;
  evidence: readonly Evidence[];
};

export type ResultSource = {
  /** Rank of the source in the answer; 1 is first. */
  position: number;
  url: string;
  domain: string;
  title: string | null;
  /** Whether the answer cites the source. Otherwise the platform only read it. */
  cited: boolean;
  category: SourceCategory;
};

export type ScanCompletedData = {
  job_id: string | null;
  brand: EventBrand;
  trigger: ScanTrigger;
  status: MeasuredScanStatus;
  /** Calendar date, YYYY-MM-DD (UTC). */
  run_date: string;
  /** ISO 8601 UTC date-time. */
  queued_at: string;
  /** ISO 8601 UTC date-time. */
  started_at: string;
  /** ISO 8601 UTC date-time. */
  completed_at: string;
  units: ScanUnits;
  platforms: readonly PlatformId[];
  countries: readonly string[];
  score: Movement;
  sentiment: Movement;
  share_of_voice: number | null;
  /** Whether the score of the 7 days up to `run_date` differs from that of the 7 days before. null if the scan was not evaluated. */
  change_verdict: Verdict | null;
  /** ISO 8601 UTC date-time. */
  last_scan_changed_at: string;
};

export type ScanCompletedEvent = {
  id: string;
  type: 'scan.completed';
  api_version: '1.0.0';
  /** ISO 8601 UTC date-time. */
  timestamp: string;
  org: EventOrganisation | null;
  data: ScanCompletedData;
};

export type ScanJob = {
  job_id: string;
  brand_id: string;
  status: ScanStatus;
  trigger: ScanTrigger;
  /** Calendar date, YYYY-MM-DD (UTC). */
  run_date: string;
  idempotency_key: string;
  units: ScanUnits;
  /** ISO 8601 UTC date-time. */
  queued_at: string;
  started_at: string | null;
  completed_at: string | null;
};

export type ScanQueuedRefusal = {
  job_id: string | null;
  idempotency_key: string | null;
};

export type ScanRequest = {
  job_id: string;
  idempotency_key: string;
  status: 'queued';
};

export type ScanStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

export type ScanTrigger = 'manual' | 'scheduled';

export type ScanUnits = {
  total: number;
  answered: number;
  no_answer: number;
  failed: number;
};

export type Score = {
  brand_id: string;
  /** Calendar date, YYYY-MM-DD (UTC). */
  run_date: string;
  /** null in the all-market series. */
  country: string | null;
  score: number | null;
  previous_score: number | null;
  change: number | null;
  mention_rate: number | null;
  /** Lower end of the 95 % Wilson interval. */
  mention_rate_low: number | null;
  /** Upper end of the 95 % Wilson interval. */
  mention_rate_high: number | null;
  average_position: number | null;
  sentiment: number | null;
  citation_rate: number | null;
  share_of_voice: number | null;
  units_total: number;
  units_answered: number;
  units_mentioned: number;
  units_cited: number;
  position_sum: number;
  sentiment_sum: number;
  sentiment_count: number;
  platforms: readonly PlatformScore[];
  /** Models that gave the answers of the row, by platform. */
  models: readonly ServedModel[];
  /** Whether a platform of both rows served another set of models in the previous row of the series. Unknown models do not count. null without a previous row. */
  model_changed: boolean | null;
  /** Distinct prompts with an answered unit. */
  prompts_measured: number;
  /** Days that the row pools, up to `run_date`. Only in rows of a window. */
  window?: PooledWindow;
  /** Number of independent answers that have the same precision: answers to one prompt resemble each other. Two decimals. Only in rows of a window. */
  units_effective?: number;
  /** Version of the extraction and formulas; `+llm` when the LLM judge rated a sentiment. In a row of a window all versions of its days, separated by commas. */
  method_version: string;
  /** ISO 8601 UTC date-time. */
  computed_at: string;
};

export type ScoreChangedData = {
  brand: EventBrand;
  /** Figure that is compared. */
  metric: ComparedMetric;
  /** Market of the compared answers; null for all markets. */
  country: string | null;
  /** Platform of the compared answers; null for all platforms. */
  platform: PlatformId | null;
  /** Window a, over the paired cells. */
  a: ComparedFigures;
  /** Window b, over the paired cells. */
  b: ComparedFigures;
  /** Difference with its paired t interval over prompts. The interval does not contain 0. */
  difference: ScoreDifference;
  /** Whether the figure is higher or lower in window b. */
  verdict: ChangeDirection;
  /** `too_few`: fewer than five prompts are paired. `model_changed`: a platform served another set of models. `method_changed`: a window has a method version that the other lacks. `partial_run`: a scan of a window was partial. `prompt_set_changed`: less than 80 % of the cells of a window are paired. */
  reasons: readonly ComparisonReason[];
  /** Scan whose scoring led to the comparison. */
  job_id: string;
};

export type ScoreChangedEvent = {
  id: string;
  type: 'score.changed';
  api_version: '1.0.0';
  /** ISO 8601 UTC date-time. */
  timestamp: string;
  org: EventOrganisation | null;
  data: ScoreChangedData;
};

export type ScoreComparison = {
  /** Figure that is compared. */
  metric: ComparedMetric;
  /** Market of the compared answers; null for all markets. */
  country: string | null;
  /** Platform of the compared answers; null for all platforms. */
  platform: PlatformId | null;
  /** Window a, over the paired cells. */
  a: ComparedFigures;
  /** Window b, over the paired cells. */
  b: ComparedFigures;
  /** Difference with its paired t interval over prompts. null with fewer than two paired prompts. */
  difference: ScoreDifference | null;
  /** `up` or `down` if the interval excludes 0, `no_evidence` if it contains 0, `not_comparable` if one of the first three reasons applies. */
  verdict: Verdict;
  /** `too_few`: fewer than five prompts are paired. `model_changed`: a platform served another set of models. `method_changed`: a window has a method version that the other lacks. `partial_run`: a scan of a window was partial. `prompt_set_changed`: less than 80 % of the cells of a window are paired. */
  reasons: readonly ComparisonReason[];
};

export type ScoreDifference = {
  /** Value of b minus value of a. */
  value: number;
  /** Lower bound of the interval of the difference. */
  low: number;
  /** Upper bound of the interval of the difference. */
  high: number;
  /** Confidence level of the interval. */
  confidence: 0.95;
};

export type ScoreThresholdCrossedData = {
  brand: EventBrand;
  metric: 'score';
  /** Market of the series; null for the series over all markets. */
  country: string | null;
  threshold: number;
  /** up: previous < threshold <= current. down: previous >= threshold > current. */
  direction: CrossingDirection;
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
  id: string;
  type: 'score.threshold_crossed';
  api_version: '1.0.0';
  /** ISO 8601 UTC date-time. */
  timestamp: string;
  org: EventOrganisation | null;
  data: ScoreThresholdCrossedData;
};

export type ScoreWindow = 'day' | '7d' | '28d';

export type SearchMode = 'forced' | 'automatic';

export type SearchResultsProvider = 'serpapi' | 'dataforseo';

export type SentimentMethod = 'lexicon' | 'llm';

export type SentimentThresholdCrossedData = {
  brand: EventBrand;
  metric: 'sentiment';
  /** Market of the series; null for the series over all markets. */
  country: string | null;
  threshold: number;
  /** up: previous < threshold <= current. down: previous >= threshold > current. */
  direction: CrossingDirection;
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
  id: string;
  type: 'sentiment.threshold_crossed';
  api_version: '1.0.0';
  /** ISO 8601 UTC date-time. */
  timestamp: string;
  org: EventOrganisation | null;
  data: SentimentThresholdCrossedData;
};

export type ServedModel = {
  platform: PlatformId;
  /** As the platform names it; null if it named none. */
  model: string | null;
  /** Answered units. */
  units: number;
};

export type ShareOfVoice = {
  /** Calendar date, YYYY-MM-DD (UTC). */
  run_date: string;
  brand_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  share_of_voice: number | null;
  mentions: number;
  total_mentions: number;
  units_answered: number;
  mention_rate: number | null;
  average_position: number | null;
  rank: number;
};

export type Source = {
  domain: string;
  category: SourceCategory;
  is_own: boolean;
  competitor_id: string | null;
  citations: number;
  units_cited: number;
  citation_share: number | null;
  citation_rate: number | null;
  units_answered: number;
  pages: number;
  top_pages: readonly CitedPage[];
  platforms: readonly PlatformCitations[];
  countries: readonly string[];
  mentioned_rate: number | null;
  /** Calendar date, YYYY-MM-DD (UTC). */
  first_seen: string;
  /** Calendar date, YYYY-MM-DD (UTC). */
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
  | 'score.changed';

export type Subscription = {
  id: string;
  endpoint_id: string;
  event_type: SubscribableEvent;
  /** null: every linked organisation. */
  org_id: string | null;
  brand_id: string | null;
  threshold: number | null;
  direction: ThresholdDirection | null;
  country: string | null;
  /** Figure of `score.changed`; null for other event types. */
  metric: ComparedMetric | null;
  /** Days of each window of `score.changed`; null for other event types. */
  window_days: ChangeWindowDays | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
};

export type Surface = 'api' | 'serp';

export type ThresholdDirection = 'up' | 'down' | 'both';

export type Usage = {
  prompts: LimitUsage;
  own_brands: LimitUsage;
  countries: CountriesUsage;
  competitors_per_brand: CompetitorsUsage;
  /** null while the service that counts them is unavailable. */
  manual_scans: ManualScansUsage | null;
  scan_credits: number | null;
};

export type ValidationDetail = {
  /** Dotted path of the field, the header name, or empty for the body as a whole. */
  path: string;
  code: string;
  message: string;
};

export type Verdict = 'up' | 'down' | 'no_evidence' | 'not_comparable';

export type WebhookEndpoint = {
  id: string;
  url: string;
  status: WebhookEndpointStatus;
  description: string;
  consecutive_failures: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  events_secret_rotated_at: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
};

export type WebhookEndpointStatus = 'pending_verification' | 'active' | 'failing' | 'disabled';

export type WebhookEndpointWithSecret = {
  id: string;
  url: string;
  status: WebhookEndpointStatus;
  description: string;
  consecutive_failures: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  events_secret_rotated_at: string | null;
  /** ISO 8601 UTC date-time. */
  created_at: string;
  /** ISO 8601 UTC date-time. */
  updated_at: string;
  /** whsec_ and base64 of 32 bytes; shown once. */
  secret: string;
};

export type GetOrgInput = {
  /** Id of the organisation. */
  orgId: string;
};

export type ListOrgsInput = {
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type UpdateLinkInput = {
  /** Id of the organisation. */
  orgId: string;
};

export type UpdateLinkBody = {
  external_ref: string | null;
};

export type CreatePropertyInput = {
  /** Id of the organisation. */
  orgId: string;
};

export type CreatePropertyBody = {
  name: string;
  domain: string;
  external_ref?: string | undefined;
  geography?: string | undefined;
  /** None when omitted or empty. */
  aliases?: readonly string[] | undefined;
  /** Default rules when omitted. */
  match?: MatchRulesInput | undefined;
  /** None when omitted or empty. */
  markets?: readonly string[] | undefined;
  /** None when omitted or empty. */
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
  /** Id of the brand. */
  brandId: string;
};

export type LinkCompetitorBody = CompetitorInput;

export type ListBrandsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** `true` for own brands only, `false` for competitors only. */
  is_own?: boolean | undefined;
};

export type UnlinkCompetitorInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
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
  name?: string | undefined;
  /** Replaces all aliases. */
  aliases?: readonly string[] | undefined;
  /** Replaces the whole object. Omitted members get their default. */
  match?: MatchRulesInput | undefined;
  /** Own brands only. */
  geography?: string | undefined;
  /** Own brands only. `null` removes it. */
  external_ref?: string | null | undefined;
  /** Immutable: a body carrying it is refused. */
  domain?: never;
};

export type CreatePromptInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
};

export type CreatePromptBody = {
  text: string;
  countries: readonly string[];
  /** AI platforms that the prompt is put to. Default: `["perplexity","chatgpt","gemini","claude","ai_overviews"]`. */
  platforms?: readonly PlatformId[] | undefined;
  /** Default: `[]`. */
  tags?: readonly string[] | undefined;
  /** Default: `true`. */
  active?: boolean | undefined;
};

export type ListPromptsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Maximum number of items of the page. Default: `50`. */
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
  /** Id of the brand. */
  brandId: string;
};

export type SyncPromptsBody = {
  prompts: readonly PromptSyncInput[];
  /** Whether the sync deactivates every active prompt of the brand that `prompts` does not list. An empty list then deactivates all. Default: `true`. */
  deactivate_missing?: boolean | undefined;
};

export type UpdatePromptInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the prompt. */
  promptId: string;
};

export type UpdatePromptBody = {
  countries?: readonly string[] | undefined;
  platforms?: readonly PlatformId[] | undefined;
  tags?: readonly string[] | undefined;
  active?: boolean | undefined;
  /** Immutable: a body carrying it is refused with text_immutable. */
  text?: never;
};

export type CompareScoresInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
  /** First day of window a (UTC), included. Default: 7 days before window b. */
  from_a?: string | undefined;
  /** Last day of window a (UTC), included. Default: the day before window b. */
  to_a?: string | undefined;
  /** First day of window b (UTC), included. Default: 6 days before today. */
  from_b?: string | undefined;
  /** Last day of window b (UTC), included. Default: today. */
  to_b?: string | undefined;
  /** Only this platform. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. */
  country?: string | undefined;
  /** Figure to compare. Default: `"score"`. */
  metric?: ComparedMetric | undefined;
};

export type ListBrandSummariesInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type ListMentionsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. */
  country?: string | undefined;
};

export type ListPromptResultsInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the prompt. */
  promptId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. */
  country?: string | undefined;
};

export type ListScoresInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** The series of this market instead of that of all markets. */
  country?: string | undefined;
  /** Days that each row pools: one, 7 or 28. Default: `"day"`. */
  window?: ScoreWindow | undefined;
};

export type ListShareOfVoiceInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 366 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. */
  country?: string | undefined;
};

export type ListSourcesInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** First day of the window (UTC), included. Default: 30 days before `to`. At most 90 days before `to`. */
  from?: string | undefined;
  /** Last day of the window (UTC), included. Default: today. */
  to?: string | undefined;
  /** Only this platform. */
  platform?: PlatformId | undefined;
  /** Only this market, ISO 3166-1 alpha-2. */
  country?: string | undefined;
};

export type GetReprocessInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
  /** Id of the reprocess job. */
  jobId: string;
};

export type ReprocessBrandInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
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
  /** Id of the brand. */
  brandId: string;
  /** Id of the scan job. */
  jobId: string;
};

export type RequestScanInput = {
  /** Id of the organisation. */
  orgId: string;
  /** Id of the brand. */
  brandId: string;
};

export type CreateSubscriptionInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
};

export type CreateSubscriptionBody = {
  event_type: SubscribableEvent;
  org_id?: string | null | undefined;
  brand_id?: string | null | undefined;
  /** Required for threshold events, rejected for others. A value equal to the threshold is above it. */
  threshold?: number | undefined;
  /** Selects the changes of side that are sent; both when omitted; threshold events only. The side is kept whatever the direction. */
  direction?: ThresholdDirection | undefined;
  /** Market of the series; all markets when omitted. Not for `scan.completed`. */
  country?: string | null | undefined;
  /** Figure that is compared; `score` when omitted; `score.changed` only. */
  metric?: ComparedMetric | undefined;
  /** Days of each of the two windows; 7 when omitted; `score.changed` only. */
  window_days?: ChangeWindowDays | undefined;
};

export type CreateWebhookEndpointBody = {
  url: string;
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
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
  /** Only deliveries with this status. */
  status?: DeliveryStatus | undefined;
};

export type ListSubscriptionsInput = {
  /** Id of the webhook endpoint. */
  endpointId: string;
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
};

export type ListWebhookEndpointsInput = {
  /** Maximum number of items of the page. Default: `50`. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page. */
  cursor?: string | undefined;
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
  url?: string | undefined;
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
  /** 422: The plan limit of own brands would be exceeded. */
  brand_cap_exceeded: CapRefusal;
  /** 409: An own brand with this domain exists. */
  brand_exists: ExistingIdRefusal;
  /** 422: The plan limit of competitors of the brand is reached. */
  competitor_cap_exceeded: CompetitorCapRefusal;
  /** 409: The request conflicts with what exists. */
  conflict: ConflictRefusal;
  /** 422: The plan limit of countries would be exceeded. */
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
  /** 422: The plan limit of prompts would be exceeded. */
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
  /** 403: The plan of the organisation does not include this. */
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
  'endpoint.ping': EndpointPingEvent;
};
