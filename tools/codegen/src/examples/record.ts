/**
 * Records an example of every success of both APIs from the demo on a separate stack:
 *   pnpm record:examples
 * Writes examples/responses.json, which the OpenAPI documents contain, and series.json, which the pictures of the guides show.
 */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleIds, operations, operatorOperations } from '@bv/contract';
import { privateStackOptions, runDemo, startStack, steadyEnvironment, type Stack } from '@bv/local-stack';
import { toJsonLines } from '../json-lines.ts';
import { recordCalls } from './calls.ts';
import { recordOperatorReads, recordOperatorWrites } from './operator-calls.ts';
import { Recorder } from './recorder.ts';
import { createStabiliser } from './stable-values.ts';

const report = (line: string): void => console.log(line);

/** The mention rate of 35 days, oldest first: of each day alone, and of the week that ends on it. */
async function recordSeries({ baseUrl, dataDir }: Stack): Promise<Record<string, object[]>> {
  const { demo } = JSON.parse(readFileSync(dataDir.stackFile, 'utf8')) as StackFile;
  const from = new Date(Date.now() - 34 * 86_400_000).toISOString().slice(0, 10);
  const read = async (window: string): Promise<[string, object[]]> => {
    const url = `${baseUrl}/orgs/${demo.org_id}/brands/${demo.brand_id}/scores?from=${from}&window=${window}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${demo.partner_key}` } });
    const { data } = (await response.json()) as { data: Record<string, unknown>[] };
    return [
      window,
      data.toReversed().map((row) => ({
        day: row['run_date'],
        value: row['mention_rate'],
        low: row['mention_rate_low'],
        high: row['mention_rate_high'],
      })),
    ];
  };
  return Object.fromEntries([await read('day'), await read('7d')]);
}

type StackFile = { nats_url: string; demo: { org_id: string; brand_id: string; partner_key: string } };

async function record(stack: Stack): Promise<Record<string, unknown>> {
  const { demo, nats_url } = JSON.parse(readFileSync(stack.dataDir.stackFile, 'utf8')) as StackFile;
  const { baseUrl, operatorUrl, secrets } = stack;
  const recorder = new Recorder({ baseUrl, key: demo.partner_key, operations });
  const operator = new Recorder({
    baseUrl: operatorUrl,
    key: secrets.operatorToken,
    operations: operatorOperations,
  });
  for (const each of [recorder, operator]) {
    each.setId('organisation', demo.org_id);
    each.setId('brand', demo.brand_id);
  }
  await recordOperatorReads(operator);
  await recordCalls(recorder);
  await recordOperatorWrites(operator, nats_url);
  const stabilise = createStabiliser({
    today: new Date().toISOString().slice(0, 10),
    ids: new Map(
      [...recorder.resources, ...operator.resources].map(([id, resource]) => [id, exampleIds[resource]]),
    ),
  });
  return Object.fromEntries(
    [...recorder.responses, ...operator.responses]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, response]) => [id, stabilise(id, response)]),
  );
}

const dir = await mkdtemp(join(tmpdir(), 'bv-examples-'));
// The user of PostgreSQL needs access to the data directory below it.
await chmod(dir, 0o755);
// The methodology says how often a brand is scanned.
const environment = { ...steadyEnvironment, SCHEDULE_INTERVAL_MS: '60000' };
const stack = await startStack(privateStackOptions(join(dir, 'data'), environment), report);
try {
  const demo = await runDemo(stack, { report, signal: new AbortController().signal });
  const series = await recordSeries(stack);
  const examples = await record(stack);
  await demo.close();
  const file = join(import.meta.dirname, 'responses.json');
  await writeFile(file, `${toJsonLines(examples, 1)}\n`);
  await writeFile(join(import.meta.dirname, 'series.json'), `${toJsonLines(series, 2)}\n`);
  report(`${Object.keys(examples).length} examples written to ${file}`);
} finally {
  await stack.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit();
