import { randomUUID } from 'node:crypto';
import { operations, type Operation } from '@bv/contract';
import { checkLeaks, type Attempt } from '../checkers/leaks.ts';
import { createPartner, link, operateOrFail, type CallOptions } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { digestRows } from '../harness/tables.ts';
import { createFixture, type Tenant, type Fixture } from '../harness/fixture.ts';

type Credentials = { name: string; kind: 'organisation' | 'partner'; write: boolean; key: string };

/** Valid bodies, so that the owner can be the only reason for a refusal. */
const bodies: Record<string, (ids: Record<string, string>) => unknown> = {
  createProperty: () => ({ name: 'Stolen', domain: 'stolen.com' }),
  updateBrand: () => ({ name: 'Stolen' }),
  linkCompetitor: () => ({ name: 'Stolen', domain: 'stolen.com' }),
  updateLink: () => ({ external_ref: 'stolen' }),
  createPrompt: () => ({ text: 'stolen', countries: ['US'] }),
  syncPrompts: () => ({ prompts: [{ text: 'stolen', countries: ['US'] }] }),
  updatePrompt: () => ({ active: false }),
  reprocessBrand: () => ({}),
  recoverDeliveries: () => ({ since: new Date(Date.now() - 86_400_000).toISOString() }),
  createWebhookEndpoint: () => ({ url: 'https://example.com/stolen' }),
  updateWebhookEndpoint: () => ({ description: 'stolen' }),
  createSubscription: () => ({ event_type: 'scan.completed' }),
  createExperiment: () => ({
    name: 'Stolen',
    starts_on: new Date().toISOString().slice(0, 10),
    treated: { tags: ['treated'] },
    control: { tags: ['control'] },
  }),
};

/** What a request requires. */
const queries: Record<string, string> = { getCoverage: '?subject=brands' };

/** Every combination of own and foreign ids in the path, with at least one foreign id. */
function paths(operation: Operation, victim: Tenant, attacker: Tenant): string[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const found = new Set<string>();
  for (let choice = 1; choice < 2 ** names.length; choice += 1) {
    let path = operation.path;
    for (const [index, name] of names.entries()) {
      const owner = (choice & (1 << index)) === 0 ? attacker : victim;
      path = path.replace(`{${name}}`, owner.ids[name] ?? '');
    }
    found.add(path + (queries[operation.id] ?? ''));
  }
  return [...found];
}

function unknownIds(path: string, { ids }: Tenant): string {
  return Object.values(ids).reduce((changed, id) => changed.replaceAll(id, randomUUID()), path);
}

/** Refusals that reveal nothing. Order of checks: access to the organisation, partner only, write rule, id. */
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

async function attackPaths(context: Context, fixture: Fixture, keys: Credentials[]): Promise<Attempt[]> {
  const { system } = context;
  const attempts: Attempt[] = [];
  for (const operation of operations) {
    for (const path of paths(operation, fixture.victim, fixture.attacker)) {
      const body = bodies[operation.id]?.(fixture.attacker.ids);
      if (operation.body !== null && body === undefined) throw new Error(`no body for ${operation.id}`);
      for (const credentials of keys) {
        const { key, name } = credentials;
        const options = { key, ...(body === undefined ? {} : { body }) };
        const response = await system.call(operation.method, path, options);
        const nowhere = await system.call(operation.method, unknownIds(path, fixture.victim), options);
        attempts.push({
          name: `${operation.id} ${path} with ${name}`,
          sent: path + JSON.stringify(body ?? ''),
          status: response.status,
          code: response.body?.error?.code ?? null,
          text: response.text,
          unknown: nowhere.text,
          allowed: allowedFor(operation, path, credentials, fixture.victim),
        });
      }
    }
  }
  return attempts;
}

type IndirectCall = {
  name: string;
  path: string;
  method?: string;
  options?: CallOptions;
  allowed: Attempt['allowed'];
};

