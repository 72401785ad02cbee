/** What fields of the public API mean, by name, for those whose schema does not say it itself. */
const meanings: Record<string, string> = {
  action: 'What was done with the row.',
  active: 'Whether the prompt is scanned.',
  active_prompts: 'Number of active prompts of the brand.',
  aliases: 'Other names under which answers may speak of the brand.',
  answer_text: 'The answer of the AI platform; null where there was none.',
  answer_truncated:
    'Whether the answer text is incomplete: the platform stopped early, or the text exceeded the stored length.',
  answered: 'Units with an answer.',
  api_access: 'Whether the plan includes the API.',
  api_version: 'Version of the API the payload follows.',
  attempted: 'What there would have been with the refused request.',
  attempts: 'Attempts made so far.',
  average_position: 'Mean place of the brand in the answers that mention it; 1 is first.',
  brand: 'Brand the event is about.',
  brand_id: 'Id of the brand.',
  brands: 'Brands the answer mentions, in order.',
  cap: 'Most the plan allows.',
  category: 'Kind of site.',
  change: 'Difference to the previous score.',
  change_token: 'Moves whenever the results of the brand change.',
  changed_at: 'When anything measured of the brand last changed.',
  citation_rate: 'Share of answers that cite the domain, 0 to 100.',
  citation_share: 'Share of all citations that go to the domain, 0 to 100.',
  citations: 'Number of citations.',
  cited: 'Whether the answer cites the domain of the brand.',
  code: 'What went wrong, for programs.',
  codes: 'Market codes in use.',
  competitor_id: 'Id of the competitor.',
  competitors: 'Competitors of the brand.',
  competitors_per_brand: 'Competitors a brand has and may have.',
  completed_at: 'When the job ended; null until then.',
  consecutive_failures: 'Failed deliveries since the last that succeeded.',
  countries: 'Markets, ISO 3166-1 alpha-2.',
  countries_in_use: 'Markets already in use.',
  countries_requested: 'Markets the refused request names.',
  country: 'Market.',
  created: 'Rows that were created.',
  created_at: 'When it was created.',
  created_by_key_id: 'Key that created the prompt; null where no API key did.',
  current: 'Value now.',
  data: 'What was asked for.',
  deactivated: 'Rows that were made inactive.',
  deleted: 'Always true.',
  description: 'Description, for people.',
  details: 'More about the error; its shape depends on the code.',
  direction: 'Which crossings of the threshold count.',
  domain: 'Registrable domain.',
  endpoint_id: 'Id of the webhook endpoint.',
  error: 'What went wrong.',
  event_id: 'Id of the event; the same on every attempt.',
  event_type: 'Type of the event.',
  events_secret_rotated_at: 'When the signing secret was last rotated.',
  existing_id: 'Id of what exists already.',
  external_ref: 'Your own reference.',
  failed: 'Rows that were refused.',
  geography: 'Where the brand is active, as given.',
  has_more: 'Whether another page follows.',
  id: 'Id.',
  idempotency_key: 'Key under which the scan was requested.',
  is_own: 'Whether it is the own brand, not a competitor.',
  job_id: 'Id of the scan job.',
  last_duration_ms: 'Duration of the last attempt, milliseconds.',
  last_error: 'Why the last attempt failed.',
  last_failure_at: 'When a delivery last failed.',
  last_response_snippet: 'Beginning of the answer to the last attempt.',
  last_scan_at: 'When the last scan ended.',
  last_scan_status: 'How the last scan ended.',
  last_status_code: 'HTTP status of the last attempt.',
  last_success_at: 'When a delivery last succeeded.',
  limit: 'Most there may be; null is unlimited.',
  localization: 'How the market was put to the platform.',
  manual_scans_remaining: 'Manual scans left this month.',
  markets: 'Markets in which the brand is measured.',
  max_used: 'Most that any own brand has.',
  mention_count: 'How often the answer mentions the brand.',
  mention_rate: 'Share of answers that mention the brand, 0 to 100.',
  mentioned: 'Whether the answer mentions the brand.',
  mentioned_rate: 'Share of the citing answers that also mention the brand, 0 to 100.',
  mentions: 'Number of answers that mention the brand.',
  message: 'What went wrong, for people.',
  method_version:
    'Version of extraction and formulas; `+llm` where a language model judged any of the sentiments.',
  metric: 'What was measured.',
  model: 'Model that answered, as the platform names it.',
  name: 'Name.',
  next_attempt_at: 'When the next attempt is due; null where none is.',
  next_cursor: 'Cursor of the next page; null on the last.',
  no_answer: 'Units the platform gave no answer to.',
  on_demand_scans: 'Whether the plan includes scans on demand.',
  org: 'Organisation the event is about.',
  org_id: 'Id of the organisation.',
  outcome: 'Whether the platform answered.',
  own_brands: 'Own brands there are and may be.',
  pages: 'Number of different pages cited.',
  pagination: 'How to go on.',
  parameter: 'Filter that differs from the first page.',
  path: 'Where the value stands in the request.',
  platform: 'AI platform.',
  platforms: 'AI platforms.',
  position: 'Place of the brand in the answer; 1 is first, null without a mention.',
  position_sum: 'Sum of the positions.',
  previous: 'Value before.',
  previous_score: 'Score of the measured day before.',
  prompt_id: 'Id of the prompt.',
  prompts: 'Prompts.',
  rank: 'Place among the brands compared; 1 is first.',
  reactivated: 'Rows that were made active again.',
  reason: 'Why the cursor cannot be used.',
  remaining: 'How many are left.',
  request_id: 'Id of the request; name it when you ask for help.',
  results: 'One result a row sent, in order.',
  reused: 'Whether a row of the organisation was used again.',
  run_date: 'Day of the measurement (UTC).',
  scan_credits: 'Purchased scans that are left.',
  scan_id: 'Id of the scan.',
  scan_in_progress: 'Whether a scan of the brand is queued or running.',
  score: 'Visibility score, 0 to 100.',
  score_change: 'Difference of the score to the previous one.',
  score_date: 'Day of the score.',
  search_queries: 'What the platform searched the web for.',
  search_used: 'Whether the platform searched the web.',
  sentiment: 'How kindly the answer speaks of the brand, 0 to 100.',
  sentiment_count: 'Number of sentiments measured.',
  sentiment_sum: 'Sum of the sentiments.',
  share_of_voice: 'Share of all mentions that go to the brand, 0 to 100.',
  source: 'Where the prompt comes from.',
  sources: 'Sources the answer cites.',
  started_at: 'When the job began; null until then.',
  status: 'Where it stands.',
  subscription_id: 'Id of the subscription.',
  summary: 'How many rows came to which end.',
  tag: 'Prompts with this label only.',
  tags: 'Labels.',
  text: 'Text of the prompt.',
  texts: 'Texts that occur more than once.',
  threshold: 'Value whose crossing is reported.',
  tier: 'Plan.',
  title: 'Title.',
  top_pages: 'Pages cited most.',
  total: 'Number of all.',
  total_mentions: 'Number of mentions of all brands compared.',
  trigger: 'What started the scan.',
  type: 'Type.',
  unchanged: 'Rows that were so already.',
  units: 'Number of units (prompt, platform and market).',
  units_answered: 'Units with an answer.',
  units_cited: 'Units whose answer cites the domain.',
  units_mentioned: 'Units whose answer mentions the brand.',
  units_total: 'Units measured.',
  updated: 'Rows that were changed.',
  updated_at: 'When it last changed.',
  url: 'Address.',
  usage: 'Use of the plan limits.',
  used: 'How many there are.',
  value: 'Value of the metric.',
};

