/**
 * Runs the secret rotations of docs/operations/secrets-rotation.md: three rolling restarts of a stack that serves requests. Keys, cursors
 * and responses of the old secrets stay valid until the last restart and are rejected after it.
 *   pnpm drill:rotation
 */
import { spawnSync } from 'node:child_process';
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrandVisibilityClient, type ErrorCode, isApiError, verifyWebhook } from '@bv/sdk';
import {
  privateStackOptions,
  type Stack,
  startReceiver,
  startStack,
  steadyEnvironment,
  waitUntil,
} from '@bv/local-stack';
import { createCustomer, createKey, createOperatorClient } from '../fuzz/prepare.ts';

const lists = ['CALLER_SECRETS', 'CURSOR_KEYS', 'IDEMPOTENCY_KEYS', 'KEY_PEPPERS', 'WEBHOOKS_SECRET_KEYS'];
const report = (line: string): void => console.log(line);
const receiver = await startReceiver();

/** Restarts every process that has one of the variables with its new value, one after the other. */
async function restartWith(stack: Stack, values: Record<string, string>, between: () => Promise<void>) {
  for (const { name, env, readyUrl } of stack.plan) {
    const own = Object.entries(values).filter(([variable]) => variable in env);
    const service = stack.services.get(name);
    if (own.length === 0 || service === undefined) continue;
    Object.assign(env, Object.fromEntries(own));
    const previous = service.pid();
    process.kill(previous, 'SIGTERM');
    const back = async (): Promise<boolean> =>
      service.pid() !== previous &&
      (await fetch(readyUrl).then(
        ({ ok }) => ok,
        () => false,
      ));
    assert(await waitUntil(back, { timeoutMs: 90_000, intervalMs: 100 }), `${name} did not restart`);
    await between();
  }
}

/** Creates what clients keep while secrets change: a key, a cursor, an idempotency key, an endpoint. */
async function createClientState(stack: Stack) {
  const { orgId, partnerId, key } = await createCustomer(stack);
  const client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
  const write = { name: 'Kept', domain: 'kept.com' };
  const idempotencyKey = randomBytes(8).toString('hex');
  const created = await client.createProperty({ orgId }, write, { idempotencyKey });
  await client.createProperty({ orgId }, { name: 'Other', domain: 'other.com' });
  const [page] = await firstPage(client, orgId);
  const endpoint = await client.createWebhookEndpoint({ url: receiver.url });
  return {
    orgId,
    partnerId,
    client,
    key,
    write,
    idempotencyKey,
    created,
    cursor: page?.nextCursor ?? '',
    endpoint,
  };
}
type ClientState = Awaited<ReturnType<typeof createClientState>>;

async function firstPage(client: BrandVisibilityClient, orgId: string) {
  for await (const page of client.listBrands({ orgId, limit: 1 }).pages()) return [page];
  return [];
}

/** Sends a ping and checks that it is signed with exactly these secrets. */
async function ping({ client }: ClientState, endpointId: string, ...secrets: string[]): Promise<void> {
  const { event_id: id } = await client.testWebhookEndpoint({ endpointId });
  const delivery = await receiver.waitFor(({ headers }) => headers['webhook-id'] === id, 30_000);
  for (const secret of secrets) await verifyWebhook(delivery, secret);
  await assert.rejects(verifyWebhook(delivery, `whsec_${randomBytes(32).toString('base64')}`));
  const signatures = String(delivery.headers['webhook-signature']).split(' ');
  assert.equal(signatures.length, secrets.length);
}

async function checkStillValid(clientState: ClientState): Promise<void> {
  const { client, orgId, write, idempotencyKey, created, cursor, endpoint } = clientState;
  assert.deepEqual(await client.createProperty({ orgId }, write, { idempotencyKey }), created);
  const rest = await client.listBrands({ orgId, cursor }).all();
  assert.equal(rest.length, 1);
  await ping(clientState, endpoint.id, endpoint.secret);
}

/** Number of secrets that are encrypted with an older key. Every webhooks process reports the same. */
async function countSecretsOfOlderKeys(stack: Stack): Promise<number> {
  const readyUrl = stack.plan.find(({ name }) => name === 'webhooks-api')?.readyUrl;
  const text = await (await fetch(new URL('/metrics', readyUrl))).text();
  return Number(/^bv_webhooks_secrets\{key="older".*\} (\d+)$/m.exec(text)?.[1]);
}