/** Ids in places other than the path: filters, bodies, cursors, idempotency keys. */
async function listIndirectCalls(context: Context, { victim, attacker }: Fixture): Promise<IndirectCall[]> {
  const { system } = context;
  const own = attacker.ids;
  const theirs = victim.ids;
  const calls: IndirectCall[] = [
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
  for (const [list, credential] of [
    ['/orgs/{orgId}/prompts', 'customer'],
    ['/orgs/{orgId}/brands/{brandId}/mentions', 'customer'],
    ['/webhook-endpoints/{endpointId}/deliveries', 'partner'],
  ] as const) {
    const at = (tenant: Tenant): string =>
      list.replaceAll(/\{(\w+)\}/g, (_, name: string) => tenant.ids[name] ?? '');
    const first = await system.call('GET', `${at(victim)}?limit=1`, { key: victim[credential].key });
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

async function attackIndirectly(context: Context, fixture: Fixture): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const { name, path, method = 'GET', options = {}, allowed } of await listIndirectCalls(
    context,
    fixture,
  )) {
    const { key } = path.startsWith('/webhook') ? fixture.attacker.partner : fixture.attacker.customer;
    const response = await context.system.call(method, path, { ...options, key });
    const code = response.body?.error?.code ?? null;
    const sent = path + JSON.stringify(options.body ?? '');
    attempts.push({ name, sent, status: response.status, code, text: response.text, allowed });
  }
  return attempts;
}

/** The attacker guesses an idempotency key of the victim. The stored response belongs to its owner. */
async function attackIdempotency(context: Context, { victim, attacker }: Fixture): Promise<Attempt> {
  const headers = { 'idempotency-key': 'guessed' };
  const body = { text: `${victim.marks[0]} stored answer`, countries: ['US'] };
  const at = ({ ids }: Tenant): string => `/orgs/${ids['orgId']}/brands/${ids['brandId']}/prompts`;
  const stored = await context.system.call('POST', at(victim), { key: victim.customer.key, body, headers });
  if (stored.status !== 201) throw new Error(`the victim's own write: ${stored.text}`);
  const { key } = attacker.customer;
  const response = await context.system.call('POST', at(attacker), {
    key,
    body: { ...body, text: 'mine' },
    headers,
  });
  return {
    name: "the victim's idempotency key",
    sent: 'mine',
    status: response.status,
    code: null,
    text: response.text,
    allowed: [[201, null]],
  };
}

async function run(context: Context): Promise<Outcome> {
  const { system, report } = context;
  const fixture = await createFixture(system, `xt${context.random.between(1, 999_999)}`);
  const { victim, attacker } = fixture;
  const { orgId } = attacker.customer;
  const reader = await operateOrFail(system, 'POST', `/orgs/${orgId}/keys`, { per_minute: 1_000_000 });
  const readOnlyLink = await createPartner(system);
  await link(system, readOnlyLink, orgId, 'read_only');
  const partnerReader = await operateOrFail(system, 'POST', `/partners/${attacker.partner.partnerId}/keys`, {
    per_minute: 1_000_000,
  });
  const keys: Credentials[] = [
    { name: 'an organisation key', kind: 'organisation', write: true, key: attacker.customer.key },
    { name: 'a read-only organisation key', kind: 'organisation', write: false, key: reader.key },
    { name: 'a partner key', kind: 'partner', write: true, key: attacker.partner.key },
    { name: 'a read-only partner key', kind: 'partner', write: false, key: partnerReader.key },
  ];
  const guessed = await attackIdempotency(context, fixture);
  const ids = Object.values(victim.ids);
  // Reads of the victim change its rows, so there are none after this point.
  const sideways = await attackIndirectly(context, fixture);
  await waitUntilUnchanged(context, ids);
  const before = await digestRows(system, ids);
  report(`${operations.length} operations, ${keys.length} kinds of keys`);
  const attempts = [guessed, ...sideways, ...(await attackPaths(context, fixture, keys))];
  await fixture.receiver.close();
  const after = await digestRows(system, ids);
  // A response may repeat ids that the attacker sent, but never names and texts.
  const marks = [...victim.marks, victim.webhookSecret, ...ids];
  return {
    violations: checkLeaks(attempts, marks, before, after),
    summary: `${attempts.length} attempts on ${operations.length} operations`,
  };
}

/** Waits until events of the victim's own calls no longer change its rows. */
async function waitUntilUnchanged({ system }: Context, ids: string[]): Promise<void> {
  for (let earlier = ''; ;) {
    const now = JSON.stringify([...(await digestRows(system, ids))]);
    if (now === earlier) return;
    earlier = now;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
}

export const crossTenant: Scenario = {
  name: 'cross-tenant',
  guarantee: 'no id of another tenant, anywhere in a request, reads or changes its data',
  run,
};
