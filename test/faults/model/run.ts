import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '@bv/local-stack';
import { createCustomer, createPartner, operateOrFail, type ApiResponse } from '../harness/client.ts';
import type { System } from '../harness/system.ts';
import { Org, Webhooks, firstLimits, type Expected } from './rules.ts';
import { isOperatorStep, isWebhookWrite } from './steps.ts';
import type {
  BrandWrite,
  OperatorStep,
  OrgNumber,
  OrgWrite,
  PromptWrite,
  Step,
  Caller,
  Write,
} from './steps.ts';
import { fail, toOutcome, write, type Transport } from './transport.ts';
import { onWebhooks } from './webhook-steps.ts';

/** One organisation in the model, with the ids that the API returned so far. */
export type Tracked = {
  rules: Org;
  orgId: string;
  keys: Record<Caller, string>;
  brandIds: string[];
  promptIds: string[];
  competitorIds: Map<number, string>;
};

export const host = (domain: number): string => `model-${domain}.com`;
const parseDomain = (name: string): number => Number(/\d+/.exec(name)?.[0]);
export const text = (index: number): string => `Prompt ${index}`;
const toBody = <Fields extends { text: number }>({ text: index, ...fields }: Fields) => ({
  text: text(index),
  ...fields,
});

/** Two organisations and two partners. One partner is linked to both organisations. */
export class Run {
  readonly system: System;
  readonly transport: Transport;
  readonly orgs: [Tracked, Tracked];
  readonly webhooks: Webhooks = new Webhooks();
  readonly partnerId: string;
  readonly hookUrl: string;

  constructor(
    system: System,
    transport: Transport,
    place: { orgs: [Tracked, Tracked]; partnerId: string; hookUrl: string },
  ) {
    this.system = system;
    this.transport = transport;
    this.orgs = place.orgs;
    this.partnerId = place.partnerId;
    this.hookUrl = place.hookUrl;
  }

  apply(step: Step): Promise<void> {
    if (step.do === 'read') return this.read(step);
    if (step.do === 'patch') return this.onPrompt(step);
    if (step.do === 'property' || step.do === 'ref') return this.onOrg(step);
    if (isOperatorStep(step)) return this.operate(step);
    return isWebhookWrite(step) ? onWebhooks(this, step) : this.onBrand(step);
  }

  getKey(org: OrgNumber, caller: Caller): string {
    return this.orgs[org].keys[caller];
  }

  /** Sends a write and compares the response with the expected outcome. */
  async expect(
    step: Write,
    call: { method: string; path: string; body?: unknown },
    expected: Expected,
  ): Promise<ApiResponse> {
    const key = this.getKey('org' in step ? (step.org ?? 0) : 0, step.caller);
    const response = await write(this.transport, { ...call, key }, step.via, expected);
    const outcome = toOutcome(response);
    if (outcome !== expected.outcome) {
      fail(
        `${JSON.stringify(step)}: expected ${expected.outcome}, got ${outcome} ${response.text.slice(0, 300)}`,
      );
    }
    return response;
  }

  async read({ org, caller }: Step & { do: 'read' }): Promise<void> {
    const { rules, orgId } = this.orgs[org];
    const expected = rules.refusal(caller, 'read')?.outcome ?? 'ok';
    const response = await this.transport.send({
      method: 'GET',
      path: `/orgs/${orgId}`,
      key: this.getKey(org, caller),
    });
    const outcome = response && toOutcome(response);
    if (outcome !== expected) fail(`read by ${caller}: expected ${expected}, got ${outcome}`);
  }

  async onOrg(step: OrgWrite): Promise<void> {
    const { rules, orgId, brandIds, competitorIds } = this.orgs[step.org];
    if (step.do === 'ref') {
      const body = { external_ref: `ref ${step.ref}` };
      const expected = rules.setExternalRef(step.caller, body.external_ref);
      await this.expect(step, { method: 'PATCH', path: `/orgs/${orgId}/link`, body }, expected);
      return;
    }
    const { domain, competitors } = step;
    const expected = rules.refusal(step.caller, 'write') ?? {
      outcome: rules.catalog.createProperty(domain, competitors),
    };
    const rivals = competitors.map((rival) => ({ name: 'Rival', domain: host(rival) }));
    const body = { name: 'Brand', domain: host(domain), competitors: rivals };
    const response = await this.expect(
      step,
      { method: 'POST', path: `/orgs/${orgId}/properties`, body },
      expected,
    );
    if (expected.outcome === 'ok') {
      const { id, competitors: linked } = response.body.data;
      brandIds.push(id);
      for (const rival of linked) competitorIds.set(parseDomain(rival.domain), rival.id);
    } else if (expected.outcome === 'competitor_cap_exceeded') {
      const { brand_id: id, competitors: tried } = response.body.error.details;
      brandIds.push(id);
      for (const rival of tried)
        if (rival.status === 'applied') competitorIds.set(parseDomain(rival.domain), rival.competitor_id);
    }
  }

