/** `brand-visibility listen` with an API and a receiver that fail. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Delivery, verifyWebhook } from '@bv/sdk';
import { eventually, freePort, type Receiver, startReceiver } from '@bv/testkit';
import { DeliveryLog } from '../cli/delivery-log.ts';
import { type ListenPlan, runListen } from '../cli/listen.ts';
import { type FaultServer, hang, page, refuse, startFaultServer } from './fault-server.ts';
import { killAll, runCli, startCli } from './run-cli.ts';

const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const baseMs = Date.parse('2026-11-21T03:00:00.000Z');
const at = (seconds: number): string => new Date(baseMs + seconds * 1000).toISOString();

/** A delivery that was created `seconds` after a fixed time. */
const delivery = (seconds: number, more: object = {}): Delivery => ({
  id: `d${seconds}`,
  event_id: `e${seconds}`,
  event_type: 'scan.completed',
  endpoint_id: 'w1',
  subscription_id: null,
  status: 'succeeded',
  attempts: 1,
  next_attempt_at: null,
  last_status_code: 200,
  last_duration_ms: 5,
  last_error: null,
  last_response_snippet: null,
  created_at: at(seconds),
  updated_at: at(seconds),
  event: {
    id: `e${seconds}`,
    type: 'scan.completed',
    api_version: '1.0.0',
    timestamp: at(seconds),
    org: null,
    data: {},
  },
  ...more,
});

let server: FaultServer;
let receiver: Receiver | undefined;
const stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  killAll();
  await server.close();
  await receiver?.close();
  receiver = undefined;
});

/** Runs the command in this process, from the time of the first delivery on. */
function listen(plan: Partial<ListenPlan>) {
  const stop = new AbortController();
  stops.push(stop);
  const lines: string[] = [];
  const warnings: string[] = [];
  const whole: ListenPlan = {
    endpointId: 'w1',
    forward: new URL(receiver?.url ?? 'http://127.0.0.1:1'),
    secret,
    sinceMs: baseMs,
    intervalMs: 20,
    timeoutMs: 10_000,
    ...plan,
  };
  const output = {
    print: (line: string) => void lines.push(line),
    warn: (line: string) => void warnings.push(line),
  };
  const client = server.client({ retry: { maxRetries: 0 } });
  return { stop, lines, warnings, ended: runListen(client, whole, output, stop.signal) };
}

const outcomes = (lines: string[]): string[] =>
  lines.slice(1).map((line) => line.split(' ').slice(2).join(' '));

describe('the API', () => {
  test.each([
    ['at the start', [refuse(401, 'invalid_api_key')]],
    ['in the middle', [page([], null), page([], null), refuse(401, 'invalid_api_key')]],
  ])('a key refused %s: exit 1, and the key is not shown', async (_, steps) => {
    server = await startFaultServer([...steps]);
    const words = ['listen', '--endpoint', 'w1', '--forward', 'http://127.0.0.1:1', '--interval', '1'];
    const { code, out, err } = await runCli(words, { baseUrl: server.baseUrl });
    expect([code, err]).toEqual([1, expect.stringContaining('the API refused the key')]);
    expect(out + err).not.toContain('bvk_');
  });

  test('a failure is reported, and read again without a second forward', async () => {
    receiver = await startReceiver();
    server = await startFaultServer([
      page([], null),
      page([delivery(1)], null),
      refuse(503, 'api_unavailable'),
      page([delivery(2), delivery(1)], null),
      refuse(403, 'partner_only'),
    ]);
    const { lines, warnings, ended } = listen({});
    await expect(ended).rejects.toMatchObject({ code: 'partner_only' });
    expect(outcomes(lines)).toEqual(['e1 204', 'e2 204']);
    for (const { headers, body } of receiver.requests) await verifyWebhook({ headers, body }, secret);
    expect(warnings).toEqual([expect.stringContaining('api_unavailable')]);
  });

  test('SIGINT during a read is exit 0', async () => {
    server = await startFaultServer([page([], null), hang]);
    const words = ['listen', '--endpoint', 'w1', '--forward', 'http://127.0.0.1:1'];
    const { child, output, ended } = startCli(words, { baseUrl: server.baseUrl });
    await eventually(() => expect(server.requests).toHaveLength(2));
    child.kill('SIGINT');
    expect([await ended, output.err]).toEqual([0, '']);
  });
});

