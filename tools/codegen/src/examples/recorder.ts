import type { exampleIds, Operation } from '@bv/contract';

type ResourceName = keyof typeof exampleIds;

/** The resource whose id each path parameter has. */
const resources: Record<string, ResourceName> = {
  orgId: 'organisation',
  brandId: 'brand',
  competitorId: 'competitor',
  promptId: 'prompt',
  experimentId: 'experiment',
  endpointId: 'webhook endpoint',
  subscriptionId: 'subscription',
  deliveryId: 'delivery',
  partnerId: 'partner',
  keyId: 'key',
  webhookEventId: 'webhook event',
  deadEventId: 'dead-letter event',
};

/** An NDJSON body of one line is JSON. */
const contentTypes = { json: 'application/json', ndjson: 'application/x-ndjson' };

type Input = { query?: Record<string, string>; body?: unknown };

/** An API with the key or token that its calls send. */
type RecordedApi = { baseUrl: string; key: string; operations: readonly Operation[] };

/** Calls operations with the ids of the current resources, and keeps the last response of each operation. */
export class Recorder {
  readonly #ids = new Map<ResourceName, string>();
  /** The resource of each id that was current. */
  readonly resources = new Map<string, ResourceName>();
  readonly responses = new Map<string, unknown>();
  #writes = 0;
  readonly #api: RecordedApi;

  constructor(api: RecordedApi) {
    this.#api = api;
  }

  getId(resource: ResourceName): string {
    const id = this.#ids.get(resource);
    if (id === undefined) throw new Error(`no ${resource}`);
    return id;
  }

  setId(resource: ResourceName, id: string | undefined): void {
    if (id === undefined) throw new Error(`no ${resource}`);
    this.#ids.set(resource, id);
    this.resources.set(id, resource);
  }

  /** Returns `data` of the response. */
  async call<Data = { id: string }>(id: string, { query = {}, body }: Input = {}): Promise<Data> {
    const { baseUrl, key, operations } = this.#api;
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    const response = await fetch(
      `${baseUrl}${this.#path(operation)}?${new URLSearchParams(query).toString()}`,
      {
        method: operation.method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': contentTypes[operation.bodyKind] }),
          ...(operation.idempotent ? { 'idempotency-key': `example-${++this.#writes}` } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    );
    const envelope = (await response.json()) as { data: Data };
    if (!response.ok) throw new Error(`${id} returned ${response.status} ${JSON.stringify(envelope)}`);
    this.responses.set(id, envelope);
    return envelope.data;
  }

  /** Repeats the call until the data are as wanted. */
  async callUntil<Data>(id: string, isWanted: (data: Data) => boolean, input?: Input): Promise<Data> {
    const deadline = Date.now() + 120_000;
    for (;;) {
      const data = await this.call<Data>(id, input);
      if (isWanted(data)) return data;
      if (Date.now() > deadline) throw new Error(`${id} did not end: ${JSON.stringify(data)}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  #path({ id, path }: Operation): string {
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const jobs: Record<string, ResourceName> = { getScan: 'scan job', getReprocess: 'reprocess job' };
      const resource = name === 'jobId' ? jobs[id] : resources[name];
      if (resource === undefined) throw new Error(`${id} needs ${name}`);
      return this.getId(resource);
    });
  }
}
