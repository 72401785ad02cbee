import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { BrandVisibilityClient } from '@bv/sdk';
import { childEnvironment, eventually, freePort } from '@bv/testkit';
import { type Customer, startWithCustomer } from './customer.ts';
import { curlCommands, loadGuideReader, readmeSamples } from './guides.ts';

const examples = join(import.meta.dirname, '../examples');
let customer: Customer;
let orgId: string;
let key: string;
let client: BrandVisibilityClient;
const started: ChildProcess[] = [];

/** Runs an example, or the text of a module, in a process that is configured by its environment only. */
function start(name: string, env: Record<string, string>, text?: string) {
  const file =
    text === undefined ? [join(examples, `${name}.ts`)] : ['--input-type=module-typescript', '-e', text];
  const child = spawn(process.execPath, ['--conditions=@bv/source', ...file], {
    cwd: examples,
    env: { ...childEnvironment(), BV_BASE_URL: customer.baseUrl, BV_API_KEY: key, ...env },
  });
  started.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { output, ended };
}

async function run(name: string, env: Record<string, string> = {}, text?: string): Promise<string> {
  const { output, ended } = start(name, env, text);
  const status = await ended;
  expect({ status, err: output.err }).toEqual({ status: 0, err: '' });
  return output.out;
}

beforeAll(async () => {
  customer = await startWithCustomer();
  ({ orgId, key, client } = customer);
}, 180_000);

afterAll(async () => {
  for (const child of started) child.kill();
  await customer.stop();
}, 60_000);

test('webhook receiver, quick start twice, count mentions, compare weeks, MCP, correct names, sync', async () => {
  const port = await freePort();
  const { partner } = customer;
  const url = `http://127.0.0.1:${port}/hook`;
  const endpoint = await partner.createWebhookEndpoint({ url });
  const receiver = start('webhook-receiver', { PORT: `${port}`, BV_WEBHOOK_SECRET: endpoint.secret });
  await eventually(() => expect(receiver.output.out).toContain('listening'));
  await partner.testWebhookEndpoint({ endpointId: endpoint.id });
  await eventually(() => expect(receiver.output.out).toContain(`endpoint.ping ${endpoint.id}`));
  await eventually(async () => {
    expect(await partner.listWebhookEndpoints().all()).toMatchObject([{ status: 'active' }]);
  });
  await partner.createSubscription({ endpointId: endpoint.id }, { event_type: 'scan.completed' });

  const first = await run('quick-start');
  expect(first).toMatch(/^completed: \d of 5 answers$/m);
  expect(first).toMatch(/^chatgpt: (?:mentioned at position \d|not mentioned)$/m);
  const second = await run('quick-start');
  const brandId = /^brand (\S+)$/m.exec(first)?.[1] ?? '';
  const jobId = /^scan (\S+)$/m.exec(first)?.[1] ?? '';
  expect(second).toContain(`brand ${brandId}`);
  await eventually(
    async () => {
      const job = await client.getScan({ orgId, brandId, jobId });
      expect(job).toMatchObject({ status: 'completed', units: { total: 5 } });
    },
    { timeoutMs: 120_000 },
  );
  await eventually(() => expect(receiver.output.out).toMatch(/scan\.completed Pipedrive score \d/), {
    timeoutMs: 60_000,
  });

  const counted = await run('count-mentions');
  expect(counted.trim().split('\n')).toHaveLength(5);
  expect(counted).toMatch(/^Pipedrive chatgpt \d\/\d$/m);

  const env = { BV_ORG_ID: orgId, BV_BRAND_ID: brandId };
  const weeks = await run('compare-weeks', env);
  expect(weeks).toMatch(/^\d{4}-\d\d-\d\d \S+ % \(\S+ to \S+\), \d+ answers$/m);
  expect(weeks).toMatch(/^not_comparable, \S+ to \S+ after \S+ to \S+\nreason too_few$/m);
  // The scan was today: the last seven complete days have no answers.
  expect(await run('mcp')).toMatch(/^Pipedrive\. score: .+ Verdict not_comparable\..*\n(?:- .+\n){2,}$/);
  const names = { ...env, BV_ALIAS: 'Pipedrive Sales CRM' };
  expect(await run('correct-names', names)).toMatch(/^completed: 0 of \d+ answers changed$/m);
  expect((await client.getBrand({ orgId, brandId })).aliases).toEqual([names.BV_ALIAS]);
  expect(await run('sync-prompts', env)).toMatch(/^1 created, 1 updated, 0 deactivated$/m);
  expect(await run('sync-prompts', env)).toMatch(/^0 created, 0 updated, 0 deactivated$/m);
}, 240_000);

test('every program of the README', async () => {
  const { id } = await client.createProperty({ orgId }, { name: 'Readme', domain: 'readme-example.com' });
  const env = { BV_ORG_ID: orgId, BV_BRAND_ID: id };
  const [first = '', ...others] = readmeSamples();
  expect(await run('README', env, first)).toMatch(/^completed: \d of 5 answers\n/);
  const printed: string[] = [];
  for (const text of others) printed.push(await run('README', env, text));
  const [lists, write, error, webhook] = printed;
  expect(lists).toMatch(/^Acme Inc\n\d+\n$/);
  expect(write).toMatch(/^[0-9a-f-]{36} 201 [0-9a-f-]{36} false$/m);
  expect(error).toMatch(/^(?:exists: [0-9a-f-]{36}\n)?$/);
  expect(webhook).toBe('e\n');
}, 120_000);

/** A brand with one prompt and a scan, as the quick start creates it. That page has a test of its own. */
async function measureBrand(): Promise<string> {
  const { id: brandId } = await client.createProperty(
    { orgId },
    { name: 'Guides', domain: 'guides-example.com' },
  );
  const at = { orgId, brandId };
  await client.createPrompt(at, { text: 'Which CRM is best for a small company?', countries: ['US'] });
  await client.requestScan(at);
  return brandId;
}

test('the commands of the guides', async () => {
  const at = { orgId, brandId: await measureBrand() };
  const variables = { API: customer.baseUrl, KEY: key, ORG: orgId, BRAND: at.brandId };
  const run = (guide: string) =>
    Promise.all(
      curlCommands(guide).map(async (command): Promise<[status: number, data: unknown]> => {
        const response = await command(variables);
        return [response.status, ((await response.json()) as { data: unknown }).data];
      }),
    );
  const [methodology, ...measured] = await run('methodology');
  expect(methodology).toEqual([200, await client.getMethodology()]);
  expect(measured.map(([status]) => status)).toEqual([200, 200]);
  const repeated = [await run('idempotency'), await run('idempotency')];
  expect(repeated[0]).toEqual([[201, expect.objectContaining({ text: 'What does a CRM cost?' })]]);
  expect(repeated[1]).toEqual(repeated[0]);

  await eventually(async () => expect(await client.listMentions(at).all()).toHaveLength(5), {
    timeoutMs: 60_000,
  });
  const url = `${customer.baseUrl}/orgs/${orgId}/brands/${at.brandId}/mentions`;
  expect(await loadGuideReader()(url, key)).toEqual(await client.listMentions(at).all());
}, 120_000);
