import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { retryIfStalled } from '@bv/testkit';
import { createResolver, DnsFailure } from '../src/dispatcher/resolve.ts';
import { createCertificate } from './certificate.ts';
import { type DnsAnswer, type DnsServer, startDnsServer } from './dns-server.ts';
import { type RawReceiver, startRawReceiver } from './receivers.ts';
import { createSender, type Sender, type SenderOptions } from './sender.ts';
import * as corpus from './ssrf-corpus.ts';

const dnsAnswers: Record<string, DnsAnswer | (() => DnsAnswer)> = {};
let dns: DnsServer;
let canary: RawReceiver;
beforeAll(async () => {
  dns = await startDnsServer((name) => {
    const answer = dnsAnswers[name] ?? 3;
    return typeof answer === 'function' ? answer() : answer;
  });
  canary = await startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
});
afterAll(async () => {
  await Promise.all([dns.close(), canary.close()]);
});
beforeEach(() => {
  canary.connections = 0;
});

type Change = Omit<SenderOptions, 'resolveHost'> & { dnsTimeoutMs?: number };
const openSender = ({ dnsTimeoutMs = 10_000, ...change }: Change = {}): Sender =>
  createSender({
    ...change,
    resolveHost: createResolver({ timeoutMs: dnsTimeoutMs, servers: [dns.address] }),
  });
const attempt = (url: string, change: Change = {}) => {
  const sender = openSender(change);
  return sender.attempt(url).finally(sender.close);
};

describe('no connection reaches the canary', () => {
  test('internal, rejected and malformed URLs, https and http', async () => {
    const schemes = [(url: string) => url, (url: string) => url.replace('https:', 'http:')];
    const urls = schemes.flatMap((scheme) => corpus.internalUrls(canary.port).map(scheme));
    const odd = [...corpus.rejectedUrls, ...corpus.malformedUrls];
    // All of one endpoint, as if its URL changed.
    const sender = openSender({ allowHttp: true });
    const results = await Promise.all([...urls, ...odd].map((url) => sender.attempt(url)));
    const errors = new Set(results.map(({ error }) => error));
    errors.delete('dns_failure');
    expect([...errors]).toEqual(['address_not_public']);
    expect(canary.connections).toBe(0);
  });
  test.each([
    ['a name of the loopback address', ['127.0.0.1']],
    ['a name of the metadata service', ['169.254.169.254']],
    ['a public and an internal address', ['93.184.215.14', '127.0.0.1']],
    ['an internal and a public address', ['127.0.0.1', '93.184.215.14']],
    ['a public IPv4 and an internal IPv6 address', ['93.184.215.14', '::1']],
    ['an IPv4-mapped IPv6 address', ['::ffff:7f00:1']],
    ['NAT64', ['64:ff9b::7f00:1']],
  ])('%s', async (_name, addresses) => {
    dnsAnswers['inner.example.com'] = addresses;
    const result = await attempt(`http://inner.example.com:${canary.port}/`, { allowHttp: true });
    expect(result.error).toBe('address_not_public');
    expect(canary.connections).toBe(0);
  });
  test('DNS rebinding: the checked address is connected to, and the next attempt resolves again', async () => {
    let queries = 0;
    // The first queries (A and AAAA) return an allowed address, later ones that of the canary.
    dnsAnswers['rebind.example.com'] = () => ((queries += 1) <= 2 ? ['127.0.0.2'] : ['127.0.0.1']);
    const sender = openSender({ allow: ['127.0.0.2/32'], allowHttp: true });
    const url = `http://rebind.example.com:${canary.port}/`;
    expect((await sender.attempt(url)).error).toBe('connect_failed');
    expect(queries).toBe(2);
    expect((await sender.attempt(url)).error).toBe('address_not_public');
    expect(canary.connections).toBe(0);
  });
});

describe('resolving', () => {
  test('a missing name is definitive, a failing or silent server is not', async () => {
    dnsAnswers['broken.example.com'] = 2;
    dnsAnswers['silent.example.com'] = 'silent';
    dnsAnswers['empty.example.com'] = [];
    const { resolveHost } = openSender({ dnsTimeoutMs: 200 });
    const failure = async (name: string) => resolveHost(name).catch((error: unknown) => error as DnsFailure);
    for (const [name, definitive] of [
      ['missing.example.com', true],
      ['empty.example.com', true],
      ['broken.example.com', false],
      ['silent.example.com', false],
    ] as const) {
      const error = await failure(name);
      expect(error).toBeInstanceOf(DnsFailure);
      expect(error).toMatchObject({ definitive });
    }
  });
  test('a silent server takes only its deadline', async () => {
    dnsAnswers['silent.example.com'] = 'silent';
    const once = async (): Promise<void> => {
      const result = await attempt('https://silent.example.com/', { dnsTimeoutMs: 200 });
      expect(result.error).toBe('dns_failure');
      expect(result.durationMs).toBeLessThan(900);
    };
    await retryIfStalled(once, { stallMs: 200 });
  });
  test('both families are queried, and the second address is tried after the first', async () => {
    dnsAnswers['double.example.com'] = ['127.0.0.3', '127.0.0.1'];
    const change = { allow: ['127.0.0.0/8'], allowHttp: true };
    const result = await attempt(`http://double.example.com:${canary.port}/`, change);
    expect(result).toMatchObject({ ok: true, statusCode: 200 });
    expect(dns.queries).toEqual(expect.arrayContaining(['double.example.com A', 'double.example.com AAAA']));
  });
});

