/**
 * Tries the rotations of docs/operations.md: three roll-outs, process by process, over a stack that is asked all the
 * while. Keys, cursors and responses of the old secrets stay valid until the last roll-out and are rejected after it.
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
} from '@bv/stack';
import { makeCustomer, makeKey, operatorOf } from './fuzz-api/prepare.ts';

const lists = ['CALLER_SECRETS', 'CURSOR_KEYS', 'IDEMPOTENCY_KEYS', 'KEY_PEPPERS', 'WEBHOOKS_SECRET_KEYS'];
const say = (line: string): void => console.log(line);
const receiver = await startReceiver();

/** Gives every process that has one of the variables its new value, one process after the other. */
async function rollOut(stack: Stack, values: Record<string, string>, between: () => Promise<void>) {
  for (const { name, env, readyUrl } of stack.plan) {
    const own = Object.entries(values).filter(([variable]) => variable in env);
    const service = stack.services.get(name);
    if (own.length === 0 || service === undefined) continue;
    Object.assign(env, Object.fromEntries(own));
    const former = service.pid();
    process.kill(former, 'SIGTERM');
    const back = async (): Promise<boolean> =>
      service.pid() !== former &&
      (await fetch(readyUrl).then(
        ({ ok }) => ok,
        () => false,
      ));
    assert(await waitUntil(back, { timeoutMs: 90_000, intervalMs: 100 }), `${name} does not come back`);
    await between();
  }
}

/** What is kept by somebody while the secrets change: a key, a cursor, a stored answer, an endpoint. */
async function hold(stack: Stack) {
  const { orgId, partnerId, key } = await makeCustomer(stack);
  const client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
  const write = { name: 'Kept', domain: 'kept.com' };
  const idempotencyKey = randomBytes(8).toString('hex');
  const made = await client.createProperty({ orgId }, write, { idempotencyKey });
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
    made,
    cursor: page?.nextCursor ?? '',
    endpoint,
  };
}
type Held = Awaited<ReturnType<typeof hold>>;

async function firstPage(client: BrandVisibilityClient, orgId: string) {
  for await (const page of client.listBrands({ orgId, limit: 1 }).pages()) return [page];
  return [];
}

/** A ping to the endpoint, which its secret and no other signs. */
async function ping({ client }: Held, endpointId: string, ...secrets: string[]): Promise<void> {
  const { event_id: id } = await client.testWebhookEndpoint({ endpointId });
  const delivery = await receiver.waitFor(({ headers }) => headers['webhook-id'] === id, 30_000);
  for (const secret of secrets) await verifyWebhook(delivery, secret);
  await assert.rejects(verifyWebhook(delivery, `whsec_${randomBytes(32).toString('base64')}`));
  const signatures = String(delivery.headers['webhook-signature']).split(' ');
  assert.equal(signatures.length, secrets.length);
}

async function stillGood(held: Held): Promise<void> {
  const { client, orgId, write, idempotencyKey, made, cursor, endpoint } = held;
  assert.deepEqual(await client.createProperty({ orgId }, write, { idempotencyKey }), made);
  const rest = await client.listBrands({ orgId, cursor }).all();
  assert.equal(rest.length, 1);
  await ping(held, endpoint.id, endpoint.secret);
}

/** The same value from every process of webhooks. */
async function secretsOfOlderKeys(stack: Stack): Promise<number> {
  const readyUrl = stack.plan.find(({ name }) => name === 'webhooks-api')?.readyUrl;
  const text = await (await fetch(new URL('/metrics', readyUrl))).text();
  return Number(/^bv_webhooks_secrets\{key="older".*\} (\d+)$/m.exec(text)?.[1]);
}

async function refused(code: ErrorCode, call: () => Promise<unknown>): Promise<void> {
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
  const values = (join: (former: string, next: string) => string): Record<string, string> =>
    Object.fromEntries(lists.map((name) => [name, join(before.get(name) ?? '', fresh.get(name) ?? '')]));
  const old = await hold(stack);
  const rotating = await old.client.createWebhookEndpoint({ url: receiver.url });

  say('the new ones last: accepted by all');
  await rollOut(
    stack,
    values((former, next) => `${former},${next}`),
    () => stillGood(old),
  );
  say('the new ones first: used');
  await rollOut(
    stack,
    values((former, next) => `${next},${former}`),
    () => stillGood(old),
  );
  const next = await hold(stack);
  await stillGood(next);

  say("an endpoint's secret: both sign, and it is sealed with the new key");
  const { secret } = await old.client.rotateWebhookSecret({ endpointId: rotating.id });
  await ping(old, rotating.id, secret, rotating.secret);

  say("the dispatchers seal endpoints' secrets with the new key");
  const sealedAnew = async (): Promise<boolean> => (await secretsOfOlderKeys(stack)) === 0;
  assert(await waitUntil(sealedAnew, { timeoutMs: 60_000, intervalMs: 500 }), 'the old key still seals');
  const keyOfOld = await makeKey(stack, old.partnerId);

  say('the old ones away');
  await rollOut(
    stack,
    values((_, fresher) => fresher),
    async () => undefined,
  );
  await stillGood(next);
  const successor = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: keyOfOld });
  await ping({ ...old, client: successor }, old.endpoint.id, old.endpoint.secret);
  await refused('invalid_api_key', () => old.client.getOrg({ orgId: old.orgId }));
  await refused('invalid_cursor', () =>
    next.client.listBrands({ orgId: next.orgId, cursor: old.cursor }).all(),
  );
}

async function rotateSingles(stack: Stack): Promise<void> {
  say("the operator's token");
  const token = randomBytes(24).toString('hex');
  await rollOut(stack, { OPERATOR_TOKEN: token }, async () => undefined);
  await assert.rejects(operatorOf(stack)('POST', '/orgs', { name: 'Refused', tier: 'growth' }), /401/);
  stack.secrets.operatorToken = token;
  const held = await hold(stack);

  say('passwords of the roles');
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
    ['--conditions=@bv/source', join(import.meta.dirname, '../libs/migrator/src/main.ts')],
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
  await stillGood(held);
  for (const each of urls) {
    const one = { ...stack, plan: [each.service] };
    await rollOut(one, { DATABASE_URL: each.url }, async () => undefined);
  }
  await stillGood(held);
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
  say('every secret is rotated, and nothing was lost on the way');
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
