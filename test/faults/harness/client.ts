export type ApiResponse = {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- checks look into bodies of every shape
  body: any;
};

/** One call as its client observed it. `status` 0: no response came, so whether it took effect is unknown. */
export type Observation = {
  name: string;
  startedAt: number;
  endedAt: number;
  status: number;
  code: string | null;
  retryAfter: string | null;
  /** The idempotency key it was sent with. */
  idempotencyKey?: string;
};

export type CallOptions = {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
};

/** A running product as a client, its operator and a checker of its tables reach it. */
export type Api = {
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  operate(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  simulate(body: unknown): Promise<void>;
  /** Rows of a query as superuser, without proxy and pooler. */
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Waits until every service is ready. Returns false after the timeout. */
  healthy(timeoutMs?: number): Promise<boolean>;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export async function request(
  url: string,
  method: string,
  { key, body, headers, timeoutMs = 30_000 }: CallOptions = {},
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

/** Makes a call and adds its result to the history. A failure does not throw. */
export async function observe(
  history: Observation[],
  name: string,
  call: () => Promise<ApiResponse>,
  sent: Pick<Observation, 'idempotencyKey'> = {},
): Promise<ApiResponse | undefined> {
  const startedAt = performance.now();
  const response = await call().catch(() => undefined);
  history.push({
    name,
    startedAt,
    endedAt: performance.now(),
    status: response?.status ?? 0,
    code: response?.body?.error?.code ?? null,
    retryAfter: response?.headers.get('retry-after') ?? null,
    ...sent,
  });
  return response;
}

export type Customer = { orgId: string; key: string; keyId: string };
export type Partner = { partnerId: string; key: string; keyId: string };
type KeyOptions = { scopes?: string[]; per_minute?: number; monthly_quota?: number };

const unlimited = { scopes: ['read', 'write'], per_minute: 1_000_000 };

/** Calls the operator API and returns `data`. Throws on an error response. */
export async function operateOrFail(
  api: Api,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse['body']> {
  const response = await api.operate(method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response.body.data;
}

export async function createCustomer(
  api: Api,
  options: { tier?: string; overrides?: unknown; key?: KeyOptions } = {},
): Promise<Customer> {
  const { tier = 'scale', overrides, key } = options;
  const org = await operateOrFail(api, 'POST', '/orgs', { name: 'Customer', tier, overrides });
  const created = await operateOrFail(api, 'POST', `/orgs/${org.id}/keys`, { ...unlimited, ...key });
  return { orgId: org.id, key: created.key, keyId: created.id };
}

export async function createPartner(api: Api, key: KeyOptions = {}): Promise<Partner> {
  const { id: partnerId } = await operateOrFail(api, 'POST', '/partners', { name: 'Partner' });
  const created = await operateOrFail(api, 'POST', `/partners/${partnerId}/keys`, {
    ...unlimited,
    ...key,
  });
  return { partnerId, key: created.key, keyId: created.id };
}

export async function link(api: Api, partner: Partner, orgId: string, scope: string): Promise<void> {
  await operateOrFail(api, 'PUT', `/partners/${partner.partnerId}/links/${orgId}`, { scope });
}

/** Creates an own brand with one prompt for each text. */
export async function createBrand(
  api: Api,
  { orgId, key }: Customer,
  { name, texts = [], countries = ['US'] }: { name: string; texts?: string[]; countries?: string[] },
): Promise<{ brandId: string; promptIds: string[] }> {
  const domain = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}.com`;
  const brand = await expectStatus(
    201,
    api.call('POST', `/orgs/${orgId}/properties`, { key, body: { name, domain } }),
  );
  const brandId: string = brand.body.data.id;
  const promptIds: string[] = [];
  for (const text of texts) {
    const path = `/orgs/${orgId}/brands/${brandId}/prompts`;
    const prompt = await expectStatus(201, api.call('POST', path, { key, body: { text, countries } }));
    promptIds.push(prompt.body.data.id);
  }
  return { brandId, promptIds };
}

const scannedCountries = ['US', 'DE', 'FR', 'GB'];

/** Requests one scan each of new brands, so that several run at once. Returns the job ids. */
export async function requestScans(
  api: Api,
  customer: Customer,
  marks: readonly string[],
): Promise<string[]> {
  const jobs: string[] = [];
  for (const name of marks) {
    const { brandId } = await createBrand(api, customer, {
      name,
      texts: [`${name}?`, `Is ${name} good?`],
      countries: scannedCountries,
    });
    const path = `/orgs/${customer.orgId}/brands/${brandId}/scan-requests`;
    const queued = await expectStatus(202, api.call('POST', path, customer));
    jobs.push(queued.body.data.job_id);
  }
  return jobs;
}

export async function expectStatus(status: number, call: Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await call;
  if (response.status !== status)
    throw new Error(`expected ${status}, got ${response.status} ${response.text}`);
  return response;
}