async function checkRefused(code: ErrorCode, call: () => Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => isApiError(error, code));
}

async function rotateLists(stack: Stack): Promise<void> {
  const before = new Map(
    lists.map((name) => [name, stack.plan.find(({ env }) => env[name])?.env[name] ?? '']),
  );
  const fresh = new Map(
    lists.map((name) => [
      name,
      name === 'CALLER_SECRETS' ? randomBytes(24).toString('hex') : `2:${randomBytes(32).toString('base64')}`,
    ]),
  );
  const values = (join: (previous: string, next: string) => string): Record<string, string> =>
    Object.fromEntries(lists.map((name) => [name, join(before.get(name) ?? '', fresh.get(name) ?? '')]));
  const old = await createClientState(stack);
  const rotating = await old.client.createWebhookEndpoint({ url: receiver.url });

  report('new secrets last: all processes accept them');
  await restartWith(
    stack,
    values((previous, next) => `${previous},${next}`),
    () => checkStillValid(old),
  );
  report('new secrets first: all processes use them');
  await restartWith(
    stack,
    values((previous, next) => `${next},${previous}`),
    () => checkStillValid(old),
  );
  const next = await createClientState(stack);
  await checkStillValid(next);

  report('secret of an endpoint: both sign, and it is encrypted with the new key');
  const { secret } = await old.client.rotateWebhookSecret({ endpointId: rotating.id });
  await ping(old, rotating.id, secret, rotating.secret);

  report('dispatchers re-encrypt the secrets of endpoints with the new key');
  const allReencrypted = async (): Promise<boolean> => (await countSecretsOfOlderKeys(stack)) === 0;
  assert(
    await waitUntil(allReencrypted, { timeoutMs: 60_000, intervalMs: 500 }),
    'some secrets are still encrypted with the old key',
  );
  const newKey = await createKey(stack, old.partnerId);

  report('old secrets removed');
  await restartWith(
    stack,
    values((_, fresher) => fresher),
    async () => undefined,
  );
  await checkStillValid(next);
  const successor = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: newKey });
  await ping({ ...old, client: successor }, old.endpoint.id, old.endpoint.secret);
  await checkRefused('invalid_api_key', () => old.client.getOrg({ orgId: old.orgId }));
  await checkRefused('invalid_cursor', () =>
    next.client.listBrands({ orgId: next.orgId, cursor: old.cursor }).all(),
  );
}

async function rotateSingles(stack: Stack): Promise<void> {
  report('operator token');
  const token = randomBytes(24).toString('hex');
  await restartWith(stack, { OPERATOR_TOKEN: token }, async () => undefined);
  await assert.rejects(
    createOperatorClient(stack)('POST', '/orgs', { name: 'Refused', tier: 'growth' }),
    /401/,
  );
  stack.secrets.operatorToken = token;
  const clientState = await createClientState(stack);

  report('passwords of the database roles');
  const passwords = new Map<string, string>();
  const url = (written: string): string => {
    const changed = new URL(written);
    const { username } = changed;
    changed.password = passwords.get(username) ?? randomBytes(16).toString('hex');
    passwords.set(username, changed.password);
    return changed.href;
  };
  const urls = stack.plan.flatMap((service) => {
    const { DATABASE_URL } = service.env;
    return DATABASE_URL === undefined ? [] : [{ service, url: url(DATABASE_URL) }];
  });
  const variables = urls.map((each) => {
    const name = new URL(each.url).username.replace('bv_', '').toUpperCase();
    return [`${name}_DATABASE_URL`, each.url];
  });
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--conditions=@bv/source', join(import.meta.dirname, '../../libs/migrator/src/main.ts')],
    {
      env: {
        ...Object.fromEntries(variables),
        ADMIN_DATABASE_URL: stack.urls.postgres,
        NODE_ENV: 'development',
      },
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stdout);
  await checkStillValid(clientState);
  for (const each of urls) {
    const one = { ...stack, plan: [each.service] };
    await restartWith(one, { DATABASE_URL: each.url }, async () => undefined);
  }
  await checkStillValid(clientState);
}

const scratch = await mkdtemp(join(tmpdir(), 'bv-drill-'));
await chmod(scratch, 0o755);
try {
  const options = privateStackOptions(join(scratch, 'data'), steadyEnvironment);
  const stack = await startStack(options, () => undefined);
  try {
    await rotateLists(stack);
    await rotateSingles(stack);
  } finally {
    await stack.stop();
  }
  report('every secret is rotated without loss');
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
