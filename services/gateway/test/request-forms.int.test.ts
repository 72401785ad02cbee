import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRaw } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
let customer: Awaited<ReturnType<TestGateway['customer']>>;
beforeAll(async () => {
  gateway = await startGateway();
  customer = await gateway.customer();
});
afterAll(() => gateway.stop());

const raw = (line: string, headers: string[] = [], body = '') =>
  sendRaw(
    gateway.port,
    [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', `Authorization: Bearer ${customer.key}`, ...headers]
      .join('\r\n')
      .concat('\r\n\r\n', body),
  );
const getStatus = (response: string) => response.split('\r\n')[0]?.split(' ')[1];

describe('a target', () => {
  test.each([
    ['GET', 'http://x/v1/orgs', '200'],
    ['GET', 'HTTP://x/v1/orgs?limit=1', '200'],
    ['GET', 'http://x/v1/nothing', '404'],
    ['HEAD', '/v1/orgs', '200'],
    ['GET', '//v1/orgs', '404'],
    ['GET', '/v1//orgs', '404'],
    ['GET', '/v1/orgs/', '404'],
    ['GET', '/v1/./orgs', '404'],
    ['GET', '/v1/x/../orgs', '404'],
    ['GET', '/v1/orgs%2Fx', '404'],
    ['GET', '/v1/orgs/%00', '400'],
    ['GET', '/v1/orgs/%zz', '400'],
    ['GET', '/v1/orgs?limit=1&limit=2', '400'],
    ['TRACE', '/v1/orgs', '404'],
    ['OPTIONS', '/v1/orgs', '404'],
    ['OPTIONS', '*', '404'],
    ['GET', 'foo://x?y', '404'],
    ['GET', '/docs#x', '404'],
    ['BREW', '/v1/orgs', '400'],
  ])('%s %s is %s', async (method, target, status) => {
    const response = await raw(`${method} ${target}`);
    expect(getStatus(response)).toBe(status);
    expect(response).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
  });

  test.each(['HTTP/2.0', 'HTTP/0.9'])('of %s is refused', async (version) => {
    const head = `GET /v1/orgs ${version}\r\nHost: x\r\nAuthorization: Bearer ${customer.key}\r\n\r\n`;
    const response = await sendRaw(gateway.port, head);
    expect(getStatus(response)).toBe('400');
    expect(response).toMatch(/"code":"invalid_request"/);
  });

  test('as an absolute address is counted and needs a key like any other', async () => {
    expect(await raw('GET http://x/v1/orgs')).toMatch(/^x-ratelimit-limit: /im);
  });
});

describe('framing', () => {
  test('invalid bytes behind a complete request never affect its response', async () => {
    const response = await sendRaw(
      gateway.port,
      `GET /v1/orgs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${customer.key}\r\n\r\nnonsense\r\n\r\n`,
    );
    expect(response.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
    expect(response).toMatch(/^connection: close\r$/im);
  });

  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3'], '{}'],
    ['length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a length that is no number', ['Content-Length: +2'], '{}'],
    ['a folded header', ['X-A: 1', ' 2'], ''],
    ['chunked not last', ['Transfer-Encoding: chunked, gzip'], '0\r\n\r\n'],
    ['a coding other than chunked', ['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ])('%s is refused by the envelope', async (_name, headers, body) => {
    const response = await raw(`PATCH /v1/orgs/${customer.orgId}/prompts/${customer.orgId}`, headers, body);
    expect(getStatus(response)).toBe('400');
    expect(response).toMatch(/"code":"invalid_request"/);
  });
});

describe('content-type', () => {
  test.each([
    '',
    'garbage;;;',
    'application/json; charset="utf-8"',
    'application/json; charset=',
    'application/json; charset=""',
    'text/plain',
  ])('%s: JSON is read', async (type) => {
    const body = '{"active":true}';
    const line = `PATCH /v1/orgs/${customer.orgId}/prompts/${customer.orgId}`;
    const response = await raw(line, [`Content-Type: ${type}`, `Content-Length: ${body.length}`], body);
    expect(getStatus(response)).toBe('200');
  });
});
