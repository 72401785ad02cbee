// Generated from @bv/contract by `pnpm generate`; changes belong there.
/* oxlint-disable max-lines */
import type { ApiPromise } from '../api-promise.ts';
import type { List } from '../list.ts';
import type { CallOptions, ListOptions, Operation, WriteOptions } from '../options.ts';
import type {
  Brand,
  BrandDetail,
  BrandSummary,
  BreakdownRow,
  Changes,
  CitedUrl,
  CompareScoresInput,
  Coverage,
  CreateExperimentBody,
  CreateExperimentInput,
  CreatePromptBody,
  CreatePromptInput,
  CreatePropertyBody,
  CreatePropertyInput,
  CreateSubscriptionBody,
  CreateSubscriptionInput,
  CreateWebhookEndpointBody,
  CreatedProperty,
  DeleteSubscriptionInput,
  DeleteWebhookEndpointInput,
  Deleted,
  Delivery,
  DeliveryRecovery,
  DiscoveredBrand,
  Experiment,
  GetBrandInput,
  GetChangesInput,
  GetCoverageInput,
  GetExperimentInput,
  GetOrgInput,
  GetPrecisionInput,
  GetReprocessInput,
  GetScanInput,
  GetScanPreviewInput,
  KeyIntrospection,
  LinkCompetitorBody,
  LinkCompetitorInput,
  LinkedCompetitor,
  ListBrandSummariesInput,
  ListBrandsInput,
  ListBreakdownInput,
  ListDeliveriesInput,
  ListDiscoveredBrandsInput,
  ListExperimentsInput,
  ListMentionsInput,
  ListOrgsInput,
  ListPagesInput,
  ListPromptResultsInput,
  ListPromptsInput,
  ListScoresInput,
  ListShareOfVoiceInput,
  ListSourcesInput,
  ListSubscriptionsInput,
  ListWebhookEndpointsInput,
  Mention,
  Methodology,
  Organisation,
  OrganisationDetail,
  Precision,
  Prompt,
  PromptResult,
  PromptSyncResult,
  RecoverDeliveriesBody,
  RecoverDeliveriesInput,
  ReplayDeliveryInput,
  ReprocessBrandBody,
  ReprocessBrandInput,
  ReprocessJob,
  RequestScanInput,
  RotateWebhookSecretInput,
  ScanJob,
  ScanPreview,
  ScanRequest,
  Score,
  ScoreComparison,
  ShareOfVoice,
  Source,
  StopExperimentInput,
  Subscription,
  SyncPromptsBody,
  SyncPromptsInput,
  TestWebhookEndpointInput,
  UnlinkCompetitorInput,
  UpdateBrandBody,
  UpdateBrandInput,
  UpdateLinkBody,
  UpdateLinkInput,
  UpdatePromptBody,
  UpdatePromptInput,
  UpdateWebhookEndpointBody,
  UpdateWebhookEndpointInput,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './types.ts';

export const sdkVersion = '1.0.0';

const table = {
  getKey: { id: 'getKey', method: 'GET', path: '/key', idempotent: false },
  getOrg: { id: 'getOrg', method: 'GET', path: '/orgs/{orgId}', idempotent: false },
  listOrgs: { id: 'listOrgs', method: 'GET', path: '/orgs', idempotent: false },
  updateLink: {
    id: 'updateLink',
    method: 'PATCH',
    path: '/orgs/{orgId}/link',
    idempotent: true,
    fields: ['external_ref'],
  },
  createProperty: {
    id: 'createProperty',
    method: 'POST',
    path: '/orgs/{orgId}/properties',
    idempotent: true,
    fields: ['name', 'domain', 'external_ref', 'geography', 'aliases', 'match', 'markets', 'competitors'],
  },
  getBrand: { id: 'getBrand', method: 'GET', path: '/orgs/{orgId}/brands/{brandId}', idempotent: false },
  linkCompetitor: {
    id: 'linkCompetitor',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/competitors',
    idempotent: true,
    fields: ['name', 'domain', 'aliases', 'match'],
  },
  listBrands: { id: 'listBrands', method: 'GET', path: '/orgs/{orgId}/brands', idempotent: false },
  unlinkCompetitor: {
    id: 'unlinkCompetitor',
    method: 'DELETE',
    path: '/orgs/{orgId}/brands/{brandId}/competitors/{competitorId}',
    idempotent: true,
  },
  updateBrand: {
    id: 'updateBrand',
    method: 'PATCH',
    path: '/orgs/{orgId}/brands/{brandId}',
    idempotent: true,
    fields: ['name', 'aliases', 'match', 'geography', 'external_ref', 'domain'],
  },
  createPrompt: {
    id: 'createPrompt',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/prompts',
    idempotent: true,
    fields: ['text', 'countries', 'platforms', 'tags', 'active'],
  },
  listPrompts: { id: 'listPrompts', method: 'GET', path: '/orgs/{orgId}/prompts', idempotent: false },
  syncPrompts: {
    id: 'syncPrompts',
    method: 'PUT',
    path: '/orgs/{orgId}/brands/{brandId}/prompts',
    idempotent: true,
    fields: ['prompts', 'deactivate_missing'],
  },
  updatePrompt: {
    id: 'updatePrompt',
    method: 'PATCH',
    path: '/orgs/{orgId}/prompts/{promptId}',
    idempotent: true,
    fields: ['countries', 'platforms', 'tags', 'active', 'text'],
  },
  compareScores: {
    id: 'compareScores',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/scores/compare',
    idempotent: false,
    query: ['from_a', 'to_a', 'from_b', 'to_b', 'platform', 'country', 'metric', 'confidence'],
  },
  listBrandSummaries: {
    id: 'listBrandSummaries',
    method: 'GET',
    path: '/orgs/{orgId}/brands/summary',
    idempotent: false,
  },
  listMentions: {
    id: 'listMentions',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/mentions',
    idempotent: false,
  },
  listPromptResults: {
    id: 'listPromptResults',
    method: 'GET',
    path: '/orgs/{orgId}/prompts/{promptId}/results',
    idempotent: false,
  },
  listScores: {
    id: 'listScores',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/scores',
    idempotent: false,
  },
  listShareOfVoice: {
    id: 'listShareOfVoice',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/share-of-voice',
    idempotent: false,
  },
  listSources: {
    id: 'listSources',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/sources',
    idempotent: false,
  },
  listBreakdown: {
    id: 'listBreakdown',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/breakdown',
    idempotent: false,
  },
  listPages: {
    id: 'listPages',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/pages',
    idempotent: false,
  },
  getCoverage: {
    id: 'getCoverage',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/coverage',
    idempotent: false,
    query: ['subject', 'from', 'to', 'platform', 'country'],
  },
  listDiscoveredBrands: {
    id: 'listDiscoveredBrands',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/discovered-brands',
    idempotent: false,
  },
  getPrecision: {
    id: 'getPrecision',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/precision',
    idempotent: false,
    query: ['metric', 'from', 'to', 'platform', 'country', 'width'],
  },
  getChanges: {
    id: 'getChanges',
    method: 'GET',
    path: '/orgs/{orgId}/changes',
    idempotent: false,
    query: ['window_days', 'metric', 'country', 'fdr'],
  },
  createExperiment: {
    id: 'createExperiment',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/experiments',
    idempotent: true,
    fields: [
      'name',
      'metric',
      'starts_on',
      'treated',
      'control',
      'pre_days',
      'washout_days',
      'post_days',
      'platforms',
      'countries',
      'note',
    ],
  },
  getExperiment: {
    id: 'getExperiment',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/experiments/{experimentId}',
    idempotent: false,
  },
  listExperiments: {
    id: 'listExperiments',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/experiments',
    idempotent: false,
  },
  stopExperiment: {
    id: 'stopExperiment',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/experiments/{experimentId}/stop',
    idempotent: true,
  },
  getReprocess: {
    id: 'getReprocess',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/reprocess-requests/{jobId}',
    idempotent: false,
  },
  reprocessBrand: {
    id: 'reprocessBrand',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/reprocess-requests',
    idempotent: true,
    fields: ['from', 'to'],
  },
  getScan: {
    id: 'getScan',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}',
    idempotent: false,
  },
  getScanPreview: {
    id: 'getScanPreview',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/scan-preview',
    idempotent: false,
  },
  requestScan: {
    id: 'requestScan',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/scan-requests',
    idempotent: true,
  },
  getMethodology: { id: 'getMethodology', method: 'GET', path: '/methodology', idempotent: false },
  createSubscription: {
    id: 'createSubscription',
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/subscriptions',
    idempotent: true,
    fields: [
      'event_type',
      'org_id',
      'brand_id',
      'threshold',
      'direction',
      'country',
      'metric',
      'window_days',
      'confidence',
    ],
  },
  createWebhookEndpoint: {
    id: 'createWebhookEndpoint',
    method: 'POST',
    path: '/webhook-endpoints',
    idempotent: true,
    fields: ['url', 'description'],
  },
  deleteSubscription: {
    id: 'deleteSubscription',
    method: 'DELETE',
    path: '/webhook-endpoints/{endpointId}/subscriptions/{subscriptionId}',
    idempotent: true,
  },
  deleteWebhookEndpoint: {
    id: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/webhook-endpoints/{endpointId}',
    idempotent: true,
  },
  listDeliveries: {
    id: 'listDeliveries',
    method: 'GET',
    path: '/webhook-endpoints/{endpointId}/deliveries',
    idempotent: false,
  },
  listSubscriptions: {
    id: 'listSubscriptions',
    method: 'GET',
    path: '/webhook-endpoints/{endpointId}/subscriptions',
    idempotent: false,
  },
  listWebhookEndpoints: {
    id: 'listWebhookEndpoints',
    method: 'GET',
    path: '/webhook-endpoints',
    idempotent: false,
  },
  recoverDeliveries: {
    id: 'recoverDeliveries',
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/recover',
    idempotent: true,
    fields: ['since'],
  },
  replayDelivery: {
    id: 'replayDelivery',
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay',
    idempotent: true,
  },
  rotateWebhookSecret: {
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/rotate-secret',
    idempotent: true,
  },
  testWebhookEndpoint: {
    id: 'testWebhookEndpoint',
    method: 'POST',
    path: '/webhook-endpoints/{endpointId}/test',
    idempotent: true,
  },
  updateWebhookEndpoint: {
    id: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/webhook-endpoints/{endpointId}',
    idempotent: true,
    fields: ['url', 'description'],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof table;

export abstract class Operations {
  protected abstract call<T>(
    operation: Operation,
    params: object,
    body: unknown,
    options: WriteOptions,
  ): ApiPromise<T>;
  protected abstract list<T>(operation: Operation, input: object, options: ListOptions): List<T>;

  /**
   * Read the key.
   *
   * Describes the key that the request is sent with: its scopes, allowance and quota. It is charged like every read. `X-RateLimit-Remaining` of any response has the rest of the minute.
   *
   * GET /key.
   */
  getKey(options: CallOptions = {}): ApiPromise<KeyIntrospection> {
    return this.call(table.getKey, {}, undefined, options);
  }

  /**
   * Read an organisation.
   *
   * The tier, its limits and how much of each is used. Prompts and countries count active prompts of brands that are not archived. The counts of scans are null while scans are unavailable.
   *
   * GET /orgs/{orgId}.
   */
  getOrg(params: GetOrgInput, options: CallOptions = {}): ApiPromise<OrganisationDetail> {
    return this.call(table.getOrg, params, undefined, options);
  }

  /**
   * List organisations.
   *
   * One organisation for an organisation key, every linked organisation for a partner key. Ordered by `id`. An empty page for a partner without links.
   *
   * GET /orgs.
   */
  listOrgs(input: ListOrgsInput = {}, options: ListOptions = {}): List<Organisation> {
    return this.list(table.listOrgs, input, options);
  }

  /**
   * Update a link.
   *
   * Replaces the reference of this link; `null` removes it. It appears as `external_ref` of the organisation and in webhooks. Other partners have references of their own.
   *
   * PATCH /orgs/{orgId}/link. Partner keys only.
   */
  updateLink(
    params: UpdateLinkInput,
    body: UpdateLinkBody,
    options: WriteOptions = {},
  ): ApiPromise<Organisation> {
    return this.call(table.updateLink, params, body, options);
  }

  /**
   * Create a property.
   *
   * 1. Checks, which write nothing: the domain and `external_ref` are new, and the limits of brands and countries suffice.
   * 2. Creates the brand.
   * 3. Links each competitor in turn, at most 50. One of the organisation with the same domain is reused with its stored name.
   *
   * A refused competitor does not undo the brand. The error then has `details.brand_id` and the outcome of each competitor. Link the others with `linkCompetitor`; do not repeat this request. `markets` are checked and returned, not stored. Nothing is measured before the brand has a prompt.
   *
   * POST /orgs/{orgId}/properties.
   */
  createProperty(
    params: CreatePropertyInput,
    body: CreatePropertyBody,
    options: WriteOptions = {},
  ): ApiPromise<CreatedProperty> {
    return this.call(table.createProperty, params, body, options);
  }

  /**
   * Read a brand.
   *
   * An own brand with its competitors, or a competitor. `last_scan_changed_at` moves with every change of the results of the brand, so compare it before you read results again.
   *
   * GET /orgs/{orgId}/brands/{brandId}.
   */
  getBrand(params: GetBrandInput, options: CallOptions = {}): ApiPromise<BrandDetail> {
    return this.call(table.getBrand, params, undefined, options);
  }

  /**
   * Link a competitor.
   *
   * The competitor is searched for from the next unit on, and in stored answers after `reprocessBrand`. One of the organisation with the same domain is reused and keeps its name, aliases and match rules. It counts towards the limit of competitors. A competitor that is already linked is a `conflict`; the domain of the own brand is `competitor_is_self`.
   *
   * POST /orgs/{orgId}/brands/{brandId}/competitors.
   */
  linkCompetitor(
    params: LinkCompetitorInput,
    body: LinkCompetitorBody,
    options: WriteOptions = {},
  ): ApiPromise<LinkedCompetitor> {
    return this.call(table.linkCompetitor, params, body, options);
  }

  /**
   * List brands.
   *
   * Own brands and competitors, unless `is_own` selects one kind. Ordered by `created_at`, then `id`. Archived brands are omitted; `getBrand` reads them.
   *
   * GET /orgs/{orgId}/brands.
   */
  listBrands(input: ListBrandsInput, options: ListOptions = {}): List<Brand> {
    return this.list(table.listBrands, input, options);
  }

  /**
   * Unlink a competitor.
   *
   * The competitor is no longer searched for in answers about this brand, and its place under the limit is free. The competitor itself, its other links and earlier results stay. Answers that were read while it was tracked do not list it as a discovered brand until you reprocess the brand. A competitor that is not linked is `not_found`. Archived brands accept it.
   *
   * DELETE /orgs/{orgId}/brands/{brandId}/competitors/{competitorId}.
   */
  unlinkCompetitor(params: UnlinkCompetitorInput, options: WriteOptions = {}): ApiPromise<Deleted> {
    return this.call(table.unlinkCompetitor, params, undefined, options);
  }

  /**
   * Update a brand.
   *
   * Omitted fields stay as they are. Answers are read with the new identity from the next unit on; `reprocessBrand` reads stored answers with it. A competitor changes for every own brand that it is linked to. Archived brands accept it. For a competitor, `geography` and `external_ref` are refused with `own_brand_only`.
   *
   * PATCH /orgs/{orgId}/brands/{brandId}.
   */
  updateBrand(
    params: UpdateBrandInput,
    body: UpdateBrandBody,
    options: WriteOptions = {},
  ): ApiPromise<BrandDetail> {
    return this.call(table.updateBrand, params, body, options);
  }

  /**
   * Create a prompt.
   *
   * From the next scan on, the prompt is put to each of its platforms in each of its countries. While active it counts towards the limits of prompts and countries. An active prompt with the same text is a `conflict`; case and surrounding spaces do not count. Archived brands refuse it. The text cannot be changed later.
   *
   * POST /orgs/{orgId}/brands/{brandId}/prompts.
   */
  createPrompt(
    params: CreatePromptInput,
    body: CreatePromptBody,
    options: WriteOptions = {},
  ): ApiPromise<Prompt> {
    return this.call(table.createPrompt, params, body, options);
  }

  /**
   * List prompts.
   *
   * Prompts of all own brands, active and inactive. Ordered by `created_at`, then `id`. Filters are combined.
   *
   * GET /orgs/{orgId}/prompts.
   */
  listPrompts(input: ListPromptsInput, options: ListOptions = {}): List<Prompt> {
    return this.list(table.listPrompts, input, options);
  }

  /**
   * Sync prompts.
   *
   * A sync deactivates every active prompt of the brand that `prompts` does not list, and an empty list deactivates all. `deactivate_missing: false` prevents that.
   *
   * `prompts` has at most 1000 rows and is the desired state. After the deactivations, the rows are applied in order. A text that the brand lacks is created, an inactive one reactivated, an active one updated.
   *
   * An invalid row or a text twice refuses the whole list with `400`. Otherwise each row is applied on its own. A refused row, such as one above a limit, is `failed` with its `error` in a `200`, and the others stay applied, so read `summary.failed`. Platforms and tags that a row omits stay as they are on an existing prompt. Prompts are never deleted.
   *
   * PUT /orgs/{orgId}/brands/{brandId}/prompts.
   */
  syncPrompts(
    params: SyncPromptsInput,
    body: SyncPromptsBody,
    options: WriteOptions = {},
  ): ApiPromise<PromptSyncResult> {
    return this.call(table.syncPrompts, params, body, options);
  }

  /**
   * Update a prompt.
   *
   * Omitted fields stay as they are; a list replaces the stored one. `active: true` reactivates the prompt and is checked like a creation. `active: false` frees its place under the limits and is always accepted, for an archived brand only as the sole field. A change counts from the next scan on.
   *
   * PATCH /orgs/{orgId}/prompts/{promptId}.
   */
  updatePrompt(
    params: UpdatePromptInput,
    body: UpdatePromptBody,
    options: WriteOptions = {},
  ): ApiPromise<Prompt> {
    return this.call(table.updatePrompt, params, body, options);
  }

  /**
   * Compare two windows.
   *
   * Compares the same prompts: only cells (prompt, country, platform) with an answer in both windows count, for sentiment those with a sentiment in both. The difference of a prompt is the mean of those of its cells. The difference is the mean over prompts, with the paired t interval; a share of voice has the interval of the jackknife over prompts. Each window has at most 92 days, and either may be the earlier one. They must not share a day. Both dates of a window are sent together.
   *
   * GET /orgs/{orgId}/brands/{brandId}/scores/compare.
   */
  compareScores(params: CompareScoresInput, options: CallOptions = {}): ApiPromise<ScoreComparison> {
    return this.call(table.compareScores, params, undefined, options);
  }

  /**
   * List brand summaries.
   *
   * Own brands that are not archived, ordered by `id`. The figures are those of the latest day over all markets; that day can differ between brands. Poll this list: read the results of a brand again only if its `changed_at` differs.
   *
   * GET /orgs/{orgId}/brands/summary.
   */
  listBrandSummaries(input: ListBrandSummariesInput, options: ListOptions = {}): List<BrandSummary> {
    return this.list(table.listBrandSummaries, input, options);
  }

  /**
   * List mentions.
   *
   * One row per finalised unit of all prompts of the brand, inactive ones included. It says whether and how the answer mentions the own brand. Ordered by `run_date`, `finalized_at` and `id`, newest first. Meant for bulk reads: up to 1000 rows a page. Every page shows what was final at the first page; if the results change, the cursor is `stale`.
   *
   * GET /orgs/{orgId}/brands/{brandId}/mentions.
   */
  listMentions(input: ListMentionsInput, options: ListOptions = {}): List<Mention> {
    return this.list(table.listMentions, input, options);
  }

  /**
   * List prompt results.
   *
   * One result per unit, with the text of the answer, its sources and the tracked brands. Ordered by `run_date`, `finalized_at` and `id`, newest first. Units that failed have no result. Every page shows what was final at the first page; if the results change, the cursor is `stale`.
   *
   * GET /orgs/{orgId}/prompts/{promptId}/results.
   */
  listPromptResults(input: ListPromptResultsInput, options: ListOptions = {}): List<PromptResult> {
    return this.list(table.listPromptResults, input, options);
  }

  /**
   * List scores.
   *
   * Without `country` the rows are those of the series over all markets (`country: null`), not one row for each market. One row for each day with results, newest first.
   *
   * A row of a `window` of 7 or 28 days pools all answers of the days up to its `run_date`. It is the mean over the cells (prompt, country, platform) of the mean of each cell.
   *
   * GET /orgs/{orgId}/brands/{brandId}/scores.
   */
  listScores(input: ListScoresInput, options: ListOptions = {}): List<Score> {
    return this.list(table.listScores, input, options);
  }

  /**
   * List share of voice.
   *
   * One row per day for the own brand and each competitor. Ordered by `run_date` (newest first), `rank` and `brand_id`. `platform` and `country` select the answers that count. For a prompt, platform, country and day only the latest answer counts.
   *
   * GET /orgs/{orgId}/brands/{brandId}/share-of-voice.
   */
  listShareOfVoice(input: ListShareOfVoiceInput, options: ListOptions = {}): List<ShareOfVoice> {
    return this.list(table.listShareOfVoice, input, options);
  }

  /**
   * List cited domains.
   *
   * One row per domain, counted over the whole window. Ordered by `citations` (highest first), then `domain`; with `gap=true` by `units_gap`. Only links that answers cite count; every answer counts, also repeats of a day. Every page shows what was final at the first page; if the results change, the cursor is `stale`.
   *
   * GET /orgs/{orgId}/brands/{brandId}/sources.
   */
  listSources(input: ListSourcesInput, options: ListOptions = {}): List<Source> {
    return this.list(table.listSources, input, options);
  }

  /**
   * List a breakdown.
   *
   * One row for each slice with a unit, over the whole window or by day or week. All answers of the window count, repeats of a day included. A figure is the mean over the cells (prompt, country, platform) of the slice, the share of voice a ratio of counts. Tags, texts and names are those of now; inactive prompts keep their rows. Ordered by `key`, then `date`. If the results change, the cursor is `stale`.
   *
   * GET /orgs/{orgId}/brands/{brandId}/breakdown.
   */
  listBreakdown(input: ListBreakdownInput, options: ListOptions = {}): List<BreakdownRow> {
    return this.list(table.listBreakdown, input, options);
  }

  /**
   * List cited pages.
   *
   * One row per page, counted over the whole window. Ordered by `units_cited` (highest first), then `url`; with `gap=true` by `units_gap` instead. Only links that answers cite count; every answer counts, also repeats of a day. If the results change, the cursor is `stale`.
   *
   * GET /orgs/{orgId}/brands/{brandId}/pages.
   */
  listPages(input: ListPagesInput, options: ListOptions = {}): List<CitedUrl> {
    return this.list(table.listPages, input, options);
  }

  /**
   * Estimate what is unseen.
   *
   * Estimates how many brands, domains or pages no answer has shown yet, from those that only one or two answers have shown. Returns the coverage of the answers, and the total that exists at least. A name that is read wrongly occurs once and makes the total too large.
   *
   * GET /orgs/{orgId}/brands/{brandId}/coverage.
   */
  getCoverage(params: GetCoverageInput, options: CallOptions = {}): ApiPromise<Coverage> {
    return this.call(table.getCoverage, params, undefined, options);
  }

  /**
   * List untracked brands.
   *
   * Brands in answers about an own brand that are not tracked. One row per name that answers present, counted over the whole window; every answer with a stored text counts. A tracked brand never appears, from the moment it is linked. To track a name, link it as a competitor and reprocess the brand: its history is then complete. Ordered by `units_mentioned` (highest first), then `key`. If the results change, the cursor is `stale`.
   *
   * GET /orgs/{orgId}/brands/{brandId}/discovered-brands.
   */
  listDiscoveredBrands(input: ListDiscoveredBrandsInput, options: ListOptions = {}): List<DiscoveredBrand> {
    return this.list(table.listDiscoveredBrands, input, options);
  }

  /**
   * Read the precision.
   *
   * Separates the variance of answers by what causes it: prompts, strata (a platform in a market), both together, and repeats. It gives the interval of the figure, the smallest change that can be found, and the effect of more prompts or repeats. The window has at most 92 days, both ends counted.
   *
   * GET /orgs/{orgId}/brands/{brandId}/precision.
   */
  getPrecision(params: GetPrecisionInput, options: CallOptions = {}): ApiPromise<Precision> {
    return this.call(table.getPrecision, params, undefined, options);
  }

  /**
   * Find changed brands.
   *
   * Compares each own brand that is not archived as compareScores does: the last 7 or 28 days against as many days before. Of many brands some seem to change by chance. Therefore the verdicts keep the share of false ones among all `up` and `down` at `fdr` (Benjamini and Hochberg). That holds for brands that do not move together. At most 500 brands, those with the newest results first. All rows are of one moment.
   *
   * GET /orgs/{orgId}/changes.
   */
  getChanges(params: GetChangesInput, options: CallOptions = {}): ApiPromise<Changes> {
    return this.call(table.getChanges, params, undefined, options);
  }

  /**
   * Register an experiment.
   *
   * Says in advance which prompts a change is for, which it is not for, and when it starts. The result compares how both arms changed, so that what reaches all prompts, such as a new model, does not count. An experiment cannot be changed. A brand has at most 50 that are not completed or stopped. Each arm has at least five prompts. Tags are resolved to prompts now; later changes of tags change nothing.
   *
   * POST /orgs/{orgId}/brands/{brandId}/experiments.
   */
  createExperiment(
    params: CreateExperimentInput,
    body: CreateExperimentBody,
    options: WriteOptions = {},
  ): ApiPromise<Experiment> {
    return this.call(table.createExperiment, params, body, options);
  }

  /**
   * Read an experiment.
   *
   * While it runs, `result` shows the effect with its interval. `verdict` and the p-values come at the end, because a reader who looks daily stops when chance suits.
   *
   * GET /orgs/{orgId}/brands/{brandId}/experiments/{experimentId}.
   */
  getExperiment(params: GetExperimentInput, options: CallOptions = {}): ApiPromise<Experiment> {
    return this.call(table.getExperiment, params, undefined, options);
  }

  /**
   * List experiments.
   *
   * Newest first. Nothing deletes an experiment, except the purge of its organisation.
   *
   * GET /orgs/{orgId}/brands/{brandId}/experiments.
   */
  listExperiments(input: ListExperimentsInput, options: ListOptions = {}): List<Experiment> {
    return this.list(table.listExperiments, input, options);
  }

  /**
   * Stop an experiment.
   *
   * For an experiment whose change was not made, or was undone. It keeps the result of its days up to now, and never has a verdict. For a completed or stopped one it returns `409 conflict`.
   *
   * POST /orgs/{orgId}/brands/{brandId}/experiments/{experimentId}/stop.
   */
  stopExperiment(params: StopExperimentInput, options: WriteOptions = {}): ApiPromise<Experiment> {
    return this.call(table.stopExperiment, params, undefined, options);
  }

  /**
   * Read a reprocess job.
   *
   * `status` goes from `queued` to `running`, then `completed` or `failed`. A day is replaced at once, so no list shows half a day. Poll every few seconds. Jobs that have ended are kept for 30 days.
   *
   * GET /orgs/{orgId}/brands/{brandId}/reprocess-requests/{jobId}.
   */
  getReprocess(params: GetReprocessInput, options: CallOptions = {}): ApiPromise<ReprocessJob> {
    return this.call(table.getReprocess, params, undefined, options);
  }

  /**
   * Read stored answers again.
   *
   * Queues a job and returns it; `getReprocess` reads its progress. A brand has one job at a time. The job uses the current name, aliases, match rules and competitors. It replaces the brand rows, scores, shares and source figures of the window, one day at a time. Answers and cited sources do not change, and no webhook is sent. Archived brands accept it.
   *
   * POST /orgs/{orgId}/brands/{brandId}/reprocess-requests.
   */
  reprocessBrand(
    params: ReprocessBrandInput,
    body: ReprocessBrandBody = {},
    options: WriteOptions = {},
  ): ApiPromise<ReprocessJob> {
    return this.call(table.reprocessBrand, params, body, options);
  }

  /**
   * Read a scan.
   *
   * `status` goes from `queued` to `running`, then `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled` (the brand was archived first). Results of finished units are readable before the scan ends. Poll every few seconds.
   *
   * GET /orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}.
   */
  getScan(params: GetScanInput, options: CallOptions = {}): ApiPromise<ScanJob> {
    return this.call(table.getScan, params, undefined, options);
  }

  /**
   * Preview a scan.
   *
   * Decides as `requestScan` by a key that may write, and queues nothing. A price is a setting of the installation for one unit, whatever its outcome.
   *
   * GET /orgs/{orgId}/brands/{brandId}/scan-preview.
   */
  getScanPreview(params: GetScanPreviewInput, options: CallOptions = {}): ApiPromise<ScanPreview> {
    return this.call(table.getScanPreview, params, undefined, options);
  }

  /**
   * Request a scan.
   *
   * Queues a scan of all active prompts of the brand, on each of their platforms in each of their countries. It uses a manual scan of the month, then a scan credit. Both are refunded if nothing was measured.
   *
   * While a scan of today (UTC) is queued or running, the refusal `scan_already_queued` names it and is as good as success. Poll `getScan`, compare `last_scan_changed_at`, or subscribe to `scan.completed`.
   *
   * POST /orgs/{orgId}/brands/{brandId}/scan-requests.
   */
  requestScan(params: RequestScanInput, options: WriteOptions = {}): ApiPromise<ScanRequest> {
    return this.call(table.requestScan, params, undefined, options);
  }

  /**
   * Read the methodology.
   *
   * Formulas, rules of detection, the settings of the running service, known limits and every version of the method. It is the same for every key.
   *
   * GET /methodology.
   */
  getMethodology(options: CallOptions = {}): ApiPromise<Methodology> {
    return this.call(table.getMethodology, {}, undefined, options);
  }

  /**
   * Create a subscription.
   *
   * An endpoint has at most 100 subscriptions. An equal one is a `conflict`. Events that occurred before are not sent.
   *
   * **Thresholds.** The side of a threshold (above or below) is kept per partner, brand, series, metric and threshold. All subscriptions of the partner share it, so a new subscription to a known threshold reports no crossing again. The first evaluation compares with the latest earlier run_date. A side is deleted 90 days after the last subscription that covers it.
   *
   * **Changes.** `score.changed` compares the last `window_days` days with the same number before, once for each brand and day with scans. It is sent if the change has at least the `confidence`. For the same brand, metric, market and window, an endpoint receives the next one `2 × window_days − 1` days later at the earliest. Then window a is free of the days before that change.
   *
   * POST /webhook-endpoints/{endpointId}/subscriptions. Partner keys only.
   */
  createSubscription(
    params: CreateSubscriptionInput,
    body: CreateSubscriptionBody,
    options: WriteOptions = {},
  ): ApiPromise<Subscription> {
    return this.call(table.createSubscription, params, body, options);
  }

  /**
   * Create an endpoint.
   *
   * The URL is https with a public host. A ping is sent at once; when the receiver returns 2xx, the endpoint becomes `active`. Events before its first success are not sent, also not later. Store `secret`: no other response has it, except a replay with the same `Idempotency-Key`. A partner has at most 100 endpoints.
   *
   * POST /webhook-endpoints. Partner keys only.
   */
  createWebhookEndpoint(
    body: CreateWebhookEndpointBody,
    options: WriteOptions = {},
  ): ApiPromise<WebhookEndpointWithSecret> {
    return this.call(table.createWebhookEndpoint, {}, body, options);
  }

  /**
   * Delete a subscription.
   *
   * Nothing new is sent for it. Deliveries that are already queued are sent; their `subscription_id` becomes null.
   *
   * DELETE /webhook-endpoints/{endpointId}/subscriptions/{subscriptionId}. Partner keys only.
   */
  deleteSubscription(params: DeleteSubscriptionInput, options: WriteOptions = {}): ApiPromise<Deleted> {
    return this.call(table.deleteSubscription, params, undefined, options);
  }

  /**
   * Delete an endpoint.
   *
   * Nothing is sent to it any more, waiting deliveries included. Its delivery log is no longer readable.
   *
   * DELETE /webhook-endpoints/{endpointId}. Partner keys only.
   */
  deleteWebhookEndpoint(params: DeleteWebhookEndpointInput, options: WriteOptions = {}): ApiPromise<Deleted> {
    return this.call(table.deleteWebhookEndpoint, params, undefined, options);
  }

  /**
   * List deliveries.
   *
   * One row per event and endpoint, with the count of its attempts and the outcome of the last one. Pings are included. Ordered by `created_at` and `id`, newest first. Deliveries are kept for 30 days. With `include=event` each row has the body of its event, for example for a receiver that runs without a public address.
   *
   * GET /webhook-endpoints/{endpointId}/deliveries. Partner keys only.
   */
  listDeliveries(input: ListDeliveriesInput, options: ListOptions = {}): List<Delivery> {
    return this.list(table.listDeliveries, input, options);
  }

  /**
   * List subscriptions.
   *
   * The subscriptions of all event types. Ordered by `created_at`, then `id`.
   *
   * GET /webhook-endpoints/{endpointId}/subscriptions. Partner keys only.
   */
  listSubscriptions(input: ListSubscriptionsInput, options: ListOptions = {}): List<Subscription> {
    return this.list(table.listSubscriptions, input, options);
  }

  /**
   * List endpoints.
   *
   * Pending, active, failing and disabled ones. Ordered by `id`. The signing secrets are never returned.
   *
   * GET /webhook-endpoints. Partner keys only.
   */
  listWebhookEndpoints(
    input: ListWebhookEndpointsInput = {},
    options: ListOptions = {},
  ): List<WebhookEndpoint> {
    return this.list(table.listWebhookEndpoints, input, options);
  }

  /**
   * Recover dead deliveries.
   *
   * Queues each delivery of the endpoint that is `dead` and was created at `since` or later, as `replayDelivery` does. Pings and deliveries of organisations that are no longer linked are omitted. For an endpoint that is not `active` the deliveries wait until a ping succeeds. It can be repeated: a delivery that waits, runs or has succeeded is not queued again.
   *
   * POST /webhook-endpoints/{endpointId}/recover. Partner keys only.
   */
  recoverDeliveries(
    params: RecoverDeliveriesInput,
    body: RecoverDeliveriesBody,
    options: WriteOptions = {},
  ): ApiPromise<DeliveryRecovery> {
    return this.call(table.recoverDeliveries, params, body, options);
  }

  /**
   * Replay a delivery.
   *
   * Queues the delivery again at once, with the same event id and a new series of attempts, whatever its status. Only an attempt in progress refuses it. For an endpoint that is not `active` it waits until a ping succeeds.
   *
   * POST /webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay. Partner keys only.
   */
  replayDelivery(params: ReplayDeliveryInput, options: WriteOptions = {}): ApiPromise<Delivery> {
    return this.call(table.replayDelivery, params, undefined, options);
  }

  /**
   * Rotate the secret.
   *
   * The new secret signs at once, and the old one also signs for 24 hours. A second rotation in that time ends the oldest secret at once. Store `secret`: no other response has it, except a replay with the same `Idempotency-Key`.
   *
   * POST /webhook-endpoints/{endpointId}/rotate-secret. Partner keys only.
   */
  rotateWebhookSecret(
    params: RotateWebhookSecretInput,
    options: WriteOptions = {},
  ): ApiPromise<WebhookEndpointWithSecret> {
    return this.call(table.rotateWebhookSecret, params, undefined, options);
  }

  /**
   * Test an endpoint.
   *
   * Sends `endpoint.ping`. A failed ping is not retried. The response is its delivery; read the outcome with `listDeliveries`. A ping that succeeds makes an endpoint `active` that was `pending_verification` or `failing`, and its waiting deliveries are sent.
   *
   * POST /webhook-endpoints/{endpointId}/test. Partner keys only.
   */
  testWebhookEndpoint(params: TestWebhookEndpointInput, options: WriteOptions = {}): ApiPromise<Delivery> {
    return this.call(table.testWebhookEndpoint, params, undefined, options);
  }

  /**
   * Update an endpoint.
   *
   * A new URL is verified like that of a new endpoint: `status` becomes `pending_verification`, a ping is sent, and other deliveries wait until it succeeds. Secret and subscriptions stay.
   *
   * PATCH /webhook-endpoints/{endpointId}. Partner keys only.
   */
  updateWebhookEndpoint(
    params: UpdateWebhookEndpointInput,
    body: UpdateWebhookEndpointBody,
    options: WriteOptions = {},
  ): ApiPromise<WebhookEndpoint> {
    return this.call(table.updateWebhookEndpoint, params, body, options);
  }
}
