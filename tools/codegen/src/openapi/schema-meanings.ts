/** Descriptions of fields of certain schemas, where the name of the field alone means too much. */

type SchemaMeanings = readonly [schemas: string, fields: Record<string, string>];

const brands =
  'Brand OperatorBrand OperatorBrandDetail BrandDetail CreatedProperty LinkedCompetitor BrandSummary ResultBrand ShareOfVoice EventBrand';
const endpoints = 'WebhookEndpoint WebhookEndpointWithSecret OperatorEndpoint OperatorEndpointDetail';
const endpointRequests = 'CreateWebhookEndpointRequest UpdateWebhookEndpointRequest';

/** Schemas of the operator API. */
const operatorApi: readonly SchemaMeanings[] = [
  ['OperatorOrg OperatorOrgDetail', { id: 'Id of the organisation.', name: 'Name of the organisation.' }],
  ['OperatorCreateOrgRequest OperatorUpdateOrgRequest', { name: 'Name of the organisation.' }],
  [
    'Overrides',
    {
      prompts: 'Active prompts; null for any number.',
      own_brands: 'Own brands; null for any number.',
      countries: 'Markets of active prompts; null for any number.',
      manual_scans: 'Scans on request in a UTC month; null for any number.',
    },
  ],
  ['OperatorAddScanCreditsRequest', { amount: 'Scan credits to add.' }],
  [
    'KeyInput ApiKey MintedApiKey OperatorKey',
    { id: 'Id of the key.', name: 'Name of the key, for people.' },
  ],
  [
    'Partner PartnerDetail OperatorCreatePartnerRequest',
    { id: 'Id of the partner.', name: 'Name of the partner.' },
  ],
  [
    'Partner PartnerDetail OperatorUpdatePartnerRequest',
    { status: '`active`, or `suspended`: its keys are refused until it is active again.' },
  ],
  [
    'PartnerLink NamedPartnerLink OperatorPutLinkRequest',
    {
      scope: 'Whether the partner may also write.',
      external_ref: "The partner's own reference of the organisation.",
    },
  ],
  [
    'OperatorDeleteBrandUnitsRequest',
    { from: 'First day of the window (UTC), included.', to: 'Last day of the window (UTC), included.' },
  ],
  ['DeletedUnits', { deleted: 'Number of units that were deleted.' }],
  ['OperatorRepublishEventsRequest', { since: 'Events since this moment are sent again.' }],
  [
    'DeadEvent DeadEventDetail',
    {
      id: 'Id of the dead-letter event.',
      event_id: 'Id of the message; null if it is not readable.',
      type: 'Type of the message.',
      status:
        '`dead`: no attempt succeeded. `redriven`: sent again, without an outcome yet. `applied`: a redrive succeeded. `dismissed`: removed from the list.',
      attempts: 'Failed attempts, those after a redrive included.',
    },
  ],
  [
    'ImportedUnit FailedUnit ImportedBrand ImportedSource',
    {
      brand_id: 'Id of the own brand of the prompt; in `brands`, of a tracked brand.',
      outcome: '`answered`, `no_answer`, or `failed`, which is not stored.',
      url: 'Address of the page.',
      brands: 'Tracked brands that were searched for.',
      sources: 'Web pages of the answer, in their order.',
    },
  ],
  [
    'ImportSummary RejectedLine',
    {
      imported: 'Lines that were stored.',
      duplicates: 'Lines whose unit is already stored.',
      rejected: 'Lines that were refused.',
      line: 'Number of the line, from 1.',
      error: 'Why it was refused.',
    },
  ],
  [
    'KeyUsage',
    {
      key_id: 'Id of the key.',
      key_prefix: 'First 12 characters of the key.',
      owner_kind: 'What the key belongs to.',
      owner_id: 'Id of the organisation or the partner.',
      month: 'UTC month, YYYY-MM.',
      used: 'Requests that were charged.',
      quota: 'Requests allowed in the month; null for any number.',
    },
  ],
  [
    'RepublishedEvents RepublishedService',
    { republished: 'One entry per service.', events: 'Number of events that were sent again.' },
  ],
  [
    'StoredRefusal',
    {
      stored: 'Always true: the change is stored.',
      waiting_for: 'Consumers that have not applied the change yet.',
    },
  ],
];

