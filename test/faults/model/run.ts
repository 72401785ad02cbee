import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '@bv/stack';
import { createCustomer, createPartner, operated, type Answer } from '../harness/client.ts';
import type { System } from '../harness/system.ts';
import { Org, Webhooks, firstLimits, type Expected } from './rules.ts';
import { isOperated, isWebhookWrite } from './steps.ts';
import type { BrandWrite, Operated, OrgNumber, OrgWrite, PromptWrite, Step, Who, Write } from './steps.ts';
import { fail, outcomeOf, write, type Transport } from './transport.ts';
import { onWebhooks } from './webhook-steps.ts';

/** One organisation as the rules have it, with the ids that the service has given so far. */
export type Tracked = {
  rules: Org;
  orgId: string;
  keys: Record<Who, string>;
  brandIds: string[];
  promptIds: string[];
  competitorIds: Map<number, string>;
};

export const host = (domain: number): string => `model-${domain}.com`;
const domainOf = (name: string): number => Number(/\d+/.exec(name)?.[0]);
export const text = (index: number): string => `Prompt ${index}`;
const wire = <Fields extends { text: number }>({ text: index, ...fields }: Fields) => ({
  text: text(index),
  ...fields,
});

/** Two organisations and two partners, of which one is linked to both. */
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

  take(step: Step): Promise<void> {
    if (step.do === 'read') return this.read(step);
    if (step.do === 'patch') return this.onPrompt(step);
    if (step.do === 'property' || step.do === 'ref') return this.onOrg(step);
    if (isOperated(step)) return this.operate(step);
    return isWebhookWrite(step) ? onWebhooks(this, step) : this.onBrand(step);
  }

  keyOf(org: OrgNumber, who: Who): string {
    return this.orgs[org].keys[who];
  }

  /** Sends it and holds what comes against what was expected. */
  async expect(
    step: Write,
    call: { method: string; path: string; body?: unknown },
    expected: Expected,
  ): Promise<Answer> {
    const key = this.keyOf('org' in step ? (step.org ?? 0) : 0, step.who);
    const answer = await write(this.transport, { ...call, key }, step.via, expected);
    const outcome = outcomeOf(answer);
    if (outcome !== expected.outcome) {
      fail(
        `${JSON.stringify(step)}: expected ${expected.outcome}, got ${outcome} ${answer.text.slice(0, 300)}`,
      );
    }
    return answer;
  }

  async read({ org, who }: Step & { do: 'read' }): Promise<void> {
    const { rules, orgId } = this.orgs[org];
    const expected = rules.refusal(who, 'read')?.outcome ?? 'ok';
    const answer = await this.transport.send({
      method: 'GET',
      path: `/orgs/${orgId}`,
      key: this.keyOf(org, who),
    });
    const outcome = answer && outcomeOf(answer);
    if (outcome !== expected) fail(`read by ${who}: expected ${expected}, got ${outcome}`);
  }

  async onOrg(step: OrgWrite): Promise<void> {
    const { rules, orgId, brandIds, competitorIds } = this.orgs[step.org];
    if (step.do === 'ref') {
      const body = { external_ref: `ref ${step.ref}` };
      const expected = rules.setRef(step.who, body.external_ref);
      await this.expect(step, { method: 'PATCH', path: `/orgs/${orgId}/link`, body }, expected);
      return;
    }
    const { domain, competitors } = step;
    const expected = rules.refusal(step.who, 'write') ?? {
      outcome: rules.catalog.createProperty(domain, competitors),
    };
    const rivals = competitors.map((rival) => ({ name: 'Rival', domain: host(rival) }));
    const body = { name: 'Brand', domain: host(domain), competitors: rivals };
    const answer = await this.expect(
      step,
      { method: 'POST', path: `/orgs/${orgId}/properties`, body },
      expected,
    );
    if (expected.outcome === 'ok') {
      const { id, competitors: linked } = answer.body.data;
      brandIds.push(id);
      for (const rival of linked) competitorIds.set(domainOf(rival.domain), rival.id);
    } else if (expected.outcome === 'competitor_cap_exceeded') {
      const { brand_id: id, competitors: tried } = answer.body.error.details;
      brandIds.push(id);
      for (const rival of tried)
        if (rival.status === 'applied') competitorIds.set(domainOf(rival.domain), rival.competitor_id);
    }
  }

  async onBrand(step: BrandWrite): Promise<void> {
    const tracked = this.orgs[step.org];
    const { brandIds } = this.orgs[step.stray ? other(step.org) : step.org];
    if (brandIds.length === 0) return;
    const at = step.at % brandIds.length;
    const refused =
      tracked.rules.refusal(step.who, 'write') ?? (step.stray ? { outcome: 'not_found' } : undefined);
    const come = refused ?? tracked.rules.onBrand(step, at);
    const rows = Array.isArray(come) ? come : undefined;
    const expected: Expected = Array.isArray(come)
      ? { outcome: 'ok' }
      : typeof come === 'string'
        ? { outcome: come }
        : come;
    const answer = await this.expect(step, brandCall(step, tracked, brandIds[at] ?? ''), expected);
    if (expected.outcome === 'ok') await this.learn(step, tracked, answer, rows ?? []);
  }

  async learn(step: BrandWrite, tracked: Tracked, { body: { data } }: Answer, rows: string[]): Promise<void> {
    if (step.do === 'link') tracked.competitorIds.set(step.domain, data.id);
    else if (step.do === 'prompt') tracked.promptIds.push(data.id);
    else if (step.do === 'scan') await this.untilScanned(tracked, data.job_id);
    else if (step.do === 'sync') {
      const actions = data.results.map(({ action }: { action: string }) => action);
      if (!isDeepStrictEqual(actions, rows)) fail(`sync: expected ${rows.join()}, got ${actions.join()}`);
      for (const { action, prompt_id } of data.results)
        if (action === 'created') tracked.promptIds.push(prompt_id);
    }
  }

  /** The next step must know whether a scan is under way. */
  async untilScanned({ rules, orgId, brandIds, keys }: Tracked, jobId: string): Promise<void> {
    const scan = rules.scans.at(-1) ?? fail('no scan');
    const path = `/orgs/${orgId}/brands/${brandIds[scan.brand]}/scan-requests/${jobId}`;
    const read = async () => (await this.system.call('GET', path, { key: keys.owner })).body.data;
    await waitUntil(async () => (await read()).completed_at !== null, { timeoutMs: 30_000, intervalMs: 20 });
    const { status, units } = await read();
    if (status !== 'completed' || units.total !== scan.units)
      fail(`scan: ${status}, ${units.total} units of ${scan.units}`);
  }

  async onPrompt(step: PromptWrite): Promise<void> {
    const { rules, orgId } = this.orgs[step.org];
    const { promptIds } = this.orgs[step.stray ? other(step.org) : step.org];
    if (promptIds.length === 0) return;
    const at = step.at % promptIds.length;
    const empty = step.change.active === undefined && step.change.countries === undefined;
    const expected = rules.refusal(step.who, 'write') ?? {
      outcome:
        step.stray && !empty ? 'not_found' : rules.catalog.updatePrompt(step.stray ? 0 : at, step.change),
    };
    const call = { method: 'PATCH', path: `/orgs/${orgId}/prompts/${promptIds[at]}`, body: step.change };
    await this.expect(step, call, expected);
  }

  async operate(step: Operated): Promise<void> {
    const { rules, orgId, brandIds } = this.orgs[step.org];
    if (step.do === 'limits') {
      const { manual_scans, ...limits } = step.limits;
      rules.catalog.limits = limits;
      rules.manualScans = manual_scans;
      await operated(this.system, 'PATCH', `/orgs/${orgId}`, { overrides: step.limits });
    } else if (step.do === 'access') {
      const path = `/partners/${this.partnerId}/links/${orgId}`;
      const ref = `ref ${step.ref}`;
      if (step.scope !== null)
        await operated(this.system, 'PUT', path, { scope: step.scope, external_ref: ref });
      else if (rules.link !== null) await operated(this.system, 'DELETE', path);
      rules.link = step.scope === null ? null : { scope: step.scope, ref };
    } else if (brandIds.length > 0) {
      const at = step.at % brandIds.length;
      const expected = rules.catalog[step.do](at);
      const outcome = outcomeOf(await this.transport.operate('POST', `/brands/${brandIds[at]}/${step.do}`));
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
      return { method: 'POST', path: `${path}/prompts`, body: wire(step.row) };
    case 'sync':
      return {
        method: 'PUT',
        path: `${path}/prompts`,
        body: { prompts: step.rows.map(wire), deactivate_missing: step.deactivateMissing },
      };
    case 'scan':
      return { method: 'POST', path: `${path}/scan-requests` };
  }
}

/** New customers for every sequence: nothing of an earlier one is in its way. */
export async function startRun(system: System, transport: Transport, hookUrl: string): Promise<Run> {
  const [partner, stranger] = await Promise.all([createPartner(system), createPartner(system)]);
  const [one, two] = await Promise.all(
    [0, 1].map(() => createCustomer(system, { tier: 'growth', overrides: firstLimits })),
  );
  if (one === undefined || two === undefined) fail('no customers');
  const reading = async (owner: string): Promise<string> =>
    (await operated(system, 'POST', `${owner}/keys`, { scopes: ['read'], per_minute: 1_000_000 })).key;
  const partnerReader = await reading(`/partners/${partner.partnerId}`);
  const tracked = async (customer: typeof one, foreign: string): Promise<Tracked> => {
    const path = `/partners/${partner.partnerId}/links/${customer.orgId}`;
    await operated(system, 'PUT', path, { scope: 'read_write', external_ref: 'ref 0' });
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
