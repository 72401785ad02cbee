import { createHmac, randomUUID } from 'node:crypto';
import { operations } from '@bv/contract';
import { callerHeader, signCaller, type Caller } from '@bv/http';
import { checkRefusals, type Refusal } from '../checkers/refusals.ts';
import { request, type Answer } from '../harness/client.ts';
import type { Random } from '../harness/random.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { createWorld, type Tenant, type World } from '../harness/world.ts';

const fill = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');

const refusal = (name: string, answer: Answer, allowed: Refusal['allowed']): Refusal => ({
  name,
  status: answer.status,
  code: answer.body?.error?.code ?? null,
  hasDetails: answer.body?.error?.details !== undefined,
  allowed,
});

function callerOf({ customer, ids }: Tenant): Caller {
  return {
    requestId: randomUUID(),
    keyId: customer.keyId,
    keyPrefix: customer.key.slice(0, 12),
    owner: { kind: 'organisation', id: ids['orgId'] ?? '' },
    orgId: ids['orgId'] ?? '',
    link: { scope: 'owner', externalRef: null },
    scopes: ['read', 'write'],
    operation: 'listPrompts',
    operationId: null,
    expiresAt: Date.now() + 60_000,
  };
}

/** What somebody inside the network, or with a header from a log of yesterday, could try at a service. */
function forgedCallers(tenant: Tenant, secret: string, random: Random): [string, string][] {
  const caller = callerOf(tenant);
  const good = signCaller(caller, secret);
  const [payload = '', signature = ''] = good.split('.');
  const otherPayload = signCaller({ ...caller, orgId: randomUUID() }, 'x').split('.')[0] ?? '';
  const flipped = Array.from({ length: 40 }, () => flip(good, random.between(0, good.length - 2)));
  const unsigned = createHmac('sha256', '').update(payload).digest('base64url');
  return [
    ['none', ''],
    ['words', 'admin'],
    ['plain JSON', JSON.stringify(caller)],
    ['no signature', payload],
    ['an empty signature', `${payload}.`],
    ['the signature of an empty secret', `${payload}.${unsigned}`],
    ['another secret', signCaller(caller, 'guessed')],
    ["another's payload", `${otherPayload}.${signature}`],
    ['expired', signCaller({ ...caller, expiresAt: Date.now() - 1 }, secret)],
    ['three parts', `${good}.${signature}`],
    ['a shorter signature', good.slice(0, -6)],
    ...flipped.map((header, index): [string, string] => [`flipped ${index}`, header]),
  ];
}

/** One letter becomes another, and with it bits that count. */
function flip(text: string, at: number): string {
  const letter = text[at] === 'A' ? 'Q' : 'A';
  return text.slice(0, at) + letter + text.slice(at + 1);
}

async function attackServices({ system, random }: Context, { victim }: World): Promise<Refusal[]> {
  const { secrets } = system.stack;
  const refusals: Refusal[] = [];
  for (const [service, origin] of serviceOrigins(system)) {
    const operation = operations.find(
      (candidate) => candidate.service === service && candidate.method === 'GET',
    );
    if (operation === undefined) continue;
    const url = `${origin}/v1${fill(operation.path, victim.ids)}`;
    for (const [name, header] of forgedCallers(victim, secrets.callerSecret, random)) {
      const answer = await request(url, 'GET', { headers: header === '' ? {} : { [callerHeader]: header } });
      refusals.push(refusal(`${service}: caller header, ${name}`, answer, [[401, 'invalid_caller']]));
    }
    const customer = { [callerHeader]: signCaller(callerOf(victim), secrets.callerSecret) };
    const plane = await request(`${origin}/operator/v1/orgs`, 'GET', { headers: customer });
    refusals.push(
      refusal(`${service}: a customer on the operator API`, plane, [
        [401, 'invalid_caller'],
        [404, 'not_found'],
      ]),
    );
  }
  return refusals;
}

function serviceOrigins({ stack }: System): [string, string][] {
  const { catalog, results, scans, webhooks } = stack.ports;
  return Object.entries({ catalog, results, scans, webhooks }).map(([name, { port }]) => [
    name,
    `http://127.0.0.1:${port}`,
  ]);
}

