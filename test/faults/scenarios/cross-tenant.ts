import { randomUUID } from 'node:crypto';
import { operations, type Operation } from '@bv/contract';
import { checkLeaks, type Attempt } from '../checkers/leaks.ts';
import { createPartner, link, operated, type CallOptions } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { rowsAbout } from '../harness/tables.ts';
import { createWorld, type Tenant, type World } from '../harness/world.ts';

type Credentials = { name: string; kind: 'organisation' | 'partner'; write: boolean; key: string };

/** Bodies that an operation would accept, so that nothing but the owner can be why it is refused. */
const bodies: Record<string, (ids: Record<string, string>) => unknown> = {
  createProperty: () => ({ name: 'Stolen', domain: 'stolen.com' }),
  linkCompetitor: () => ({ name: 'Stolen', domain: 'stolen.com' }),
  updateLink: () => ({ external_ref: 'stolen' }),
  createPrompt: () => ({ text: 'stolen', countries: ['US'] }),
  syncPrompts: () => ({ prompts: [{ text: 'stolen', countries: ['US'] }] }),
  updatePrompt: () => ({ active: false }),
  createWebhookEndpoint: () => ({ url: 'https://example.com/stolen' }),
  updateWebhookEndpoint: () => ({ description: 'stolen' }),
  createSubscription: () => ({ event_type: 'scan.completed' }),
};

/** Every way to put somebody else's id into the path beside ids of one's own. */
function paths(operation: Operation, victim: Tenant, attacker: Tenant): string[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const found = new Set<string>();
  for (let choice = 1; choice < 2 ** names.length; choice += 1) {
    let path = operation.path;
    for (const [index, name] of names.entries()) {
      const owner = (choice & (1 << index)) === 0 ? attacker : victim;
      path = path.replace(`{${name}}`, owner.ids[name] ?? '');
    }
    found.add(path);
  }
  return [...found];
}

function unknownIds(path: string, { ids }: Tenant): string {
  return Object.values(ids).reduce((changed, id) => changed.replaceAll(id, randomUUID()), path);
}

/** The refusals that tell nothing: reach first, then whose operation it is, then the write rule, then the id. */
function allowedFor(
  operation: Operation,
  path: string,
  credentials: Credentials,
  victim: Tenant,
): Attempt['allowed'] {
  const foreignOrg = path.includes(`/orgs/${victim.ids['orgId']}`);
  if (foreignOrg) return [[404, 'not_found']];
  if (operation.partnerOnly && credentials.kind === 'organisation') return [[403, 'partner_only']];
  if (operation.access === 'write' && !credentials.write) {
    return [
      [403, 'write_scope_required'],
      [403, 'link_scope_insufficient'],
    ];
  }
  return [[404, 'not_found']];
}

async function attackPaths(context: Context, world: World, keys: Credentials[]): Promise<Attempt[]> {
  const { system } = context;
  const attempts: Attempt[] = [];
  for (const operation of operations) {
    for (const path of paths(operation, world.victim, world.attacker)) {
      const body = bodies[operation.id]?.(world.attacker.ids);
      if (operation.body !== null && body === undefined) throw new Error(`no body for ${operation.id}`);
      for (const credentials of keys) {
        const { key, name } = credentials;
        const options = { key, ...(body === undefined ? {} : { body }) };
        const answer = await system.call(operation.method, path, options);
        const nowhere = await system.call(operation.method, unknownIds(path, world.victim), options);
        attempts.push({
          name: `${operation.id} ${path} with ${name}`,
          sent: path + JSON.stringify(body ?? ''),
          status: answer.status,
          code: answer.body?.error?.code ?? null,
          text: answer.text,
          unknown: nowhere.text,
          allowed: allowedFor(operation, path, credentials, world.victim),
        });
      }
    }
  }
  return attempts;
}

type Sideways = {
  name: string;
  path: string;
  method?: string;
  options?: CallOptions;
  allowed: Attempt['allowed'];
};

