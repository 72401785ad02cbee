import type { System } from './system.ts';

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- checks look into bodies of every shape
  body: any;
};

/** One call as its client saw it. `status` 0: no answer came, so whether it took effect is unknown. */
export type Seen = {
  name: string;
  startedAt: number;
  endedAt: number;
  status: number;
  code: string | null;
  retryAfter: string | null;
  /** The idempotency key it was sent under. */
  idempotencyKey?: string;
};

export type CallOptions = {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
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
): Promise<Answer> {
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

/** A call whose failure is part of the history, not an exception. */
export async function observe(
  history: Seen[],
  name: string,
  call: () => Promise<Answer>,
  sent: Pick<Seen, 'idempotencyKey'> = {},
): Promise<Answer | undefined> {
  const startedAt = performance.now();
  const answer = await call().catch(() => undefined);
  history.push({
    name,
    startedAt,
    endedAt: performance.now(),
    status: answer?.status ?? 0,
    code: answer?.body?.error?.code ?? null,
    retryAfter: answer?.headers.get('retry-after') ?? null,
    ...sent,
  });
  return answer;
}

export type Customer = { orgId: string; key: string; keyId: string };
export type Partner = { partnerId: string; key: string; keyId: string };
type KeyOptions = { scopes?: string[]; per_minute?: number; monthly_quota?: number };

const generous = { scopes: ['read', 'write'], per_minute: 1_000_000 };

/** Fails with what the operator was answered: without what is prepared no scenario says anything. */
export async function operated(
  system: System,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer['body']> {
  const answer = await system.operate(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

export async function createCustomer(
  system: System,
  options: { tier?: string; overrides?: unknown; key?: KeyOptions } = {},
): Promise<Customer> {
  const { tier = 'scale', overrides, key } = options;
  const org = await operated(system, 'POST', '/orgs', { name: 'Customer', tier, overrides });
  const minted = await operated(system, 'POST', `/orgs/${org.id}/keys`, { ...generous, ...key });
  return { orgId: org.id, key: minted.key, keyId: minted.id };
}

export async function createPartner(system: System, key: KeyOptions = {}): Promise<Partner> {
  const { id: partnerId } = await operated(system, 'POST', '/partners', { name: 'Partner' });
  const minted = await operated(system, 'POST', `/partners/${partnerId}/keys`, { ...generous, ...key });
  return { partnerId, key: minted.key, keyId: minted.id };
}

export async function link(system: System, partner: Partner, orgId: string, scope: string): Promise<void> {
  await operated(system, 'PUT', `/partners/${partner.partnerId}/links/${orgId}`, { scope });
}

/** An own brand with one prompt for each text. */
export async function createBrand(
  system: System,
  { orgId, key }: Customer,
  { name, texts = [], countries = ['US'] }: { name: string; texts?: string[]; countries?: string[] },
): Promise<{ brandId: string; promptIds: string[] }> {
  const domain = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}.com`;
  const brand = await expected(
    201,
    system.call('POST', `/orgs/${orgId}/properties`, { key, body: { name, domain } }),
  );
  const brandId: string = brand.body.data.id;
  const promptIds: string[] = [];
  for (const text of texts) {
    const path = `/orgs/${orgId}/brands/${brandId}/prompts`;
    const prompt = await expected(201, system.call('POST', path, { key, body: { text, countries } }));
    promptIds.push(prompt.body.data.id);
  }
  return { brandId, promptIds };
}

export async function expected(status: number, call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status} ${answer.text}`);
  return answer;
}