  async onBrand(step: BrandWrite): Promise<void> {
    const tracked = this.orgs[step.org];
    const { brandIds } = this.orgs[step.stray ? other(step.org) : step.org];
    if (brandIds.length === 0) return;
    const at = step.at % brandIds.length;
    const refused =
      tracked.rules.refusal(step.caller, 'write') ?? (step.stray ? { outcome: 'not_found' } : undefined);
    const outcome = refused ?? tracked.rules.onBrand(step, at);
    const rows = Array.isArray(outcome) ? outcome : undefined;
    const expected: Expected = Array.isArray(outcome)
      ? { outcome: 'ok' }
      : typeof outcome === 'string'
        ? { outcome }
        : outcome;
    const response = await this.expect(step, brandCall(step, tracked, brandIds[at] ?? ''), expected);
    if (expected.outcome === 'ok') await this.recordIds(step, tracked, response, rows ?? []);
  }

  async recordIds(
    step: BrandWrite,
    tracked: Tracked,
    { body: { data } }: ApiResponse,
    rows: string[],
  ): Promise<void> {
    if (step.do === 'link') tracked.competitorIds.set(step.domain, data.id);
    else if (step.do === 'prompt') tracked.promptIds.push(data.id);
    else if (step.do === 'scan') await this.waitForScan(tracked, data.job_id);
    else if (step.do === 'reprocess') await this.waitForReprocess(tracked, data);
    else if (step.do === 'sync') {
      const actions = data.results.map(({ action }: { action: string }) => action);
      if (!isDeepStrictEqual(actions, rows)) fail(`sync: expected ${rows.join()}, got ${actions.join()}`);
      for (const { action, prompt_id } of data.results)
        if (action === 'created') tracked.promptIds.push(prompt_id);
    }
  }

  /** Waits for the end of a scan: the next step depends on it. */
  async waitForScan({ rules, orgId, brandIds, keys }: Tracked, jobId: string): Promise<void> {
    const scan = rules.scans.at(-1) ?? fail('no scan');
    const path = `/orgs/${orgId}/brands/${brandIds[scan.brand]}/scan-requests/${jobId}`;
    const read = async () => (await this.system.call('GET', path, { key: keys.owner })).body.data;
    await waitUntil(async () => (await read()).completed_at !== null, { timeoutMs: 30_000, intervalMs: 20 });
    const { status, units } = await read();
    if (status !== 'completed' || units.total !== scan.units)
      fail(`scan: ${status}, ${units.total} units of ${scan.units}`);
  }

  /** Waits for the end of a job: a further request during it would be refused. */
  async waitForReprocess({ orgId, keys }: Tracked, job: { job_id: string; brand_id: string }): Promise<void> {
    const path = `/orgs/${orgId}/brands/${job.brand_id}/reprocess-requests/${job.job_id}`;
    const read = async () => (await this.system.call('GET', path, { key: keys.owner })).body.data;
    await waitUntil(async () => (await read()).completed_at !== null, { timeoutMs: 30_000, intervalMs: 20 });
    const { status, units } = await read();
    if (status !== 'completed' || units.done !== units.total)
      fail(`reprocess: ${status}, ${units.done} units of ${units.total}`);
  }

  async onPrompt(step: PromptWrite): Promise<void> {
    const { rules, orgId } = this.orgs[step.org];
    const { promptIds } = this.orgs[step.stray ? other(step.org) : step.org];
    if (promptIds.length === 0) return;
    const at = step.at % promptIds.length;
    const empty = step.change.active === undefined && step.change.countries === undefined;
    const expected = rules.refusal(step.caller, 'write') ?? {
      outcome:
        step.stray && !empty ? 'not_found' : rules.catalog.updatePrompt(step.stray ? 0 : at, step.change),
    };
    const call = { method: 'PATCH', path: `/orgs/${orgId}/prompts/${promptIds[at]}`, body: step.change };
    await this.expect(step, call, expected);
  }

