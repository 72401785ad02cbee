import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  createSubscription,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type Operation,
  updateWebhookEndpoint,
} from '@bv/contract';
import { type OperationCall, type Receiver, startReceiver } from '@bv/testkit';
import { createEndpoint } from './harness.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

// A write whose response was lost is retried with its operation id, when hosts, links or endpoints may have changed.
const addresses = new Map<string, string[]>();
const resolveHost = async (hostname: string): Promise<string[]> => addresses.get(hostname) ?? [];

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [webhooks, receiver] = await Promise.all([startWebhooks({}, { resolveHost }), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), receiver.close()]);
});

/** Calls, applies `change`, and retries the call. Returns both responses. */
async function callTwice<O extends Operation>(
  partnerId: string,
  operation: O,
  input: OperationCall<O>,
  change: () => unknown,
) {
  const caller = { operationId: randomUUID() };
  const first = await webhooks.as(partnerId, operation, { ...input, caller });
  await change();
  const again = await webhooks.as(partnerId, operation, { ...input, caller });
  return { first, again };
}

describe('a retry gets the lost response', () => {
  test('of a creation, when the host has a private address now', async () => {
    addresses.set('moving.example.com', ['93.184.215.14']);
    const input = { body: { url: 'https://moving.example.com/' } };
    const { first, again } = await callTwice(randomUUID(), createWebhookEndpoint, input, () =>
      addresses.set('moving.example.com', ['10.0.0.1']),
    );
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });

  test('of an update, when the endpoint is deleted now', async () => {
    const { id, partnerId } = await createEndpoint(webhooks, await webhooks.newPartner(), receiver.url);
    const params = { endpointId: id };
    const input = { params, body: { url: `${receiver.url}/new` } };
    const { first, again } = await callTwice(partnerId, updateWebhookEndpoint, input, () =>
      webhooks.as(partnerId, deleteWebhookEndpoint, { params }),
    );
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
  });

  test('of a subscription, when the organisation is no longer linked', async () => {
    const partner = await webhooks.newPartner();
    const { id, partnerId, orgId } = await createEndpoint(webhooks, partner, receiver.url);
    const input = { params: { endpointId: id }, body: { event_type: 'scan.completed', org_id: orgId } };
    const { first, again } = await callTwice(partnerId, createSubscription, input, () =>
      webhooks.setLink(partnerId, orgId, false),
    );
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });
});
