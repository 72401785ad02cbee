import {
  getOrg,
  listOrgs,
  operatorCreateOrg,
  operatorCreateOrgKey,
  operatorCreatePartner,
  operatorCreatePartnerKey,
  operatorGetOrg,
  operatorListOrgKeys,
  operatorListOrgs,
  operatorPutLink,
  operatorRevokeKey,
} from '@bv/contract';
import type { Reporter } from '../reporter.ts';
import { isRefusal, type ApiClient } from './api-client.ts';
import type { DemoStore } from './demo-store.ts';

const orgName = 'Demo';
const keyName = 'demo';
/** The demo polls, so it needs a higher allowance than the default. */
const keyInput = { name: keyName, scopes: ['read' as const, 'write' as const], per_minute: 600 };

export type Customer = { orgId: string; apiKey: string; partnerKey: string };

type CustomerOptions = {
  operator: ApiClient;
  clientFor: (key: string) => ApiClient;
  store: DemoStore;
  report: Reporter;
};

/** Returns the demo's organisation and keys. Reuses those of an earlier start if they still work, else creates them. */
export async function prepareCustomer(options: CustomerOptions): Promise<Customer> {
  const orgId = await findOrCreateOrg(options);
  const apiKey = await findOrCreateOrgKey(options, orgId);
  const partnerKey = await findOrCreatePartner(options, orgId);
  return { orgId, apiKey, partnerKey };
}

async function findOrCreateOrg({ operator, store, report }: CustomerOptions): Promise<string> {
  const stored = store.state.orgId;
  if (
    stored !== undefined &&
    (await succeeds(operator.item(operatorGetOrg, { params: { orgId: stored } })))
  ) {
    report(`demo: organisation ${orgName} exists (${stored})`);
    return stored;
  }
  store.clear();
  const existing = (await operator.list(operatorListOrgs)).find(({ name }) => name === orgName);
  const org =
    existing ?? (await operator.item(operatorCreateOrg, { body: { name: orgName, tier: 'growth' } }));
  store.update({ orgId: org.id });
  report(`demo: organisation ${orgName} ${existing === undefined ? 'created' : 'found'} (${org.id})`);
  return org.id;
}

async function findOrCreateOrgKey(options: CustomerOptions, orgId: string): Promise<string> {
  const { operator, clientFor, store, report } = options;
  const stored = store.state.apiKey;
  if (stored !== undefined && (await succeeds(clientFor(stored).item(getOrg, { params: { orgId } }))))
    return stored;
  const create = async (): Promise<string> => {
    const { key } = await operator.item(operatorCreateOrgKey, { params: { orgId }, body: keyInput });
    store.update({ apiKey: key });
    return key;
  };
  try {
    return await create();
  } catch (error) {
    if (!isRefusal(error, 'key_limit_reached')) throw error;
  }
  report('demo: five keys are active: revoking the lost keys of earlier demos');
  const keys = await operator.list(operatorListOrgKeys, { params: { orgId } });
  for (const key of keys.filter(({ name, revoked_at }) => name === keyName && revoked_at === null)) {
    await operator.item(operatorRevokeKey, { params: { keyId: key.id } });
  }
  return create();
}

async function findOrCreatePartner(options: CustomerOptions, orgId: string): Promise<string> {
  const { operator, clientFor, store } = options;
  const { partnerId, partnerKey } = store.state;
  const link = async (id: string): Promise<void> => {
    const params = { partnerId: id, orgId };
    await operator.item(operatorPutLink, {
      params,
      body: { scope: 'read_write', external_ref: 'demo-customer' },
    });
  };
  if (partnerId !== undefined && partnerKey !== undefined) {
    if (await succeeds(clientFor(partnerKey).list(listOrgs))) {
      await link(partnerId);
      return partnerKey;
    }
  }
  const partner = await operator.item(operatorCreatePartner, { body: { name: 'Demo partner' } });
  const { key } = await operator.item(operatorCreatePartnerKey, {
    params: { partnerId: partner.id },
    body: keyInput,
  });
  await link(partner.id);
  store.update({ partnerId: partner.id, partnerKey: key });
  return key;
}

/** Returns false if the key is invalid or the resource does not exist. Throws other errors. */
async function succeeds(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (isRefusal(error, 'not_found') || isRefusal(error, 'invalid_api_key')) return false;
    throw error;
  }
}
