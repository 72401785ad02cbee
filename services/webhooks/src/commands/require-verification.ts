import type { Transaction } from '@bv/postgres';
import { lockEndpointStates, updateEndpointStates } from '../db/endpoint-states.ts';
import { type EndpointRow, lockEndpoint } from '../db/endpoints.ts';
import { type EndpointState, toUnverified } from '../domain/endpoint-state.ts';
import { sendPing } from './send-ping.ts';

/**
 * Resets the state of a locked endpoint with a new URL, and queues a ping that verifies the URL. A disabled endpoint
 * stays disabled, and is pinged when the operator enables it.
 */
export async function requireVerification(
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
