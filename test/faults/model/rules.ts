import { Model, type Outcome } from './catalog.ts';
import type { BrandWrite, OrgLimits, OrgNumber, Scope, Caller } from './steps.ts';

/** `edge`: refused before the idempotency key is reserved, so that no response is stored. */
export type Expected = { outcome: Outcome; edge?: boolean };
const ok: Expected = { outcome: 'ok' };
const edge = (outcome: Outcome): Expected => ({ outcome, edge: true });

type Link = { scope: Scope; ref: string };
export type Subscription = { id: string; org: OrgNumber | null; brand: number | null };
export type Endpoint = { id: string; description: string; subscriptions: Subscription[] };

export const firstLimits: OrgLimits = {
  prompts: 5,
  own_brands: 3,
  countries: 4,
  competitors_per_brand: 3,
  manual_scans: 2,
};

/** One organisation: its catalog, its link to the partner and its scans. */
export class Org {
  readonly catalog: Model = new Model({ ...firstLimits });
  link: Link | null = { scope: 'read_write', ref: 'ref 0' };
  manualScans: number = firstLimits.manual_scans;
  /** The units of every scan that was accepted. */
  readonly scans: { brand: number; units: number }[] = [];

  /** The refusal for this caller, or undefined. Order: access to the organisation, scope of the key, scope of the link. */
  refusal(caller: Caller, act: 'read' | 'write'): Expected | undefined {
    const isPartnerKey = caller === 'partner' || caller === 'partnerReader';
    if (caller === 'foreign' || caller === 'stranger' || (isPartnerKey && this.link === null))
      return edge('not_found');
    if (act === 'read') return undefined;
    if (caller === 'reader' || caller === 'partnerReader') return edge('write_scope_required');
    return isPartnerKey && this.link?.scope === 'read_only' ? edge('link_scope_insufficient') : undefined;
  }

  scan(brand: number): Outcome {
    const { brands, prompts } = this.catalog;
    if (brands[brand]?.archived) return 'brand_archived';
    const scanned = prompts.filter((prompt) => prompt.brand === brand && prompt.active);
    if (scanned.length === 0) return 'no_active_prompts';
    if (this.scans.length >= this.manualScans) return 'no_manual_scans';
    const platforms = 5;
    this.scans.push({
      brand,
      units: scanned.reduce((sum, { countries }) => sum + countries.length * platforms, 0),
    });
    return 'ok';
  }

  onBrand(step: BrandWrite, brand: number): Outcome | Outcome[] {
    const { catalog } = this;
    switch (step.do) {
      case 'link':
      case 'unlink':
        return catalog[step.do](brand, step.domain);
      case 'prompt':
        return catalog.createPrompt(brand, step.row);
      case 'sync':
        return catalog.sync(brand, step.rows, step.deactivateMissing);
      case 'update':
        return catalog.updateBrand(brand, step.identity);
      case 'reprocess':
        return 'ok';
      case 'scan':
        return this.scan(brand);
    }
  }

  setExternalRef(caller: Caller, ref: string): Expected {
    const refused = this.refusal(caller, 'write');
    if (refused !== undefined) return refused;
    if (this.link === null || caller === 'owner') return edge('partner_only');
    this.link.ref = ref;
    return ok;
  }
}

/** The webhooks of one partner. Other partners get 404, organisations 403. */
export class Webhooks {
  readonly endpoints: Endpoint[] = [];

  refusal(caller: Caller): Expected | undefined {
    if (caller === 'partner' || caller === 'stranger') return undefined;
    return caller === 'partnerReader' ? edge('write_scope_required') : edge('partner_only');
  }

  subscribe(endpoint: Endpoint, wanted: Omit<Subscription, 'id'>, orgs: readonly [Org, Org]): Outcome {
    const { org, brand } = wanted;
    if (org !== null && orgs[org].link === null) return 'not_found';
    const equal = endpoint.subscriptions.some((one) => one.org === org && one.brand === brand);
    return equal ? 'conflict' : 'ok';
  }
}
