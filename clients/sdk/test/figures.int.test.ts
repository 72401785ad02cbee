import { afterEach, expect, test } from '@jest/globals';
import { type FaultServer, page, respond, startFaultServer } from './fault-server.ts';
import { killAll, runCli } from './run-cli.ts';

const at = ['--org', 'o1', '--brand', 'b1'];
let server: FaultServer;
afterEach(async () => {
  killAll();
  await server.close();
});

const run = (args: string[]) => runCli(args, { baseUrl: server.baseUrl });
const list = (...rows: object[]) => page(rows, null);

test('brands of every organisation, as a table and as JSON', async () => {
  const brand = { id: 'b1', name: 'Acme', domain: 'acme.com', score: 71.25, change_verdict: 'up' };
  const orgs = list({ id: 'o1', name: 'One' }, { id: 'o2', name: 'Two' });
  const steps = [orgs, list(brand), list({ ...brand, id: 'b2', score: null, change_verdict: null })];
  server = await startFaultServer([...steps, orgs, list(), list(brand)]);
  const { code, out } = await run(['brands']);
  expect([code, out.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
    0,
    [
      ['BRAND', 'NAME', 'DOMAIN', 'SCORE', 'WEEK', 'ORGANISATION'],
      ['b1', 'Acme', 'acme.com', '71.3', 'up', 'One o1'],
      ['b2', 'Acme', 'acme.com', '-', '-', 'Two o2'],
      [''],
    ],
  ]);
  const json = await run(['brands', '--json']);
  expect(JSON.parse(json.out)).toEqual([{ org_id: 'o2', org_name: 'Two', ...brand }]);
});

test('scores as a chart, oldest first; without two days it says so', async () => {
  const row = (day: number, value: number | null) => ({
    run_date: `2026-11-0${day}`,
    mention_rate: value,
    mention_rate_low: value === null ? null : value - 5,
    mention_rate_high: value === null ? null : value + 5,
  });
  server = await startFaultServer([list(row(3, 50), row(2, null), row(1, 40)), list(row(1, 40))]);
  const { code, out } = await run(['scores', ...at, '--country', 'DE']);
  expect([code, out]).toEqual([0, expect.stringMatching(/window 7d\n[^]*●[^]*11-03/)]);
  const query = Object.fromEntries(server.requests[0]!.url.searchParams);
  expect(query).toEqual({ window: '7d', country: 'DE', limit: '200' });
  expect((await run(['scores', ...at])).out).toContain('too few days');
});

test('compare says the verdict in sentences', async () => {
  const side = { from: '2026-11-01', to: '2026-11-07', value: 40, units: 10, units_failed: 0, prompts: 5 };
  const difference = { value: 0, low: -1, high: 1, confidence: 0.95 };
  const rest = { difference, verdict: 'no_evidence', reasons: [], metric: 'sentiment', country: null };
  server = await startFaultServer([respond(200, { data: { a: side, b: side, ...rest } })]);
  const { code, out } = await run(['compare', ...at, '--metric', 'sentiment', '--from-b', '2026-11-01']);
  expect([code, out]).toEqual([0, expect.stringContaining('Verdict no_evidence.')]);
  const query = Object.fromEntries(server.requests[0]!.url.searchParams);
  expect(query).toEqual({ metric: 'sentiment', from_b: '2026-11-01' });
});