describe('the receiver', () => {
  test('an error, a redirect, no server and a body that is not kept are one line each', async () => {
    receiver = await startReceiver(({ headers }, response) => {
      if (headers['webhook-id'] === 'e1') return 500;
      response.writeHead(302, { location: 'http://127.0.0.1:1' }).end();
      return undefined;
    });
    const rows = [delivery(3, { event: null }), delivery(2), delivery(1)];
    server = await startFaultServer([page([], null), page(rows, null)]);
    const { lines } = listen({});
    await eventually(() => expect(lines).toHaveLength(4));
    expect(outcomes(lines)).toEqual(['e1 500', 'e2 302', 'e3 not forwarded: its body is not available']);
  });

  test('no server: the reason is printed, and what an endpoint that was never verified does not get', async () => {
    const endpoints = page(
      [
        { id: 'w0', status: 'active' },
        { id: 'w1', status: 'pending_verification' },
      ],
      null,
    );
    server = await startFaultServer([endpoints, page([], null), page([delivery(1)], null)]);
    const forward = `http://127.0.0.1:${await freePort()}`;
    const words = ['listen', '--endpoint', 'w1', '--forward', forward, '--since', '2026-11-01'];
    const { output } = startCli(words, { baseUrl: server.baseUrl });
    await eventually(() => expect(output.out).toMatch(/ scan\.completed e1 connect ECONNREFUSED/), {
      timeoutMs: 30_000,
    });
    expect(output.err).toMatch(/^the endpoint is pending_verification: only test pings are forwarded/);
  });

  test('a receiver that hangs ends at the deadline; no second event is sent meanwhile', async () => {
    const arrivals: number[] = [];
    receiver = await startReceiver(() => {
      arrivals.push(performance.now());
      return undefined;
    });
    server = await startFaultServer([page([], null), page([delivery(2), delivery(1)], null)]);
    const { lines } = listen({ timeoutMs: 300 });
    await eventually(() => expect(lines).toHaveLength(3));
    expect(outcomes(lines)).toEqual(['e1 no response in 0.3 s', 'e2 no response in 0.3 s']);
    const [first = 0, second = 0] = arrivals;
    expect(second - first).toBeGreaterThan(280);
  });
});

describe('the log', () => {
  const open = () =>
    new DeliveryLog(server.client(), { endpointId: 'w1', signal: new AbortController().signal });
  const ids = ({ deliveries }: { deliveries: Delivery[] }) => deliveries.map(({ id }) => id);

  test('starts behind the newest delivery; a late one of the last minute is new, an older one is not', async () => {
    server = await startFaultServer([
      page([delivery(100)], null),
      page([delivery(100), delivery(70), delivery(10)], null),
      page([delivery(110), delivery(100), delivery(80), delivery(70), delivery(20)], null),
      page([delivery(110), delivery(100), delivery(80), delivery(70)], null),
    ]);
    const log = open();
    await log.start(undefined);
    const found = await log.readNew();
    expect(ids(found)).toEqual(['d80', 'd110']);
    for (const each of found.deliveries) log.markHandled(each);
    expect(ids(await log.readNew())).toEqual([]);
    const sent = server.requests.map(({ url }) => Object.fromEntries(url.searchParams));
    expect(sent.slice(0, 2)).toEqual([{ limit: '1' }, { include: 'event', limit: '50' }]);
  });

  test('an empty log, and a delivery during the start', async () => {
    server = await startFaultServer([
      page([], null),
      page([delivery(1)], null),
      page([delivery(1)], null),
      page([delivery(2), delivery(1)], null),
      page([delivery(2), delivery(1)], null),
    ]);
    const empty = open();
    await empty.start(undefined);
    expect(ids(await empty.readNew())).toEqual(['d1']);
    const started = open();
    await started.start(undefined);
    expect(ids(await started.readNew())).toEqual(['d2']);
  });

  test('a long log is cut at 1,000 deliveries', async () => {
    const pages = Array.from({ length: 30 }, (_, number) =>
      page(
        Array.from({ length: 50 }, (__, row) => delivery(10_000 - number * 50 - row)),
        `c${number}`,
      ),
    );
    server = await startFaultServer([page([], null), ...pages]);
    const log = open();
    await log.start(baseMs);
    const { deliveries, isCut } = await log.readNew();
    expect([isCut, deliveries.length, deliveries.at(-1)?.id]).toEqual([true, 1000, 'd10000']);
    expect(server.requests).toHaveLength(22);
  });
});
