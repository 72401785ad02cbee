import { Readable } from 'node:stream';
import { checkFraming, type Exchange } from '../checkers/framing.ts';
import { createBrand, createCustomer } from '../harness/client.ts';
import { sendRaw } from '../harness/raw.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';

type Bytes = { name: string; bytes: string | string[]; legal: boolean; requests: number };

const smuggledText = 'smuggled prompt';

/** Invalid or ambiguous framing. Each payload hides a complete write that only a different parser would run. */
function payloads(path: string, key: string): Bytes[] {
  const body = JSON.stringify({ text: smuggledText, countries: ['US'] });
  const authorization = `Authorization: Bearer ${key}`;
  const hidden = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    authorization,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  const post = (headers: string[], rest: string): string =>
    [`POST ${path}/nowhere HTTP/1.1`, 'Host: x', authorization, ...headers, '', rest].join('\r\n');
  const get = (line: string, headers: string[] = [], rest = ''): string =>
    [line, 'Host: x', authorization, ...headers, '', rest].join('\r\n');
  const broken = (name: string, bytes: string | string[]): Bytes => ({
    name,
    bytes,
    legal: false,
    requests: 1,
  });
  const legal = (name: string, bytes: string | string[], requests = 1): Bytes => ({
    name,
    bytes,
    legal: true,
    requests,
  });
  const chunked = 'Transfer-Encoding: chunked';
  return [
    broken('CL and TE', post(['Content-Length: 6', chunked], `0\r\n\r\n${hidden}`)),
    broken('TE and CL', post([chunked, `Content-Length: ${5 + hidden.length}`], `0\r\n\r\n${hidden}`)),
    broken('two lengths', post(['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden)),
    broken('a list of lengths', post([`Content-Length: 0, ${hidden.length}`], hidden)),
    broken('a negative length', post(['Content-Length: -1'], hidden)),
    broken('a hexadecimal length', post(['Content-Length: 0x0'], hidden)),
    broken('a signed length', post(['Content-Length: +0'], hidden)),
    broken('a length beyond 2^64', post(['Content-Length: 18446744073709551616'], hidden)),
    broken('chunked twice', post([chunked, chunked], `0\r\n\r\n${hidden}`)),
    broken('chunked not last', post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`)),
    broken('TE of another name', post(['Transfer-Encoding: xchunked', 'Content-Length: 0'], hidden)),
    broken('TE with a tab', post(['Transfer-Encoding:\tchunked', 'Content-Length: 3'], `0\r\n\r\n${hidden}`)),
    broken('TE with a vertical tab', post(['Transfer-Encoding: \x0bchunked', 'Content-Length: 0'], hidden)),
    broken(
      'a space before the colon',
      post(['Content-Length : 0', `Content-Length: ${hidden.length}`], hidden),
    ),
    broken('a space before the name', post([' Content-Length: 0', 'Content-Length: 0'], hidden)),
    broken('a folded length', post(['Content-Length:', ' 0', `X: y`], hidden)),
    broken('a folded header', post(['X-A: 1', ' Content-Length: 5', 'Content-Length: 0'], hidden)),
    broken(
      'a header of bare LF',
      post([`X-A: 1\nContent-Length: ${hidden.length}`, 'Content-Length: 0'], hidden),
    ),
    broken('lines of bare LF', get('GET /v1/orgs HTTP/1.1').replaceAll('\r\n', '\n')),
    broken('a bare CR in a header', post(['X-A: 1\rContent-Length: 9', 'Content-Length: 0'], hidden)),
    broken('a NUL in a header', post(['X-A: 1\0', 'Content-Length: 0'], hidden)),
    broken('a NUL in a name', post(['X\0A: 1', 'Content-Length: 0'], hidden)),
    broken('a NUL in the target', get('GET /v1/orgs\0 HTTP/1.1')),
    broken('a chunk size with a sign', post([chunked], `+0\r\n\r\n${hidden}`)),
    broken('a chunk size in 0x', post([chunked], `0x0\r\n\r\n${hidden}`)),
    broken('a chunk size beyond 2^64', post([chunked], `10000000000000000\r\n${hidden}`)),
    broken('a chunk that ends in LF', post([chunked], `1\r\na\n0\r\n\r\n${hidden}`)),
    broken('a chunk extension with LF', post([chunked], `1;a\nb\r\na\r\n0\r\n\r\n${hidden}`)),
    broken('a chunk longer than its size', post([chunked], `1\r\nab\r\n0\r\n\r\n${hidden}`)),
    legal('HTTP/0.9', 'GET /v1/orgs\r\n\r\n'),
    broken('HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    broken('HTTP/1.2', get('GET /v1/orgs HTTP/1.2')),
    legal('two spaces', get('GET  /v1/orgs HTTP/1.1')),
    broken('CONNECT', get('CONNECT 127.0.0.1:80 HTTP/1.1')),
    broken('no host', `GET /v1/orgs HTTP/1.1\r\n${authorization}\r\n\r\n`),
    broken('headers without end', [`GET /v1/orgs HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`]),
    broken(
      'ten thousand headers',
      get(
        'GET /v1/orgs HTTP/1.1',
        Array.from({ length: 3_000 }, (_, n) => `X-${n}: 1`),
      ),
    ),
    broken('a query of 64 KiB', get(`GET /v1/orgs?x=${'a'.repeat(65_536)} HTTP/1.1`)),
    broken('a key of 32 KiB', get('GET /v1/orgs HTTP/1.1', [`Idempotency-Key: ${'k'.repeat(32_768)}`])),
    legal('a query of 8 KiB', get(`GET /v1/orgs?x=${'a'.repeat(8_192)} HTTP/1.1`)),
    broken('two hosts', get('GET /v1/orgs HTTP/1.1', ['Host: y'])),
    broken('one host twice', get('GET /v1/orgs HTTP/1.1', ['Host: x'])),
    broken('a coding before chunked', post(['Transfer-Encoding: gzip, chunked'], `0\r\n\r\n${hidden}`)),
    legal('absolute form to another host', get('GET http://169.254.169.254/v1/orgs HTTP/1.1')),
    legal('absolute form without a path', get('GET http://x HTTP/1.1')),
    legal('a target with a fragment', get('GET /v1/orgs#/v1/orgs HTTP/1.1')),
    legal('a GET with a body', get('GET /v1/orgs HTTP/1.1', ['Content-Length: 4'], 'GET ')),
    legal('a GET in chunks', get('GET /v1/orgs HTTP/1.1', [chunked], '4\r\nGET \r\n0\r\n\r\n')),
    legal('an extension of a chunk', post([chunked], '2;a=b\r\n{}\r\n0\r\n\r\n')),
    legal('trailers', post([chunked], '2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n')),
    legal('an unknown expectation', post(['Expect: 200-maybe', 'Content-Length: 2'], '{}')),
    legal('an upgrade', get('GET /v1/orgs HTTP/1.1', ['Connection: Upgrade', 'Upgrade: h2c'])),
    legal('two requests at once', get('GET /v1/orgs HTTP/1.1') + get('GET /v1/orgs HTTP/1.1'), 2),
    legal('slow header bytes', get('GET /v1/orgs HTTP/1.1').match(/.{1,40}/gs) ?? []),
    legal('response split by a value', get('GET /v1/orgs?x=%0d%0aX-Split:%20yes%0d%0a%0d%0a HTTP/1.1')),
    legal('a path with CR LF', get('GET /v1/orgs/%0d%0aX-Split:%20yes HTTP/1.1')),
  ];
}

/** Response splitting: values of the request that became headers of the response. */
const findSplitResponses = (exchanges: Exchange[]): string[] =>
  exchanges
    .filter(({ text }) => /^x-split:/im.test(text))
    .map(({ name }) => `${name}: a value of the request became a header of the response`);

/** A small machine may not count all payloads at once in time, and would return 503. */
const atOnce = 8;

async function run({ system, random }: Context): Promise<Outcome> {
  const customer = await createCustomer(system);
  const { brandId } = await createBrand(system, customer, { name: `Smuggled ${random.between(1, 999_999)}` });
  const path = `/v1/orgs/${customer.orgId}/brands/${brandId}/prompts`;
  const { port } = system.stack.ports.gateway;
  const sent = Readable.from(payloads(path, customer.key)).map(
    async ({ name, bytes, legal, requests }: Bytes): Promise<Exchange> => {
      const { statuses, text } = await sendRaw(port, bytes);
      return { name, statuses, text, legal, requests };
    },
    { concurrency: atOnce },
  );
  const exchanges: Exchange[] = await sent.toArray();
  const prompts = await system.call('GET', `/orgs/${customer.orgId}/prompts?limit=200`, customer);
  const smuggled = prompts.body.data.map(({ text }: { text: string }) => text);
  return {
    violations: [...checkFraming(exchanges, smuggled), ...findSplitResponses(exchanges)],
    summary: `${exchanges.length} ways to frame a request ambiguously`,
  };
}

export const smuggling: Scenario = {
  name: 'smuggling',
  guarantee: 'no bytes hide a request inside another, split a response, or get a bare or a 5xx response',
  run,
};
