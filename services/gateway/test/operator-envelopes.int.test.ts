import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendRaw } from './client.ts';
import { operatorToken, startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const get = (headers: string[], body = '', target = '/operator/v1/usage') =>
  [
    `GET ${target} HTTP/1.1`,
    `Authorization: Bearer ${operatorToken}`,
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');

test.each([
  ['nonsense', () => 'NONSENSE\r\n\r\n', 400, 'invalid_request'],
  ['no Host', () => get([]), 400, 'invalid_request'],
  ['two Hosts', () => get(['Host: x', 'Host: y']), 400, 'invalid_request'],
  ['40 KB of headers', () => get(['Host: x', `X: ${'x'.repeat(40_000)}`]), 431, 'headers_too_large'],
  ['a GET with a body', () => get(['Host: x', 'Content-Length: 2'], '{}'), 400, 'body_not_allowed'],
  ['an unknown path', () => get(['Host: x'], '', '//operator/v1/usage'), 404, 'not_found'],
  ['two tokens', () => get(['Host: x', 'Authorization: Bearer y']), 401, 'invalid_operator_token'],
])("the operator's listener refuses %s in the common shape", async (_name, bytes, status, code) => {
  const raw = await sendRaw(gateway.operatorPort, bytes());
  expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const body = JSON.parse(raw.slice(raw.indexOf('\r\n\r\n'))) as {
    error: { code: string };
    request_id: string;
  };
  expect(body.error.code).toBe(code);
  expect(raw.toLowerCase()).toContain(`x-request-id: ${body.request_id}`);
});

test("the operator's listener sends one 100 Continue, serves the absolute form, and a half-closed client", async () => {
  const post = [
    'POST /operator/v1/orgs HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${operatorToken}`,
    'Connection: close',
    'Expect: 100-continue',
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');
  expect((await sendRaw(gateway.operatorPort, post)).match(/HTTP\/1\.1 \d{3}/g)).toEqual([
    'HTTP/1.1 100',
    'HTTP/1.1 200',
  ]);
  const absolute = get(['Host: x'], '', 'http://x/operator/v1/usage');
  expect(await sendRaw(gateway.operatorPort, absolute)).toMatch(/^HTTP\/1\.1 200 /);
});