/** A header that is good in itself, sent to the edge: only the key in Authorization says who calls. */
async function attackEdge({ system }: Context, { victim, attacker }: World): Promise<Refusal[]> {
  const header = { [callerHeader]: signCaller(callerOf(victim), system.stack.secrets.callerSecret) };
  const path = fill('/orgs/{orgId}/prompts', victim.ids);
  const others = {
    'x-original-url': path,
    'x-rewrite-url': path,
    'x-http-method-override': 'DELETE',
    'x-forwarded-host': 'internal',
    forwarded: 'for=127.0.0.1',
  };
  const bare = await system.call('GET', path, { headers: header });
  const own = await system.call('GET', path, {
    key: attacker.customer.key,
    headers: { ...header, ...others },
  });
  const operator = await system.call('GET', '/orgs', { key: system.stack.secrets.operatorToken });
  const onOperator = await request(`${system.stack.operatorUrl}/orgs`, 'GET', {
    key: victim.customer.key,
    headers: header,
  });
  return [
    refusal('edge: a caller header instead of a key', bare, [[401, 'invalid_api_key']]),
    refusal("edge: the victim's caller header beside an own key", own, [[404, 'not_found']]),
    refusal("edge: the operator's token as a key", operator, [[401, 'invalid_api_key']]),
    refusal('operator API: a key and a caller header', onOperator, [[401, 'invalid_operator_token']]),
  ];
}

type List = { id: string; path: string; key: string };

function lists({ ids, customer, partner }: Tenant): List[] {
  return operations
    .filter(({ success }) => success.kind === 'list')
    .map(({ id, path, partnerOnly }) => ({
      id,
      path: fill(path, ids),
      key: partnerOnly ? partner.key : customer.key,
    }));
}

async function attackCursors({ system, random }: Context, { victim }: World): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  const invalid = [[400, 'invalid_cursor']] as const;
  const issued: (List & { cursor: string })[] = [];
  for (const list of lists(victim)) {
    const { body } = await system.call('GET', `${list.path}?limit=1`, list);
    if (body.pagination.next_cursor !== null) issued.push({ ...list, cursor: body.pagination.next_cursor });
  }
  const ask = async (
    list: List,
    name: string,
    cursor: string,
    allowed: Refusal['allowed'],
  ): Promise<void> => {
    const answer = await system.call(
      'GET',
      `${list.path}?limit=1&cursor=${encodeURIComponent(cursor)}`,
      list,
    );
    refusals.push(refusal(`${list.id}: cursor, ${name}`, answer, allowed));
  };
  for (const list of issued) {
    const { cursor } = list;
    for (let at = 0; at < cursor.length - 1; at += random.between(1, 6)) {
      await ask(list, `flipped at ${at}`, flip(cursor, at), invalid);
    }
    await ask(list, 'shorter', cursor.slice(0, -4), invalid);
    await ask(list, 'longer', `${cursor}AAAA`, invalid);
    await ask(list, 'twice', cursor + cursor, invalid);
    await ask(list, 'with a NUL', `${cursor}\0`, [...invalid, [400, 'validation_error']]);
    for (const other of issued)
      if (other.id !== list.id) await ask(list, `of ${other.id}`, other.cursor, invalid);
  }
  for (const list of lists(victim)) {
    for (const nonsense of [
      'x',
      '0',
      'null',
      '../..',
      'A'.repeat(2_048),
      Buffer.alloc(96).toString('base64url'),
    ]) {
      await ask(list, nonsense.slice(0, 8), nonsense, invalid);
    }
  }
  return refusals;
}

async function run(context: Context): Promise<Outcome> {
  const world = await createWorld(context.system, `fg${context.random.between(1, 999_999)}`);
  await world.receiver.close();
  const edge = await attackEdge(context, world);
  const services = await attackServices(context, world);
  context.say(`${edge.length + services.length} forged callers`);
  const cursors = await attackCursors(context, world);
  const violations = [
    ...checkRefusals([...edge, ...services].map((one) => ({ ...one, hasDetails: false }))),
    ...checkRefusals(
      cursors.map((one) => ({
        ...one,
        hasDetails: one.code === 'invalid_cursor' && one.hasDetails === true,
      })),
    ),
  ];
  return {
    violations,
    did: `${edge.length + services.length} forged callers, ${cursors.length} forged cursors`,
  };
}

export const forged: Scenario = {
  name: 'forged',
  promise: 'no header and no cursor that the system did not make itself is believed',
  run,
};
