import { expect } from '@jest/globals';
import type { ClientResponse } from './client.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function expectRefusal(response: ClientResponse, status: number, code: string): void {
  expect({ status: response.status, code: response.body?.error?.code }).toEqual({ status, code });
  expect(response.headers['x-request-id']).toMatch(uuid);
  expect(response.body.request_id).toBe(response.headers['x-request-id']);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(typeof response.body.error.message).toBe('string');
  expect(response.body.error.doc_url).toBe(`/docs/errors#${code}`);
  expect(response.headers['access-control-allow-origin']).toBeUndefined();
  expect(response.headers['x-powered-by'] ?? response.headers['server']).toBeUndefined();
}

export const getWindow = ({ headers }: ClientResponse) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
});
export const noWindow = { limit: undefined, remaining: undefined, reset: undefined };
export const minuteEnd = (): string => String((Math.floor(Date.now() / 60_000) + 1) * 60);
