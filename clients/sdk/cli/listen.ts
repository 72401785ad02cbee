import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  BrandVisibilityError,
  type BrandVisibilityClient,
  type Delivery,
  sdkVersion,
} from '@bv/sdk';
import { signWebhook } from '@bv/sdk/testing';
import { DeliveryLog } from './delivery-log.ts';
import { describeError } from './failure.ts';

export type ListenPlan = {
  endpointId: string;
  /** Where events are sent. */
  forward: URL;
  /** Signs them. */
  secret: string;
  /** First `created_at` that is forwarded; undefined for only what is created from now on. */
  sinceMs: number | undefined;
  intervalMs: number;
  /** Longest wait for the receiver. */
  timeoutMs: number;
};

export type ListenOutput = { print: (line: string) => void; warn: (line: string) => void };

/** A secret as the API issues them. */
export const createSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Throws a `TypeError` for what is no secret. */
export async function checkSecret(secret: string): Promise<void> {
  await signWebhook('', secret);
}

/** Sends an event like the API. Returns the status of the response, or why there is none. */
async function forwardEvent(
  { forward, secret, timeoutMs }: ListenPlan,
  event: NonNullable<Delivery['event']>,
  stop: AbortSignal,
): Promise<string> {
  const { headers, body } = await signWebhook(event, secret);
  const controller = new AbortController();
  const abort = () => controller.abort();
  // `AbortSignal.any` needs Node 20.3.
  stop.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(abort, timeoutMs);
  try {
    const response = await fetch(forward, {
      method: 'POST',
      headers: { ...headers, 'user-agent': `bv-listen/${sdkVersion}` },
      body,
      redirect: 'manual',
      signal: controller.signal,
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return controller.signal.aborted ? `no response in ${timeoutMs / 1000} s` : describeError(error);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', abort);
  }
}

/** Whether the same read may succeed later. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || error.code === 'rate_limited'
    : error instanceof BrandVisibilityError;

/** Says what an endpoint does not get: a delivery is made only when its own receiver has answered a ping. */
export async function warnOfStatus(
  client: BrandVisibilityClient,
  endpointId: string,
  warn: ListenOutput['warn'],
): Promise<void> {
  const endpoints = await client.listWebhookEndpoints().all();
  const status = endpoints.find(({ id }) => id === endpointId)?.status;
  if (status === undefined || status === 'active') return;
  warn(
    `the endpoint is ${status}: only test pings are forwarded. Scans and thresholds follow once its own address has answered a ping.`,
  );
}

/** Forwards the deliveries of an endpoint, one after the other, until `stop` fires. */
export async function runListen(
  client: BrandVisibilityClient,
  plan: ListenPlan,
  { print, warn }: ListenOutput,
  stop: AbortSignal,
): Promise<void> {
  const log = new DeliveryLog(client, { endpointId: plan.endpointId, signal: stop });

  async function forwardNew(): Promise<void> {
    const { deliveries, isCut } = await log.readNew();
    if (isCut) warn(`more than ${deliveries.length} deliveries: older ones are omitted`);
    for (const delivery of deliveries) {
      const { event, event_id: id, event_type: type } = delivery;
      const outcome = event
        ? await forwardEvent(plan, event, stop)
        : 'not forwarded: its body is not available';
      if (stop.aborted) return;
      log.markHandled(delivery);
      print(`${new Date().toISOString()} ${type} ${id} ${outcome}`);
    }
  }

  try {
    await log.start(plan.sinceMs);
    print(`forwards deliveries of ${plan.endpointId} to ${plan.forward.href}; Ctrl-C ends`);
    while (!stop.aborted) {
      await forwardNew().catch((error: unknown) => {
        if (stop.aborted || !isTransient(error)) throw error;
        warn(`${describeError(error)}; it is read again`);
      });
      await sleep(plan.intervalMs, undefined, { signal: stop });
    }
  } catch (error) {
    // The end that the user asked for.
    if (!stop.aborted) throw error;
  }
}
