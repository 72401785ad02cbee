import { waitUntil } from '@bv/local-stack';
import { checkSecrets, type Secret } from '../checkers/secrets.ts';
import { request, type ApiResponse } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { createFixture, type Fixture } from '../harness/fixture.ts';

const refusedKey = `bvk_live_${'Zq7'.repeat(14)}Z`;
const misplaced = 'MisplacedSecretOfACustomer4711';

async function listSecrets({ stack }: System, fixture: Fixture): Promise<Secret[]> {
  const { servicePasswords, ...rest } = stack.secrets;
  return [
    ...Object.entries(rest).map(([name, value]) => ({ name, value })),
    ...Object.entries(servicePasswords).map(([name, value]) => ({ name: `the password of ${name}`, value })),
    ...[fixture.victim, fixture.attacker].flatMap(({ customer, partner, webhookSecret }) => [
      { name: 'a customer key', value: customer.key },
      { name: 'a partner key', value: partner.key },
      { name: 'a webhook secret', value: webhookSecret },
      // Without its prefix, the rest is the signature key.
      { name: 'the bytes of a webhook secret', value: webhookSecret.replace('whsec_', '') },
    ]),
    { name: 'a key that was refused', value: refusedKey },
    { name: 'a secret that a customer put in the wrong place', value: misplaced },
  ];
}

/** Sends secrets in places where people put them by mistake, and causes errors that programs log. */
async function provoke({ system }: Context, { victim, receiver }: Fixture): Promise<void> {
  const { key, orgId } = victim.customer;
  const partner = victim.partner.key;
  const url = system.stack.baseUrl;
  const quiet = (call: Promise<ApiResponse>): Promise<unknown> => call.catch(() => undefined);
  await quiet(request(`${url}/orgs?api_key=${key}`, 'GET'));
  await quiet(request(`${url}/orgs/${key}`, 'GET', { key }));
  await quiet(request(`${url}/${key}/orgs`, 'GET', { key }));
  await quiet(request(`${url}/orgs?token=${misplaced}`, 'GET', { key }));
  await quiet(request(`${url}/orgs/${orgId}`, 'GET', { key: refusedKey }));
  await quiet(request(`${url}/orgs/${orgId}`, 'GET', { key: `x${key}` }));
  await quiet(request(`${url}/orgs`, 'GET', { key, headers: { cookie: `session=${misplaced}` } }));
  await quiet(
    request(`${url}/orgs`, 'GET', { key, headers: { 'user-agent': key, referer: `https://x/?k=${key}` } }),
  );
  await quiet(request(`${url}/orgs/${orgId}/properties`, 'POST', { key, body: { name: key, domain: key } }));
  await quiet(request(`${url}/orgs/${orgId}/properties`, 'POST', { key, body: `{"name": "${key}` }));
  const endpoint = await request(`${url}/webhook-endpoints`, 'POST', {
    key: partner,
    body: { url: `${receiver.url}/${misplaced}?token=${misplaced}`, description: misplaced },
  });
  await quiet(
    request(`${url}/webhook-endpoints`, 'POST', {
      key: partner,
      body: { url: `http://user:${misplaced}@127.0.0.1:1/x` },
    }),
  );
  // The receiver is down, so the attempt fails and is logged.
  await receiver.close();
  await quiet(request(`${url}/webhook-endpoints/${endpoint.body.data.id}/test`, 'POST', { key: partner }));
}

/** Kills each store in turn, with requests of every kind in flight. */
async function provokeFailures({ system }: Context, { victim }: Fixture): Promise<void> {
  const { key } = victim.customer;
  const partner = victim.partner.key;
  const { orgId, brandId, endpointId } = victim.ids;
  const calls = (): Promise<unknown> =>
    Promise.allSettled([
      system.call('GET', `/orgs/${orgId}`, { key, timeoutMs: 5_000 }),
      system.call('POST', `/orgs/${orgId}/brands/${brandId}/scan-requests`, { key, timeoutMs: 5_000 }),
      system.call('POST', `/orgs/${orgId}/brands/${brandId}/prompts`, {
        key,
        timeoutMs: 5_000,
        body: { text: `${Math.random()}`, countries: ['US'] },
        headers: { 'idempotency-key': `${misplaced}${Math.random()}` },
      }),
      system.call('POST', `/webhook-endpoints/${endpointId}/rotate-secret`, {
        key: partner,
        timeoutMs: 5_000,
      }),
      system.operate('POST', `/orgs/${orgId}/keys`, { scopes: ['read'] }),
    ]);
  for (const store of Object.values(system.stores)) {
    const during = calls();
    await store.kill();
    await calls();
    await during;
    await store.start();
  }
  await system.healthy();
  await calls();
}

async function run(context: Context): Promise<Outcome> {
  const { system, report } = context;
  const fixture = await createFixture(system, `sl${context.random.between(1, 999_999)}`);
  await provoke(context, fixture);
  report('stores killed under requests');
  await provokeFailures(context, fixture);
  const written = async (): Promise<boolean> => [...(await system.logs()).values()].join('').length > 10_000;
  if (!(await waitUntil(written, { timeoutMs: 5_000 }))) throw new Error('the logs are nearly empty');
  const logs = await system.logs();
  const lines = [...logs.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  const secrets = await listSecrets(system, fixture);
  return {
    violations: checkSecrets(logs, secrets),
    summary: `${lines} lines of ${logs.size} logs at level debug searched for ${secrets.length} secrets`,
  };
}

export const secretsInLogs: Scenario = {
  name: 'secrets-in-logs',
  guarantee:
    'the whole log of the run shows no key, password, token or secret, also where customers misplaced them',
  run,
};
