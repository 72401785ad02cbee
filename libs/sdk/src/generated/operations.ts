// Generated from @bv/contract by `pnpm generate`; changes belong there.
/* oxlint-disable max-lines */
import type { List } from '../list.ts';
import type { CallOptions, ListOptions, Operation, WriteOptions } from '../options.ts';
import type {
  Brand,
  BrandDetail,
  BrandSummary,
  CompareScoresInput,
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
  GetBrandInput,
  GetOrgInput,
  GetReprocessInput,
  GetScanInput,
  LinkCompetitorBody,
  LinkCompetitorInput,
  LinkedCompetitor,
  ListBrandSummariesInput,
  ListBrandsInput,
  ListDeliveriesInput,
  ListMentionsInput,
  ListOrgsInput,
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
  Prompt,
  PromptResult,
  PromptSyncResult,
  ReplayDeliveryInput,
  ReprocessBrandBody,
  ReprocessBrandInput,
  ReprocessJob,
  RequestScanInput,
  RotateWebhookSecretInput,
  ScanJob,
  ScanRequest,
  Score,
  ScoreComparison,
  ShareOfVoice,
  Source,
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
  getOrg: { id: 'getOrg', method: 'GET', path: '/orgs/{orgId}', idempotent: false },
  listOrgs: { id: 'listOrgs', method: 'GET', path: '/orgs', idempotent: false },
  updateLink: { id: 'updateLink', method: 'PATCH', path: '/orgs/{orgId}/link', idempotent: true },
  createProperty: {
    id: 'createProperty',
    method: 'POST',
    path: '/orgs/{orgId}/properties',
    idempotent: true,
  },
  getBrand: { id: 'getBrand', method: 'GET', path: '/orgs/{orgId}/brands/{brandId}', idempotent: false },
  linkCompetitor: {
    id: 'linkCompetitor',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/competitors',
    idempotent: true,
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
  },
  createPrompt: {
    id: 'createPrompt',
    method: 'POST',
    path: '/orgs/{orgId}/brands/{brandId}/prompts',
    idempotent: true,
  },
  listPrompts: { id: 'listPrompts', method: 'GET', path: '/orgs/{orgId}/prompts', idempotent: false },
  syncPrompts: {
    id: 'syncPrompts',
    method: 'PUT',
    path: '/orgs/{orgId}/brands/{brandId}/prompts',
    idempotent: true,
  },
  updatePrompt: {
    id: 'updatePrompt',
    method: 'PATCH',
    path: '/orgs/{orgId}/prompts/{promptId}',
    idempotent: true,
  },
  compareScores: {
    id: 'compareScores',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/scores/compare',
    idempotent: false,
    query: ['from_a', 'to_a', 'from_b', 'to_b', 'platform', 'country', 'metric'],
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
  },
  getScan: {
    id: 'getScan',
    method: 'GET',
    path: '/orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}',
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
  },
  createWebhookEndpoint: {
    id: 'createWebhookEndpoint',
    method: 'POST',
    path: '/webhook-endpoints',
    idempotent: true,
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
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof table;

export abstract class Operations {
  protected abstract call<T>(
    operation: Operation,
    params: object,
    body: unknown,
    options: WriteOptions,
  ): Promise<T>;
  protected abstract list<T>(operation: Operation, input: object, options: ListOptions): List<T>;

  /** Read an organisation with its use of the plan limits. GET /orgs/{orgId}. */
  getOrg(params: GetOrgInput, options: CallOptions = {}): Promise<OrganisationDetail> {
    return this.call(table.getOrg, params, undefined, options);
  }

  /** List the organisations the key reaches, by id. GET /orgs. */
  listOrgs(input: ListOrgsInput = {}, options: ListOptions = {}): List<Organisation> {
    return this.list(table.listOrgs, input, options);
  }

  /** Set the partner's own reference of a linked organisation. PATCH /orgs/{orgId}/link. Partner keys only. */
  updateLink(
    params: UpdateLinkInput,
    body: UpdateLinkBody,
    options: WriteOptions = {},
  ): Promise<Organisation> {
    return this.call(table.updateLink, params, body, options);
  }

  /** Provision an own brand together with its competitors. POST /orgs/{orgId}/properties. */
  createProperty(
    params: CreatePropertyInput,
    body: CreatePropertyBody,
    options: WriteOptions = {},
  ): Promise<CreatedProperty> {
    return this.call(table.createProperty, params, body, options);
  }

  /** Read a brand, archived or not. GET /orgs/{orgId}/brands/{brandId}. */
  getBrand(params: GetBrandInput, options: CallOptions = {}): Promise<BrandDetail> {
    return this.call(table.getBrand, params, undefined, options);
  }

  /** Link a competitor to an own brand. POST /orgs/{orgId}/brands/{brandId}/competitors. */
  linkCompetitor(
    params: LinkCompetitorInput,
    body: LinkCompetitorBody,
    options: WriteOptions = {},
  ): Promise<LinkedCompetitor> {
    return this.call(table.linkCompetitor, params, body, options);
  }

  /** List brands, own and competitor rows; archived ones are omitted. GET /orgs/{orgId}/brands. */
  listBrands(input: ListBrandsInput, options: ListOptions = {}): List<Brand> {
    return this.list(table.listBrands, input, options);
  }

  /** Unlink a competitor from an own brand; its history stays. DELETE /orgs/{orgId}/brands/{brandId}/competitors/{competitorId}. */
  unlinkCompetitor(params: UnlinkCompetitorInput, options: WriteOptions = {}): Promise<Deleted> {
    return this.call(table.unlinkCompetitor, params, undefined, options);
  }

  /** Update the name, aliases, match rules and reference of a brand, own or competitor. PATCH /orgs/{orgId}/brands/{brandId}. */
  updateBrand(
    params: UpdateBrandInput,
    body: UpdateBrandBody,
    options: WriteOptions = {},
  ): Promise<BrandDetail> {
    return this.call(table.updateBrand, params, body, options);
  }

  /** Create a prompt under an own brand. POST /orgs/{orgId}/brands/{brandId}/prompts. */
  createPrompt(
    params: CreatePromptInput,
    body: CreatePromptBody,
    options: WriteOptions = {},
  ): Promise<Prompt> {
    return this.call(table.createPrompt, params, body, options);
  }

  /** List the prompts of an organisation. GET /orgs/{orgId}/prompts. */
  listPrompts(input: ListPromptsInput, options: ListOptions = {}): List<Prompt> {
    return this.list(table.listPrompts, input, options);
  }

  /** Replace the prompts of an own brand by a list; prompts that it lacks are deactivated. PUT /orgs/{orgId}/brands/{brandId}/prompts. */
  syncPrompts(
    params: SyncPromptsInput,
    body: SyncPromptsBody,
    options: WriteOptions = {},
  ): Promise<PromptSyncResult> {
    return this.call(table.syncPrompts, params, body, options);
  }

  /** Update, deactivate or reactivate a prompt. PATCH /orgs/{orgId}/prompts/{promptId}. */
  updatePrompt(
    params: UpdatePromptInput,
    body: UpdatePromptBody,
    options: WriteOptions = {},
  ): Promise<Prompt> {
    return this.call(table.updatePrompt, params, body, options);
  }

  /** Compare a figure of an own brand in two windows, with an interval and a verdict. GET /orgs/{orgId}/brands/{brandId}/scores/compare. */
  compareScores(params: CompareScoresInput, options: CallOptions = {}): Promise<ScoreComparison> {
    return this.call(table.compareScores, params, undefined, options);
  }

  /** List one row per own brand: latest score, change, share of voice, freshness. GET /orgs/{orgId}/brands/summary. */
  listBrandSummaries(input: ListBrandSummariesInput, options: ListOptions = {}): List<BrandSummary> {
    return this.list(table.listBrandSummaries, input, options);
  }

  /** List mention rows of an own brand, one per finalised run unit. GET /orgs/{orgId}/brands/{brandId}/mentions. */
  listMentions(input: ListMentionsInput, options: ListOptions = {}): List<Mention> {
    return this.list(table.listMentions, input, options);
  }

  /** List the finalised results of a prompt. GET /orgs/{orgId}/prompts/{promptId}/results. */
  listPromptResults(input: ListPromptResultsInput, options: ListOptions = {}): List<PromptResult> {
    return this.list(table.listPromptResults, input, options);
  }

  /** List the scores of an own brand: the all-market series, or that of one country. GET /orgs/{orgId}/brands/{brandId}/scores. */
  listScores(input: ListScoresInput, options: ListOptions = {}): List<Score> {
    return this.list(table.listScores, input, options);
  }

  /** List the share of voice of an own brand and its tracked competitors. GET /orgs/{orgId}/brands/{brandId}/share-of-voice. */
  listShareOfVoice(input: ListShareOfVoiceInput, options: ListOptions = {}): List<ShareOfVoice> {
    return this.list(table.listShareOfVoice, input, options);
  }

  /** List the domains that answers about an own brand cite. GET /orgs/{orgId}/brands/{brandId}/sources. */
  listSources(input: ListSourcesInput, options: ListOptions = {}): List<Source> {
    return this.list(table.listSources, input, options);
  }

  /** Read the state of a reprocess job; jobs that have ended are kept for 30 days. GET /orgs/{orgId}/brands/{brandId}/reprocess-requests/{jobId}. */
  getReprocess(params: GetReprocessInput, options: CallOptions = {}): Promise<ReprocessJob> {
    return this.call(table.getReprocess, params, undefined, options);
  }

  /** Read the stored answers of a window again with the current identity of an own brand. POST /orgs/{orgId}/brands/{brandId}/reprocess-requests. */
  reprocessBrand(
    params: ReprocessBrandInput,
    body: ReprocessBrandBody = {},
    options: WriteOptions = {},
  ): Promise<ReprocessJob> {
    return this.call(table.reprocessBrand, params, body, options);
  }

  /** Read the state of a scan job. GET /orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}. */
  getScan(params: GetScanInput, options: CallOptions = {}): Promise<ScanJob> {
    return this.call(table.getScan, params, undefined, options);
  }

  /** Request an on-demand scan of an own brand. POST /orgs/{orgId}/brands/{brandId}/scan-requests. */
  requestScan(params: RequestScanInput, options: WriteOptions = {}): Promise<ScanRequest> {
    return this.call(table.requestScan, params, undefined, options);
  }

  /** Read how results are measured and computed. GET /methodology. */
  getMethodology(options: CallOptions = {}): Promise<Methodology> {
    return this.call(table.getMethodology, {}, undefined, options);
  }

  /** Subscribe an endpoint to one event type. POST /webhook-endpoints/{endpointId}/subscriptions. Partner keys only. */
  createSubscription(
    params: CreateSubscriptionInput,
    body: CreateSubscriptionBody,
    options: WriteOptions = {},
  ): Promise<Subscription> {
    return this.call(table.createSubscription, params, body, options);
  }

  /** Register a webhook endpoint; the response shows its secret once. POST /webhook-endpoints. Partner keys only. */
  createWebhookEndpoint(
    body: CreateWebhookEndpointBody,
    options: WriteOptions = {},
  ): Promise<WebhookEndpointWithSecret> {
    return this.call(table.createWebhookEndpoint, {}, body, options);
  }

  /** Delete a subscription; deliveries already queued from it are kept. DELETE /webhook-endpoints/{endpointId}/subscriptions/{subscriptionId}. Partner keys only. */
  deleteSubscription(params: DeleteSubscriptionInput, options: WriteOptions = {}): Promise<Deleted> {
    return this.call(table.deleteSubscription, params, undefined, options);
  }

  /** Delete an endpoint with its subscriptions. DELETE /webhook-endpoints/{endpointId}. Partner keys only. */
  deleteWebhookEndpoint(params: DeleteWebhookEndpointInput, options: WriteOptions = {}): Promise<Deleted> {
    return this.call(table.deleteWebhookEndpoint, params, undefined, options);
  }

  /** Read the delivery log of an endpoint, newest first. GET /webhook-endpoints/{endpointId}/deliveries. Partner keys only. */
  listDeliveries(input: ListDeliveriesInput, options: ListOptions = {}): List<Delivery> {
    return this.list(table.listDeliveries, input, options);
  }

  /** List the subscriptions of an endpoint. GET /webhook-endpoints/{endpointId}/subscriptions. Partner keys only. */
  listSubscriptions(input: ListSubscriptionsInput, options: ListOptions = {}): List<Subscription> {
    return this.list(table.listSubscriptions, input, options);
  }

  /** List webhook endpoints by id. GET /webhook-endpoints. Partner keys only. */
  listWebhookEndpoints(
    input: ListWebhookEndpointsInput = {},
    options: ListOptions = {},
  ): List<WebhookEndpoint> {
    return this.list(table.listWebhookEndpoints, input, options);
  }

  /** Send a delivery again. POST /webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay. Partner keys only. */
  replayDelivery(params: ReplayDeliveryInput, options: WriteOptions = {}): Promise<Delivery> {
    return this.call(table.replayDelivery, params, undefined, options);
  }

  /** Issue a new secret; deliveries carry both signatures for 24 hours. POST /webhook-endpoints/{endpointId}/rotate-secret. Partner keys only. */
  rotateWebhookSecret(
    params: RotateWebhookSecretInput,
    options: WriteOptions = {},
  ): Promise<WebhookEndpointWithSecret> {
    return this.call(table.rotateWebhookSecret, params, undefined, options);
  }

  /** Send a test ping to an endpoint. POST /webhook-endpoints/{endpointId}/test. Partner keys only. */
  testWebhookEndpoint(params: TestWebhookEndpointInput, options: WriteOptions = {}): Promise<Delivery> {
    return this.call(table.testWebhookEndpoint, params, undefined, options);
  }

  /** Change the URL or the description of an endpoint. PATCH /webhook-endpoints/{endpointId}. Partner keys only. */
  updateWebhookEndpoint(
    params: UpdateWebhookEndpointInput,
    body: UpdateWebhookEndpointBody,
    options: WriteOptions = {},
  ): Promise<WebhookEndpoint> {
    return this.call(table.updateWebhookEndpoint, params, body, options);
  }
}