describe('slow name servers', () => {
  test('a server that never responds to AAAA takes much less than the deadline', async () => {
    dnsAnswers['no-aaaa.example.com'] = { addresses: ['93.184.215.14'], silentFor: 'AAAA' };
    const { resolveHost } = openSender({ dnsTimeoutMs: 30_000 });
    const startedAt = performance.now();
    expect(await resolveHost('no-aaaa.example.com')).toEqual(['93.184.215.14']);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
  test('a response in the last third of the deadline is accepted', async () => {
    dnsAnswers['late.example.com'] = { addresses: ['93.184.215.14'], afterMs: 6_500 };
    const { resolveHost } = openSender({ dnsTimeoutMs: 9_000 });
    expect(await resolveHost('late.example.com')).toEqual(['93.184.215.14']);
  });
  test('a lost packet takes a third of the deadline', async () => {
    let queries = 0;
    dnsAnswers['lossy.example.com'] = () => ((queries += 1) <= 2 ? 'silent' : ['93.184.215.14']);
    const { resolveHost } = openSender({ dnsTimeoutMs: 6_000 });
    expect(await resolveHost('lossy.example.com')).toEqual(['93.184.215.14']);
  });
  test('a second name server is queried when the first is silent', async () => {
    dnsAnswers['second.example.com'] = ['93.184.215.14'];
    const silent = await startDnsServer(() => 'silent');
    const resolveHost = createResolver({ timeoutMs: 6_000, servers: [silent.address, dns.address] });
    expect(await resolveHost('second.example.com')).toEqual(['93.184.215.14']);
    await silent.close();
  });
});

describe('TLS', () => {
  const { key, cert, ca } = createCertificate('secure.example.com');
  const hosts: (string | undefined)[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    hosts.push(request.headers.host);
    response.end('ok');
  });
  const allow = ['127.0.0.1/32'];
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ({ port } = server.address() as AddressInfo);
    dnsAnswers['secure.example.com'] = ['127.0.0.1'];
    dnsAnswers['other.example.com'] = ['127.0.0.1'];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('name and certificate are checked against the URL, although the address is pinned', async () => {
    const result = await attempt(`https://secure.example.com:${port}/`, { allow, ca });
    expect(result).toMatchObject({ ok: true, statusCode: 200, snippet: 'ok' });
    expect(hosts).toEqual([`secure.example.com:${port}`]);
  });
  test.each([
    ['an untrusted certificate', 'secure', false],
    ['a certificate of another name', 'other', true],
  ])('%s', async (_name, host, trusted) => {
    const result = await attempt(`https://${host}.example.com:${port}/`, {
      allow,
      ...(trusted ? { ca } : {}),
    });
    expect(result).toMatchObject({ ok: false, error: 'tls_failed', statusCode: null });
    expect(hosts).toHaveLength(1);
  });
  test('the final response counts after interim ones, also over TLS', async () => {
    const interim = createTlsServer({ key, cert }, (socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
      );
    });
    const result = await attemptAt(interim, { allow, ca });
    expect(result).toMatchObject({ ok: true, statusCode: 200, snippet: 'ok' });
  });
  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s: a missing client certificate', async (version) => {
    const options = { key, cert, ca, requestCert: true, maxVersion: version };
    const result = await attemptAt(createTlsServer(options), { allow, ca });
    expect(result).toMatchObject({ ok: false, error: 'tls_failed', statusCode: null });
  });
  async function attemptAt(tls: TlsServer, change: Change) {
    tls.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => void tls.listen(0, '127.0.0.1', resolve));
    const result = await attempt(
      `https://secure.example.com:${(tls.address() as AddressInfo).port}/`,
      change,
    );
    await new Promise((resolve) => void tls.close(resolve));
    return result;
  }
  test('a receiver without TLS, or silent during the handshake', async () => {
    const plain = await startRawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const silent = await startRawReceiver(() => undefined);
    expect((await attempt(`https://secure.example.com:${plain.port}/`, { allow, ca })).error).toBe(
      'tls_failed',
    );
    const once = async (): Promise<void> => {
      const change = { allow, ca, connectTimeoutMs: 500 };
      const late = await attempt(`https://secure.example.com:${silent.port}/`, change);
      expect(late).toMatchObject({ error: 'timeout' });
      expect(late.durationMs).toBeLessThan(900);
    };
    await retryIfStalled(once, { stallMs: 200 });
    await Promise.all([plain.close(), silent.close()]);
  });
});