/** By names of schemas, or `*` and the last word of their names, and name of the field. */
const qualified: readonly SchemaMeanings[] = [
  [brands, { id: 'Id of the brand.', name: 'Name of the brand.', domain: 'Normalised host of the brand.' }],
  [
    'CreatePropertyRequest CompetitorInput UpdateBrandRequest',
    {
      name: 'Name under which answers mention it.',
      domain: 'Registrable host name. Of a URL the host is stored, without `www.`.',
    },
  ],
  [
    'Competitor CompetitorOutcome',
    {
      id: 'Id of the competitor.',
      name: 'Name of the competitor.',
      domain: 'Normalised host of the competitor.',
      status:
        '`applied`: linked. `failed`: refused with `error`. `not_attempted`: an earlier one reached the limit.',
      error: 'Why it was refused.',
    },
  ],
  ['Organisation OrganisationDetail', { id: 'Id of the organisation.', name: 'Name of the organisation.' }],
  [
    'Usage',
    {
      prompts: 'Active prompts of brands that are not archived.',
      own_brands: 'Own brands that are not archived.',
      countries: 'Markets of the active prompts.',
    },
  ],
  [
    'Prompt OperatorPrompt CreatePromptRequest PromptSyncInput',
    {
      id: 'Id of the prompt.',
      countries: 'Markets in which the prompt is put, ISO 3166-1 alpha-2.',
      platforms: 'AI platforms that the prompt is put to.',
      source: '`ui`, `api` (createPrompt), `sync` (syncPrompts) or `import`.',
    },
  ],
  [
    'UpdatePromptRequest',
    {
      countries: 'Replaces the markets, ISO 3166-1 alpha-2.',
      platforms: 'Replaces the AI platforms.',
      tags: 'Replaces all labels.',
    },
  ],
  [
    'PromptSyncInput',
    {
      tags: 'Labels. When omitted: none for a new prompt, no change of an existing one.',
      active: 'Whether it is scanned. When omitted: `true` for a new prompt, no change of an existing one.',
    },
  ],
  ['Deleted', { id: 'Id of what was deleted.' }],
  ['SyncPromptsRequest', { prompts: 'The prompts that the brand shall have.' }],
  [
    'PromptSyncRow PromptSyncSummary',
    {
      error: 'Why the row failed; null otherwise.',
      created: 'Prompts that were created.',
      deactivated: 'Prompts that were deactivated.',
      failed: 'Rows that failed.',
    },
  ],
  [
    'PromptResult',
    {
      id: 'Id of the run unit.',
      scan_id: 'Id of the scan job; null for an imported answer.',
      cited: 'Whether the answer cites the domain of the own brand.',
      sources: 'Web pages of the answer, in their order.',
    },
  ],
  ['ResultSource', { domain: 'Registrable domain of the page.', url: 'Address of the page.' }],
  [
    'Score BrandSummary',
    {
      sentiment:
        'Mean tone towards the brand in the answers that mention it, 0 to 100; 50 is neutral, null without a mention.',
      platforms: 'Figures of each AI platform.',
      change: 'Score minus previous score.',
    },
  ],
  [
    'Source CitedPage',
    {
      domain: 'Registrable domain that answers cite.',
      is_own: 'Whether it is the domain of the own brand.',
      competitor_id: 'Competitor with this domain; null for other domains.',
      platforms: 'Citations by AI platform.',
      countries: 'Markets of the answers that cite the domain.',
      url: 'Address of the page.',
    },
  ],
  [
    'ScanJob ScanRequest ScanUnits',
    {
      status:
        '`queued`, `running`, `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled`.',
      units: 'Counts of the run units: one prompt, country and platform each.',
      total: 'Units of the scan.',
      failed: 'Units that failed.',
    },
  ],
  ['ReprocessJob ReprocessRefusal', { status: 'State of the job.', job_id: 'Id of the reprocess job.' }],
  ['*Envelope', { data: 'The resource.' }],
  ['*Page', { data: 'The items of the page.' }],
  [
    '*Event',
    {
      id: 'Id of the event; equals `webhook-id`.',
      org: 'Organisation of the event; null for a ping.',
      data: 'Content of the event.',
    },
  ],
  [
    'EventOrganisation',
    { id: 'Id of the organisation.', external_ref: "The partner's own reference of the organisation." },
  ],
  [
    'ScanCompletedData',
    {
      status: '`completed`, or `partial` if some units failed.',
      units: 'Counts of the run units: one prompt, country and platform each.',
      platforms: 'AI platforms of the scan.',
      countries: 'Markets of the scan.',
      score: 'Score of the day over all markets.',
      sentiment: 'Mean sentiment of the day over all markets.',
    },
  ],
  [
    endpoints,
    {
      id: 'Id of the webhook endpoint.',
      url: 'Address that events are sent to.',
      status:
        '`pending_verification` until a ping succeeds, `active`, `failing` after five days of failures or a 410, or `disabled` by the operator.',
    },
  ],
  [endpointRequests, { url: 'https address with a public host, on port 443 or 1024 and above.' }],
  [
    'Subscription CreateSubscriptionRequest',
    {
      id: 'Id of the subscription.',
      event_type: 'Type of the events that are sent.',
      org_id: 'Only events of this organisation; null for every linked organisation.',
      brand_id: 'Only events of this own brand; null for every brand.',
      country: 'Only the series of this market; null for the series of all markets.',
    },
  ],
  [
    'Delivery OperatorDelivery OperatorDeliveryDetail',
    {
      id: 'Id of the delivery.',
      status:
        '`pending`: waits for an attempt. `delivering`: an attempt is in progress. `succeeded`: the receiver returned 2xx. `dead`: no attempt is left.',
      subscription_id: 'Id of the subscription; null for a ping and after the subscription was deleted.',
    },
  ],
  [
    'PropertyPartialFailure',
    {
      brand_id: 'Id of the created brand.',
      brand: 'The created brand.',
      competitors: 'Outcome of each competitor, in the order of the body.',
    },
  ],
  ['ApiError', { error: 'What went wrong.' }],
  [
    'ConflictRefusal',
    {
      existing_id: 'Id of the prompt with the same text.',
      competitor_id: 'Id of the competitor that is already linked.',
    },
  ],
  ['ExistingIdRefusal', { existing_id: 'Id of the brand that exists.' }],
  ...operatorApi,
];

/** Descriptions by schema and field, such as `Prompt.id`. */
export const qualifiedMeanings: ReadonlyMap<string, string> = new Map(
  qualified.flatMap(([schemas, fields]) =>
    schemas
      .split(' ')
      .flatMap((schema) =>
        Object.entries(fields).map(([field, text]): [string, string] => [`${schema}.${field}`, text]),
      ),
  ),
);
