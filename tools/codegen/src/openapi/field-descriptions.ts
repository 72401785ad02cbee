/** Descriptions of fields of the public API by name, for fields whose schema has none. */
const meanings: Record<string, string> = {
  action: 'What the sync did with the prompt.',
  active: 'Whether the prompt is scanned.',
  active_prompts: 'Number of active prompts of the brand.',
  aliases: 'Further names under which answers mention the brand.',
  answer_text: "The platform's answer; null when it gave none.",
  answer_truncated:
    'Whether the answer text is incomplete: the platform stopped early, or the text exceeded the stored length.',
  answered: 'Units with an answer.',
  api_access: 'Whether the plan includes the API.',
  api_version: 'Version of the API the payload follows.',
  attempted: 'The count that the refused request would have led to.',
  attempts: 'Attempts made so far.',
  average_position: 'Mean position of the brand in the answers that mention it; 1 is first.',
  brand: 'Brand the event is about.',
  brand_id: 'Id of the brand.',
  brands: 'Tracked brands, in order of first occurrence.',
  cap: 'The limit of the tier.',
  category: 'Kind of website.',
  change: 'Current value minus previous value.',
  change_token: 'Moves whenever the results of the brand change.',
  changed_at: "Change token: when the brand's results last changed.",
  citation_rate: 'Share of answered units that cite the domain, 0 to 100.',
  citation_share: 'Share of all citations that go to the domain, 0 to 100.',
  citations: 'Number of citations.',
  cited: 'Whether the answer cites the domain.',
  code: 'Error code, for programs.',
  codes: 'Market codes in use.',
  competitor_id: 'Id of the competitor.',
  competitors: 'Competitors of the brand.',
  competitors_per_brand: 'Competitors per own brand: limit and highest use.',
  completed_at: 'When the job ended; null before.',
  consecutive_failures: 'Failed attempts since the last success.',
  countries: 'Markets, ISO 3166-1 alpha-2.',
  countries_in_use: 'Markets already in use.',
  countries_requested: 'Markets the refused request names.',
  country: 'Market.',
  created: 'Number created.',
  created_at: 'When it was created.',
  created_by_key_id: 'Key that created the prompt; null if no API key did.',
  current: 'Value now.',
  data: 'The resource, or the content of the event.',
  deactivated: 'Number deactivated.',
  deleted: 'Always true.',
  description: 'Free text of the partner.',
  details: 'Details of the error; the shape depends on the code.',
  direction: 'Direction of a crossing: up, down or both.',
  domain: 'Host name of the brand, or registrable domain of the source.',
  endpoint_id: 'Id of the webhook endpoint.',
  error: 'The error; null when there is none.',
  event_id: 'Id of the event; the same for every attempt.',
  event_type: 'Type of the event.',
  events_secret_rotated_at: 'When the signing secret was last rotated.',
  evidence: 'Where the answer mentions the brand: the first three occurrences. Empty without a mention.',
  existing_id: 'Id of the existing resource.',
  external_ref: "The caller's own reference.",
  failed: 'Number that failed.',
  geography: 'Where the brand is active, as given at creation.',
  has_more: 'Whether another page follows.',
  id: 'Id of the resource.',
  idempotency_key: '`Idempotency-Key` of the scan request, or a generated one.',
  is_own: 'true for an own brand, false for a competitor.',
  job_id: 'Id of the scan job.',
  last_duration_ms: 'Duration of the last attempt, milliseconds.',
  last_error: 'Why the last attempt failed; null after a success.',
  last_failure_at: 'When a delivery last failed.',
  last_response_snippet: "First 1,024 bytes of the receiver's last response.",
  last_scan_at: 'When the last scan ended.',
  last_scan_status: 'Status of the last ended scan.',
  last_status_code: 'HTTP status of the last attempt.',
  last_success_at: 'When a delivery last succeeded.',
  limit: 'The limit; null means unlimited.',
  localization: 'How the market was passed to the platform: `native` setting, `prompt` text or `none`.',
  manual_scans_remaining: 'Manual scans left this month.',
  markets:
    'Markets that the caller intends to use. Checked against the country limit, returned, and not stored: the countries of its prompts decide what is measured.',
  match: 'What counts as a mention of the brand.',
  max_used: 'Highest number that an own brand has.',
  mention_count: 'Number of occurrences of the brand in the answer.',
  mention_method:
    'Method that decided the mentions: `words`, or `words+llm` if the LLM judge confirmed every brand with `match.verify` that the words found.',
  mention_rate: 'Share of answers that mention the brand, 0 to 100.',
  mentioned: 'Whether the answer mentions the brand.',
  mentioned_rate: 'Share of the citing answers that also mention the brand, 0 to 100.',
  mentions: 'Number of answers that mention the brand.',
  message: 'Error message, for people. Its wording may change.',
  method_version: 'Version of the extraction and formulas; `+llm` when the LLM judge rated a sentiment.',
  metric: 'Metric that is compared with the threshold.',
  model: 'Model that gave the answer, as the platform names it.',
  name: 'Name of the resource.',
  next_attempt_at: 'When the next attempt is due; null when none is.',
  next_cursor: 'Cursor of the next page; null on the last.',
  no_answer: 'Units to which the platform gave no answer.',
  on_demand_scans: 'Whether the tier includes scan requests.',
  org: 'Organisation the event is about.',
  org_id: 'Id of the organisation.',
  outcome: '`answered`, or `no_answer` when the platform declined.',
  own_brands: 'Own brands in use and their limit.',
  pages: 'Number of distinct pages cited.',
  pagination: 'Position in the list.',
  parameter: 'Filter that differs from the first page.',
  path: 'Place of the invalid value in the request; fields are joined by dots.',
  platform: 'AI platform.',
  platforms: 'AI platforms, or figures of each.',
  position: 'Rank by first occurrence; 1 is first, null without a mention.',
  position_sum: 'Sum of the positions of the units that mention the brand.',
  previous: 'Value before the change.',
  previous_score: 'Score of the latest earlier day of the series.',
  prompt_id: 'Id of the prompt.',
  prompts: 'Prompts of the request, or their use and limit.',
  rank: 'Rank among the tracked brands; 1 is first.',
  reactivated: 'Prompts that became active again.',
  reason: 'Why the cursor is invalid.',
  remaining: 'Number that is left.',
  request_id: 'Id of the request, equal to `X-Request-Id`.',
  results: 'One result per row of the body, then one per deactivated prompt.',
  reused: 'Whether an existing competitor of the organisation was linked.',
  run_date: 'Day of the measurement (UTC).',
  scan_credits: 'Purchased scans that are left.',
  scan_id: 'Id of the scan.',
  scan_in_progress: 'Whether a scan of the brand is queued or running.',
  score: 'Visibility score, 0 to 100.',
  score_change: 'Difference of the score to the previous one.',
  score_date: 'Day of the score.',
  search_queries: 'Web searches of the platform.',
  search_used: 'Whether the platform searched the web.',
  sentiment: 'Tone towards the brand, 0 to 100; 50 is neutral, null without a mention.',
  sentiment_count: 'Number of units with a sentiment.',
  sentiment_method:
    'Method that rated all sentiments of the answer: `lexicon` or `llm`. Null if no brand of the answer has a sentiment, and for imported answers.',
  sentiment_sum: 'Sum of the sentiments of the units.',
  share_of_voice: 'Mentions of the brand as a share of the mentions of all tracked brands, 0 to 100.',
  source: 'How the prompt was created.',
  sources: 'Sources the answer cites.',
  started_at: 'When the job started; null before.',
  status: 'Status of the resource.',
  subscription_id: 'Id of the subscription.',
  summary: 'Counts of the results by action.',
  tag: 'Only prompts with this label.',
  tags: 'Labels of the prompt.',
  text: 'Text of the prompt.',
  texts: 'Texts that occur more than once.',
  threshold: 'Value whose crossing sends the event.',
  tier: 'Tier of the organisation.',
  title: 'Title of the page.',
  top_pages: 'Most cited pages, at most five.',
  total: 'Number of results.',
  total_mentions: 'Number of mentions of all brands compared.',
  trigger: 'What started the scan.',
  type: 'Type of the event.',
  unchanged: 'Prompts that were already as described.',
  units: 'Run units: one prompt, country and platform each.',
  units_answered: 'Units with an answer.',
  units_cited: 'Units whose answer cites the domain.',
  units_mentioned: 'Units whose answer mentions the brand.',
  units_total: 'Answered units plus units without an answer.',
  updated: 'Prompts that were changed.',
  updated_at: 'When it last changed.',
  url: 'Absolute URL.',
  usage: 'Use of the limits of the tier.',
  used: 'Number in use.',
  value: 'Value of the metric.',
  warnings: 'Advice on names that lead to wrong mentions. Empty without any.',
};

type Node = {
  description?: string;
  properties?: Record<string, Node>;
  parameters?: Node[];
  name?: string;
  in?: string;
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Gives every property a description. Returns the names of properties and parameters that still have none. */
export function describeFields(document: unknown): string[] {
  const missing = new Set<string>();
  const describe = (name: string, node: Node, known: Record<string, string>): void => {
    if (node.description !== undefined) return;
    const meaning = known[name];
    if (meaning === undefined) missing.add(name);
    else node.description = meaning;
  };
  const visit = (value: unknown): void => {
    if (!isNode(value)) return;
    if (typeof value.name === 'string' && typeof value.in === 'string') describe(value.name, value, {});
    const { properties } = value;
    if (isNode(properties) && 'type' in value) {
      for (const [name, property] of Object.entries(properties))
        if (isNode(property)) describe(name, property, meanings);
    }
    for (const [key, child] of Object.entries(value)) {
      if (key !== 'example' && key !== 'examples' && key !== 'headers') visit(child);
    }
  };
  visit(document);
  return [...missing];
}
