/**
 * Runs the commands for backup and restore in docs/operations/backup.md, as the administrator of a managed Postgres. A stack
 * with data is backed up and then gets further writes. A second stack uses the restored database. It must return the
 * responses from the time of the backup, and complete a new scan.
 */
import { strict as assert } from 'node:assert';
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { BrandVisibilityClient } from '@bv/sdk';
import {
  chooseSource,
  dataStoreIds,
  freePort,
  privateStackOptions,
  type Stack,
  type StackOptions,
  startReceiver,
  startStack,
  steadyEnvironment,
} from '@bv/local-stack';
import {
  createCustomer,
  createMeasuredBrands,
  createOperatorClient,
  createWebhook,
} from '../fuzz/prepare.ts';
import { databaseVariables, runCommands, runDocumentedCommands } from './documented-commands.ts';

const scratch = await mkdtemp(join(tmpdir(), 'bv-drill-'));
await chmod(scratch, 0o755);
const report = (line: string): void => console.log(line);
/** The LLM judge sorts the names of answers right after a restart, which changes brands between two readings. */
const environment = { ...steadyEnvironment, SENTIMENT_JUDGE: 'off' };
const stackOptions = (dataDir: string): StackOptions => privateStackOptions(dataDir, environment);

type Ids = Awaited<ReturnType<typeof fill>>;

const receiver = await startReceiver();

async function fill(stack: Stack) {
  const { orgId, key } = await createCustomer(stack);
  const client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
  const found = await createMeasuredBrands(client, orgId);
  return {
    orgId,
    key,
    brandId: found.BV_FUZZ_BRAND,
    promptId: found.BV_FUZZ_PROMPT,
    ...(await createWebhook(client, receiver)),
  };
}

/** Reads data of every service. */
async function read(stack: Stack, { orgId, key, brandId, promptId, BV_FUZZ_ENDPOINT: endpointId }: Ids) {
  const client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
  const at = { orgId, brandId };
  return {
    org: await client.getOrg({ orgId }),
    brand: await client.getBrand(at),
    brands: await client.listBrands({ orgId }).all(),
    summaries: await client.listBrandSummaries({ orgId }).all(),
    prompts: await client.listPrompts({ orgId }).all(),
    results: await client.listPromptResults({ orgId, promptId }).all(),
    mentions: await client.listMentions(at).all(),
    scores: await client.listScores(at).all(),
    voice: await client.listShareOfVoice(at).all(),
    sources: await client.listSources(at).all(),
    endpoints: await client.listWebhookEndpoints().all(),
    subscriptions: await client.listSubscriptions({ endpointId }).all(),
    deliveries: await client.listDeliveries({ endpointId }).all(),
  };
}

/** Repeats the reads until two of them, one second apart, are equal. */
async function readWhenStable(stack: Stack, ids: Ids) {
  for (let tries = 30; tries > 0; tries -= 1) {
    const reading = await read(stack, ids);
    await sleep(1_000);
    if (isDeepStrictEqual(reading, await read(stack, ids))) return reading;
  }
  throw new Error('responses of the API still change after 30 attempts');
}

/** The addresses for the administrator of a managed Postgres, who is no superuser and belongs to each service's role. */
function asAdministrator(serverUrl: string): Record<string, string> {
  const commands = `psql --quiet --dbname="$SERVER" <<'END'
create role dba login createdb createrole password 'dba';
set role dba;
select format('grant %I to dba', rolname) from pg_roles where rolname like 'bv\\_%' \\gexec
END`;
  runCommands(commands, { cwd: scratch, variables: { SERVER: serverUrl } });
  return databaseVariables(Object.assign(new URL(serverUrl), { username: 'dba', password: 'dba' }).href);
}

async function backUp(first: Stack, ids: Ids) {
  const before = await readWhenStable(first, ids);
  assert(before.mentions.length > 0 && before.scores.length > 0, 'nothing was measured');
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const variables = asAdministrator(first.urls.postgres);
  runDocumentedCommands('backup', { cwd: scratch, variables });
  const client = new BrandVisibilityClient({ baseUrl: first.baseUrl, apiKey: ids.key });
  await client.createProperty({ orgId: ids.orgId }, { name: 'Too late', domain: 'too-late.com' });
  return { before, since };
}

async function check(second: Stack, ids: Ids, { before, since }: Awaited<ReturnType<typeof backUp>>) {
  const operate = createOperatorClient(second);
  await operate('POST', '/events/republish', { since });
  assert.deepEqual(await readWhenStable(second, ids), before);
  const client = new BrandVisibilityClient({ baseUrl: second.baseUrl, apiKey: ids.key });
  const at = { orgId: ids.orgId, brandId: ids.brandId };
  const { job_id: jobId } = await client.requestScan(at);
  const deadline = Date.now() + 180_000;
  for (
    let status = 'queued';
    status !== 'completed';
    status = (await client.getScan({ ...at, jobId })).status
  ) {
    assert(Date.now() < deadline, `the scan after the restore is still ${status}`);
    await sleep(500);
  }
}

async function restoreBackup(): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = join(scratch, 'restored');
  const options = { ...stackOptions(dir), required: [...dataStoreIds], report, preferBinaries: true };
  const source = await chooseSource(options);
  const server = await source.start('postgres', {
    dir,
    port: await freePort(),
    logFile: `${dir}.log`,
    durable: false,
  });
  const variables = asAdministrator(server.url);
  runDocumentedCommands('restore', { cwd: scratch, variables });
  return { url: server.url, stop: () => server.stop() };
}

async function drill(): Promise<void> {
  const [firstDir, secondDir] = [join(scratch, 'first'), join(scratch, 'second')];
  const first = await startStack(stackOptions(firstDir), report);
  let ids: Ids;
  let kept: Awaited<ReturnType<typeof backUp>>;
  try {
    ids = await fill(first);
    kept = await backUp(first, ids);
  } finally {
    await first.stop();
  }
  const postgres = await restoreBackup();
  try {
    await mkdir(secondDir, { recursive: true });
    await copyFile(first.dataDir.secretsFile, join(secondDir, 'secrets.json'));
    const options = { ...stackOptions(secondDir), externalUrls: { postgres: postgres.url } };
    const second = await startStack(options, report);
    try {
      await check(second, ids, kept);
    } finally {
      await second.stop();
    }
  } finally {
    await postgres.stop();
  }
}

try {
  await drill();
  report('the restored stack returns the same data and completes a scan');
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