/** Ids in places other than the path: filters, bodies, cursors, idempotency keys. */
async function sidewaysCalls(context: Context, { victim, attacker }: World): Promise<Sideways[]> {
  const { system } = context;
  const own = attacker.ids;
  const theirs = victim.ids;
  const calls: Sideways[] = [
    {
      name: 'filter brand_id',
      path: `/orgs/${own['orgId']}/prompts?brand_id=${theirs['brandId']}`,
      allowed: [[200, null]],
    },
    ...(['org_id', 'brand_id'] as const).map((field) => ({
      name: `subscription to ${field}`,
      method: 'POST',
      path: `/webhook-endpoints/${own['endpointId']}/subscriptions`,
      options: {
        body: { event_type: 'scan.completed', [field]: theirs[field === 'org_id' ? 'orgId' : 'brandId'] },
      },
      allowed: [
        [404, 'not_found'],
        [400, 'validation_error'],
      ] as const,
    })),
  ];
  for (const [list, keyOf] of [
    ['/orgs/{orgId}/prompts', 'customer'],
    ['/orgs/{orgId}/brands/{brandId}/mentions', 'customer'],
    ['/webhook-endpoints/{endpointId}/deliveries', 'partner'],
  ] as const) {
    const at = (tenant: Tenant): string =>
      list.replaceAll(/\{(\w+)\}/g, (_, name: string) => tenant.ids[name] ?? '');
    const first = await system.call('GET', `${at(victim)}?limit=1`, { key: victim[keyOf].key });
    const cursor = first.body.pagination.next_cursor;
    if (cursor === null) continue;
    calls.push({
      name: `the victim's cursor of ${list}`,
      path: `${at(attacker)}?limit=1&cursor=${cursor}`,
      allowed: [[400, 'invalid_cursor']],
    });
  }
  return calls;
}

async function attackSideways(context: Context, world: World): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const { name, path, method = 'GET', options = {}, allowed } of await sidewaysCalls(context, world)) {
    const { key } = path.startsWith('/webhook') ? world.attacker.partner : world.attacker.customer;
    const answer = await context.system.call(method, path, { ...options, key });
    const code = answer.body?.error?.code ?? null;
    const sent = path + JSON.stringify(options.body ?? '');
    attempts.push({ name, sent, status: answer.status, code, text: answer.text, allowed });
  }
  return attempts;
}

/** A key of the victim's that the attacker guessed: the stored answer belongs to the owner. */
async function attackIdempotency(context: Context, { victim, attacker }: World): Promise<Attempt> {
  const headers = { 'idempotency-key': 'guessed' };
  const body = { text: `${victim.marks[0]} kept answer`, countries: ['US'] };
  const at = ({ ids }: Tenant): string => `/orgs/${ids['orgId']}/brands/${ids['brandId']}/prompts`;
  const kept = await context.system.call('POST', at(victim), { key: victim.customer.key, body, headers });
  if (kept.status !== 201) throw new Error(`the victim's own write: ${kept.text}`);
  const { key } = attacker.customer;
  const answer = await context.system.call('POST', at(attacker), {
    key,
    body: { ...body, text: 'mine' },
    headers,
  });
  return {
    name: "the victim's idempotency key",
    sent: 'mine',
    status: answer.status,
    code: null,
    text: answer.text,
    allowed: [[201, null]],
  };
}

async function run(context: Context): Promise<Outcome> {
  const { system, say } = context;
  const world = await createWorld(system, `xt${context.random.between(1, 999_999)}`);
  const { victim, attacker } = world;
  const { orgId } = attacker.customer;
  const reader = await operated(system, 'POST', `/orgs/${orgId}/keys`, { per_minute: 1_000_000 });
  const readOnlyLink = await createPartner(system);
  await link(system, readOnlyLink, orgId, 'read_only');
  const partnerReader = await operated(system, 'POST', `/partners/${attacker.partner.partnerId}/keys`, {
    per_minute: 1_000_000,
  });
  const keys: Credentials[] = [
    { name: 'an organisation key', kind: 'organisation', write: true, key: attacker.customer.key },
    { name: 'a reading organisation key', kind: 'organisation', write: false, key: reader.key },
    { name: 'a partner key', kind: 'partner', write: true, key: attacker.partner.key },
    { name: 'a reading partner key', kind: 'partner', write: false, key: partnerReader.key },
  ];
  const guessed = await attackIdempotency(context, world);
  const ids = Object.values(victim.ids);
  // What the victim's own reads move is not the attacker's doing, and nobody reads as the victim from here on.
  const sideways = await attackSideways(context, world);
  await settled(context, ids);
  const before = await rowsAbout(system, ids);
  say(`${operations.length} operations, ${keys.length} kinds of keys`);
  const attempts = [guessed, ...sideways, ...(await attackPaths(context, world, keys))];
  await world.receiver.close();
  const after = await rowsAbout(system, ids);
  // Ids that the attacker knows may come back in what it sent; names and texts never.
  const marks = [...victim.marks, victim.webhookSecret, ...ids];
  return {
    violations: checkLeaks(attempts, marks, before, after),
    did: `${attempts.length} attempts on ${operations.length} operations, none may show or change anything`,
  };
}

/** The last events of the victim's own doings are on their way for a moment. */
async function settled({ system }: Context, ids: string[]): Promise<void> {
  for (let earlier = ''; ;) {
    const now = JSON.stringify([...(await rowsAbout(system, ids))]);
    if (now === earlier) return;
    earlier = now;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
}

export const crossTenant: Scenario = {
  name: 'cross-tenant',
  promise: 'no id of another tenant, anywhere in a request, shows or changes anything of theirs',
  run,
};
