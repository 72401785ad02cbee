import { randomUUID } from 'node:crypto';
import { type ValidationDetail, validationError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { insertEvents, queueDeliveries } from '../db/deliveries.ts';
import { lockEndpointStates, updateEndpointStates } from '../db/endpoint-states.ts';
import { type EndpointRow, lockEndpoint } from '../db/endpoints.ts';
import { AttemptError } from '../dispatcher/attempt-error.ts';
import { checkedAddresses } from '../dispatcher/connect.ts';
import { DnsFailure } from '../dispatcher/resolve.ts';
import { type EndpointState, toUnverified } from '../domain/endpoint-state.ts';
import { parseTarget } from '../domain/public-url.ts';
import { eventBody } from '../domain/scan-events.ts';

/**
 * Rejects a URL that is known not to be public, with a validation error. A URL whose host name cannot be resolved now
 * is accepted: a ping verifies the endpoint, and every connection checks the addresses again.
 */
export async function checkUrl(url: string, ctx: Pick<Context, 'resolveHost' | 'urlPolicy'>): Promise<void> {
  const parsed = parseTarget(url, ctx.urlPolicy);
  if (!parsed.ok) throw refusal(parsed.code, parsed.message);
  try {
    await checkedAddresses(parsed.target, ctx);
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (error.code === 'address_not_public')
      throw refusal('url_not_public', 'The host has an address that is not public');
    const isMissing = error.cause instanceof DnsFailure && error.cause.definitive;
    if (isMissing) throw refusal('url_not_public', 'The host name does not exist');
  }
}

function refusal(code: ValidationDetail['code'], message: string) {
  return validationError([{ path: 'url', code, message }]);
}

/**
 * Resets the state of a locked endpoint with a new URL, and queues a ping that verifies the URL. A disabled endpoint
 * stays disabled, and is pinged when the operator enables it.
 */
export async function restartVerification(
  tx: Transaction,
  endpoint: EndpointRow,
  at: Date,
): Promise<EndpointRow> {
  if (endpoint.status === 'disabled') {
    return changeState(tx, endpoint, at, (state) => ({ ...toUnverified(state), status: 'disabled' }));
  }
  const changed = await changeState(tx, endpoint, at, toUnverified);
  await sendPing(tx, endpoint, at);
  return changed;
}

/** Changes the state of a locked endpoint. Attempts in flight no longer change it: the generation increases. */
export async function changeState(
  tx: Transaction,
  endpoint: EndpointRow,
  at: Date,
  change: (state: EndpointState) => EndpointState,
): Promise<EndpointRow> {
  const locked = await lockEndpointStates(tx, [endpoint.id]);
  const changed = locked.map((row) => ({ ...row, generation: row.generation + 1, state: change(row.state) }));
  await updateEndpointStates(tx, changed, at);
  const row = await lockEndpoint(tx, { id: endpoint.id, partnerId: endpoint.partner_id });
  if (row === undefined) throw new Error(`endpoint ${endpoint.id} was not found under its lock`);
  return row;
}

/** Queues a ping for an endpoint that the transaction has locked. Returns the id of the delivery. */
export async function sendPing(
  tx: Transaction,
  endpoint: { id: string; partner_id: string },
  at: Date,
): Promise<string> {
  const eventId = randomUUID();
  const deliveryId = randomUUID();
  const type = 'endpoint.ping' as const;
  const timestamp = at.toISOString();
  const body = eventBody(type, { id: eventId, timestamp, org: null, data: { endpoint_id: endpoint.id } });
  const owner = { partnerId: endpoint.partner_id, orgId: null };
  await insertEvents(tx, [{ id: eventId, ...owner, type, dedupeKey: `${type}:${eventId}`, body }], at);
  const target = { eventId, endpointId: endpoint.id, subscriptionId: null };
  await queueDeliveries(tx, [{ id: deliveryId, ...target, ...owner, eventType: type, isPing: true }], at);
  return deliveryId;
}