type Node = {
  description?: string;
  properties?: Record<string, Node>;
  parameters?: Node[];
  name?: string;
  in?: string;
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const parameters: Record<string, string> = {
  limit: 'Most elements a page has; 50 without it.',
  from: 'First day of the window, YYYY-MM-DD (UTC).',
  to: 'Last day of the window, YYYY-MM-DD (UTC).',
  is_own: 'Own brands only, or competitors only.',
  active: 'Active prompts only, or inactive only.',
  'Idempotency-Key': 'The same key with the same request is answered once and replayed for 24 hours.',
  orgId: 'Id of the organisation.',
  brandId: 'Id of the brand.',
  promptId: 'Id of the prompt.',
  jobId: 'Id of the scan job.',
  competitorId: 'Id of the competitor.',
  endpointId: 'Id of the webhook endpoint.',
  subscriptionId: 'Id of the subscription.',
  deliveryId: 'Id of the delivery.',
};

/** Gives every property and parameter a description; answers with the names that still have none. */
export function describeFields(document: unknown): string[] {
  const nameless = new Set<string>();
  const describe = (name: string, node: Node, known: Record<string, string>): void => {
    if (node.description !== undefined) return;
    const meaning = known[name];
    if (meaning === undefined) nameless.add(name);
    else node.description = meaning;
  };
  const walk = (value: unknown): void => {
    if (!isNode(value)) return;
    if (typeof value.name === 'string' && typeof value.in === 'string') {
      describe(value.name, value, { ...meanings, ...parameters });
    }
    const { properties } = value;
    if (isNode(properties) && 'type' in value) {
      for (const [name, property] of Object.entries(properties))
        if (isNode(property)) describe(name, property, meanings);
    }
    for (const [key, child] of Object.entries(value)) {
      if (key !== 'example' && key !== 'examples' && key !== 'headers') walk(child);
    }
  };
  walk(document);
  return [...nameless];
}
