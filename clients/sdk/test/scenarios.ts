/** Reads the scenarios of all SDKs, `clients/sdk-scenarios`. A field that is not known here is an error. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type ExpectedRequest = {
  method: string;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  idempotency_key?: string;
  after_ms?: number;
};

export type ScriptedResponse = {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  cut?: boolean;
  close?: boolean;
  hang?: boolean;
  retry_after_date_seconds?: number;
};

export type ExpectedError = {
  kind: string;
  status?: number;
  code?: string;
  details?: unknown;
  request_id?: string;
  retry_after_seconds?: number;
  message_contains?: string[];
  message_lacks?: string[];
  partial_failure?: object;
};

export type Expected = {
  result?: unknown;
  result_contains?: object;
  response?: { status: number; request_id?: string; replayed?: boolean; rate_limit?: object };
  error?: ExpectedError;
};

export type CallSettings = {
  max_retries?: number;
  timeout_ms?: number;
  headers?: Record<string, string>;
  idempotency_key?: string;
  on_stale?: 'restart' | 'fail';
  max_restarts?: number;
  poll_interval_ms?: number;
};

export type ScenarioCall = {
  operation: string;
  params?: object;
  body?: unknown;
  options?: CallSettings;
  read?: 'all' | 'first_row' | 'page';
  abort_at_request?: number;
  expected: Expected;
};

export type ClientSettings = {
  base_url?: 'closed' | 'without_version';
  from_environment?: boolean;
  max_retries?: number;
  timeout_ms?: number;
  attempt_timeout_ms?: number;
  headers?: Record<string, string>;
};

export type ExchangeScenario = {
  id: string;
  title: string;
  client?: ClientSettings;
  exchange: { request: ExpectedRequest; response: ScriptedResponse }[];
  calls: ScenarioCall[];
};

export type WebhookScenario = {
  id: string;
  title: string;
  secrets: string[];
  now: number;
  delivery: { headers: Record<string, string>; body: string };
  expected: { event?: object; refusal?: string; invalid_argument?: true };
};

/** The fields of each part of a scenario. */
const known = {
  scenario: 'id title client exchange calls',
  client: 'base_url from_environment max_retries timeout_ms attempt_timeout_ms headers',
  request: 'method path query body headers idempotency_key after_ms',
  response: 'status headers body text cut close hang retry_after_date_seconds',
  call: 'operation params body options read abort_at_request expected',
  options: 'max_retries timeout_ms headers idempotency_key on_stale max_restarts poll_interval_ms',
  expected: 'result result_contains response error',
  error:
    'kind status code details request_id retry_after_seconds message_contains message_lacks partial_failure',
};

function check(kind: keyof typeof known, id: string, value: object = {}): void {
  const unknown = Object.keys(value).filter((name) => !known[kind].split(' ').includes(name));
  if (unknown.length > 0) throw new Error(`${id}: unknown fields of ${kind}: ${unknown.join(', ')}`);
}

function read(name: string): { scenarios: unknown; objects?: Record<string, unknown> } {
  const path = join(import.meta.dirname, '../../sdk-scenarios', `${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof read>;
}

/** Replaces `@name` by the object of that name. */
function resolve(value: unknown, objects: Record<string, unknown>): unknown {
  if (typeof value === 'string' && value.startsWith('@')) {
    if (!(value.slice(1) in objects)) throw new Error(`no object ${value}`);
    return objects[value.slice(1)];
  }
  if (Array.isArray(value)) return value.map((member) => resolve(member, objects));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolve(field, objects)]));
}

export function readExchanges(): ExchangeScenario[] {
  const { scenarios, objects = {} } = read('exchanges');
  const list = resolve(scenarios, objects) as ExchangeScenario[];
  for (const scenario of list) {
    const { id, client, exchange, calls } = scenario;
    check('scenario', id, scenario);
    check('client', id, client);
    for (const { request, response } of exchange) {
      check('request', id, request);
      check('response', id, response);
    }
    for (const call of calls) {
      check('call', id, call);
      check('options', id, call.options);
      check('expected', id, call.expected);
      check('error', id, call.expected.error);
    }
  }
  return list;
}

export const readWebhooks = (): WebhookScenario[] => read('webhooks').scenarios as WebhookScenario[];
