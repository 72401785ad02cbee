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
import type { Say } from '../progress.ts';
import { isRefusal, type ApiClient } from './api-client.ts';
import type { DemoMemory } from './demo-state.ts';

const orgName = 'Demo';
const keyName = 'demo';
/** The demo polls; the default allowance is meant for a customer's steady use. */
const keyInput = { name: keyName, scopes: ['read' as const, 'write' as const], per_minute: 600 };

export type Customer = { orgId: string; apiKey: string; partnerKey: string };

type CustomerOptions = {
  operator: ApiClient;
  clientFor: (key: string) => ApiClient;
  memory: DemoMemory;
  say: Say;
};

/** The demo's organisation, key, partner and link: those of an earlier start where they still work. */
export async function prepareCustomer(options: CustomerOptions): Promise<Customer> {
  const orgId = await findOrCreateOrg(options);
  const apiKey = await findOrCreateOrgKey(options, orgId);
  const partnerKey = await findOrCreatePartner(options, orgId);
  return { orgId, apiKey, partnerKey };
}

async function findOrCreateOrg({ operator, memory, say }: CustomerOptions): Promise<string> {
  const known = memory.state.orgId;
  if (known !== undefined && (await succeeds(operator.item(operatorGetOrg, { params: { orgId: known } })))) {
    say(`demo: organisation ${orgName} is there (${known})`);
    return known;
  }
  memory.forget();
  const existing = (await operator.list(operatorListOrgs)).find(({ name }) => name === orgName);
  const org =
    existing ?? (await operator.item(operatorCreateOrg, { body: { name: orgName, tier: 'growth' } }));
  memory.remember({ orgId: org.id });
  say(`demo: organisation ${orgName} ${existing === undefined ? 'created' : 'found'} (${org.id})`);
  return org.id;
}

async function findOrCreateOrgKey(options: CustomerOptions, orgId: string): Promise<string> {
  const { operator, clientFor, memory, say } = options;
  const known = memory.state.apiKey;
  if (known !== undefined && (await succeeds(clientFor(known).item(getOrg, { params: { orgId } }))))
    return known;
  const create = async (): Promise<string> => {
    const { key } = await operator.item(operatorCreateOrgKey, { params: { orgId }, body: keyInput });
    memory.remember({ apiKey: key });
    return key;
  };
  try {
    return await create();
  } catch (error) {
    if (!isRefusal(error, 'key_limit_reached')) throw error;
  }
  say('demo: five keys are active: revoking those of earlier demos, which nobody can know any more');
  const keys = await operator.list(operatorListOrgKeys, { params: { orgId } });
  for (const key of keys.filter(({ name, revoked_at }) => name === keyName && revoked_at === null)) {
    await operator.item(operatorRevokeKey, { params: { keyId: key.id } });
  }
  return create();
}

async function findOrCreatePartner(options: CustomerOptions, orgId: string): Promise<string> {
  const { operator, clientFor, memory } = options;
  const { partnerId, partnerKey } = memory.state;
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
  memory.remember({ partnerId: partner.id, partnerKey: key });
  return key;
}

/** False when the API refuses: the key is not good any more, or the thing is gone. */
async function succeeds(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (isRefusal(error, 'not_found') || isRefusal(error, 'invalid_api_key')) return false;
    throw error;
  }
}