  async operate(step: OperatorStep): Promise<void> {
    const { rules, orgId, brandIds } = this.orgs[step.org];
    if (step.do === 'limits') {
      const { manual_scans, ...limits } = step.limits;
      rules.catalog.limits = limits;
      rules.manualScans = manual_scans;
      await operateOrFail(this.system, 'PATCH', `/orgs/${orgId}`, { overrides: step.limits });
    } else if (step.do === 'access') {
      const path = `/partners/${this.partnerId}/links/${orgId}`;
      const ref = `ref ${step.ref}`;
      if (step.scope !== null)
        await operateOrFail(this.system, 'PUT', path, { scope: step.scope, external_ref: ref });
      else if (rules.link !== null) await operateOrFail(this.system, 'DELETE', path);
      rules.link = step.scope === null ? null : { scope: step.scope, ref };
    } else if (brandIds.length > 0) {
      const at = step.at % brandIds.length;
      const expected = rules.catalog[step.do](at);
      const outcome = toOutcome(await this.transport.operate('POST', `/brands/${brandIds[at]}/${step.do}`));
      if (outcome !== expected) fail(`${JSON.stringify(step)}: expected ${expected}, got ${outcome}`);
    }
  }
}

const other = (org: OrgNumber): OrgNumber => (org === 0 ? 1 : 0);

function brandCall(step: BrandWrite, { orgId, competitorIds }: Tracked, brandId: string) {
  const path = `/orgs/${orgId}/brands/${brandId}`;
  switch (step.do) {
    case 'link':
      return {
        method: 'POST',
        path: `${path}/competitors`,
        body: { name: 'Rival', domain: host(step.domain) },
      };
    case 'unlink':
      return {
        method: 'DELETE',
        path: `${path}/competitors/${competitorIds.get(step.domain) ?? randomUUID()}`,
      };
    case 'prompt':
      return { method: 'POST', path: `${path}/prompts`, body: toBody(step.row) };
    case 'sync':
      return {
        method: 'PUT',
        path: `${path}/prompts`,
        body: { prompts: step.rows.map(toBody), deactivate_missing: step.deactivateMissing },
      };
    case 'update':
      return { method: 'PATCH', path, body: step.identity };
    case 'reprocess':
      return { method: 'POST', path: `${path}/reprocess-requests` };
    case 'scan':
      return { method: 'POST', path: `${path}/scan-requests` };
  }
}

/** Creates new customers for every sequence, so that sequences are independent. */
export async function startRun(system: System, transport: Transport, hookUrl: string): Promise<Run> {
  const [partner, stranger] = await Promise.all([createPartner(system), createPartner(system)]);
  const [one, two] = await Promise.all(
    [0, 1].map(() => createCustomer(system, { tier: 'growth', overrides: firstLimits })),
  );
  if (one === undefined || two === undefined) fail('no customers');
  const reading = async (owner: string): Promise<string> =>
    (await operateOrFail(system, 'POST', `${owner}/keys`, { scopes: ['read'], per_minute: 1_000_000 })).key;
  const partnerReader = await reading(`/partners/${partner.partnerId}`);
  const tracked = async (customer: typeof one, foreign: string): Promise<Tracked> => {
    const path = `/partners/${partner.partnerId}/links/${customer.orgId}`;
    await operateOrFail(system, 'PUT', path, { scope: 'read_write', external_ref: 'ref 0' });
    const reader = await reading(`/orgs/${customer.orgId}`);
    return {
      rules: new Org(),
      orgId: customer.orgId,
      keys: {
        owner: customer.key,
        reader,
        partner: partner.key,
        partnerReader,
        foreign,
        stranger: stranger.key,
      },
      brandIds: [],
      promptIds: [],
      competitorIds: new Map(),
    };
  };
  const orgs = [await tracked(one, two.key), await tracked(two, one.key)] satisfies [Tracked, Tracked];
  return new Run(system, transport, { orgs, partnerId: partner.partnerId, hookUrl });
}
