import { randomUUID } from 'node:crypto';
import type { ApiResponse } from '../harness/client.ts';
import type { Endpoint, Expected, Org, Webhooks } from './rules.ts';
import type { WebhookWrite } from './steps.ts';

type TrackedOrg = { orgId: string; brandIds: string[]; rules: Org };
type WebhookCall = { method: string; path: string; body?: unknown };
/** What these steps use of a run. */
type Run = {
  webhooks: Webhooks;
  orgs: [TrackedOrg, TrackedOrg];
  hookUrl: string;
  expect: (step: WebhookWrite, call: WebhookCall, expected: Expected) => Promise<ApiResponse>;
};

type Target = { endpoint: Endpoint; path: string; refused: Expected | undefined };
const ok: Expected = { outcome: 'ok' };

/** Applies a step on webhook endpoints, by their partner or by a caller without access. */
export async function onWebhooks(run: Run, step: WebhookWrite): Promise<void> {
  const { endpoints } = run.webhooks;
  const denied = run.webhooks.refusal(step.caller);
  if (step.do === 'endpoint') {
    const body = { url: run.hookUrl, description: '' };
    const call = { method: 'POST', path: '/webhook-endpoints', body };
    const response = await run.expect(step, call, denied ?? ok);
    if (denied === undefined && step.caller === 'partner') {
      endpoints.push({ id: response.body.data.id, description: '', subscriptions: [] });
    }
    return;
  }
  const endpoint = endpoints[step.at % endpoints.length];
  if (endpoint === undefined) return;
  const refused = denied ?? (step.caller === 'stranger' ? { outcome: 'not_found' } : undefined);
  const target = { endpoint, path: `/webhook-endpoints/${endpoint.id}`, refused };
  if (step.do === 'subscribe') await subscribe(run, step, target);
  else if (step.do === 'unsubscribe') await unsubscribe(run, step, target);
  else await changeEndpoint(run, step, target);
}

async function changeEndpoint(
  run: Run,
  step: WebhookWrite & { do: 'describe' | 'drop' },
  { endpoint, path, refused }: Target,
): Promise<void> {
  const { endpoints } = run.webhooks;
  if (step.do === 'drop') {
    await run.expect(step, { method: 'DELETE', path }, refused ?? ok);
    if (refused === undefined) endpoints.splice(endpoints.indexOf(endpoint), 1);
    return;
  }
  const description = `text ${step.text}`;
  await run.expect(step, { method: 'PATCH', path, body: { description } }, refused ?? ok);
  if (refused === undefined) endpoint.description = description;
}

async function subscribe(
  run: Run,
  step: WebhookWrite & { do: 'subscribe' },
  { endpoint, path, refused }: Target,
): Promise<void> {
  const { brandIds } = run.orgs[step.org ?? 0];
  const brand = step.brand === null || brandIds.length === 0 ? null : step.brand % brandIds.length;
  // A subscription to a brand may omit the organisation.
  const wanted = { org: step.org ?? (brand === null ? null : 0), brand };
  const body = {
    event_type: 'scan.completed',
    ...(step.org === null ? {} : { org_id: run.orgs[step.org].orgId }),
    ...(brand === null ? {} : { brand_id: brandIds[brand] }),
  };
  const [one, two] = run.orgs;
  const expected = refused ?? { outcome: run.webhooks.subscribe(endpoint, wanted, [one.rules, two.rules]) };
  const response = await run.expect(step, { method: 'POST', path: `${path}/subscriptions`, body }, expected);
  if (expected.outcome === 'ok') endpoint.subscriptions.push({ ...wanted, id: response.body.data.id });
}

async function unsubscribe(
  run: Run,
  step: WebhookWrite & { do: 'unsubscribe' },
  { endpoint: { subscriptions }, path, refused }: Target,
): Promise<void> {
  const found = subscriptions[step.subscription];
  const call = { method: 'DELETE', path: `${path}/subscriptions/${found?.id ?? randomUUID()}` };
  await run.expect(step, call, refused ?? { outcome: found ? 'ok' : 'not_found' });
  if (found && refused === undefined) subscriptions.splice(step.subscription, 1);
}
