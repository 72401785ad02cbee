import {
  createSubscription,
  createWebhookEndpoint,
  listSubscriptions,
  listWebhookEndpoints,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '@bv/contract';
import { Webhook } from 'standardwebhooks';
import { toErrorMessage, StackFailure } from '../failure.ts';
import { waitUntil } from '../processes/wait-until.ts';
import type { Reporter } from '../reporter.ts';
import { startReceiver, type ReceivedRequest } from '../receiver.ts';
import type { ApiClient } from './api-client.ts';
import type { DemoStore } from './demo-store.ts';

const verificationTimeoutMs = 30_000;
const deliveryTimeoutMs = 60_000;

type Event = { type: string; data: Record<string, unknown> };

export type DemoWebhook = {
  /** Waits for the event of this scan and verifies its signature. */
  awaitScanCompleted(jobId: string): Promise<Event>;
  /** Requests a ping, waits for it and verifies its signature. */
  awaitPing(): Promise<Event>;
  /** Reports every webhook from now on, and whether its signature is valid. */
  announce(): void;
  close(): Promise<void>;
};

type WebhookOptions = { partner: ApiClient; store: DemoStore; port: number; report: Reporter };

/** Starts a local receiver, registers it as the partner's endpoint and subscribes it to completed scans. */
export async function prepareWebhook(options: WebhookOptions): Promise<DemoWebhook> {
  let announce: (request: ReceivedRequest) => void = () => undefined;
  const receiver = await startReceiver(
    (request) => {
      announce(request);
      return 204;
    },
    { port: options.port },
  );
  try {
    const { endpointId, secret } = await registerEndpoint(options, `${receiver.url}/webhooks`);
    await subscribe(options.partner, endpointId);
    const webhook = new Webhook(secret);
    const awaitEvent = async (matches: (event: Event) => boolean): Promise<Event> => {
      const request = await receiver.waitFor((received) => matches(parse(received)), deliveryTimeoutMs);
      return verify(webhook, request);
    };
    return {
      awaitScanCompleted: (jobId) =>
        awaitEvent(({ type, data }) => type === 'scan.completed' && data['job_id'] === jobId),
      awaitPing: async () => {
        const { event_id: eventId } = await options.partner.item(testWebhookEndpoint, {
          params: { endpointId },
        });
        const isPing = (request: ReceivedRequest): boolean => request.headers['webhook-id'] === eventId;
        return verify(webhook, await receiver.waitFor(isPing, deliveryTimeoutMs));
      },
      announce: () => {
        announce = (request) => options.report(describeRequest(webhook, request));
      },
      close: () => receiver.close(),
    };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

function parse({ body }: ReceivedRequest): Event {
  return JSON.parse(body) as Event;
}

function describeRequest(webhook: Webhook, request: ReceivedRequest): string {
  try {
    return `webhook received and verified (${verify(webhook, request).type})`;
  } catch (error) {
    return `webhook received, but its signature is invalid (${toErrorMessage(error)})`;
  }
}

function verify(webhook: Webhook, { body, headers }: ReceivedRequest): Event {
  const header = (name: string): string => String(headers[name]);
  return webhook.verify(body, {
    'webhook-id': header('webhook-id'),
    'webhook-timestamp': header('webhook-timestamp'),
    'webhook-signature': header('webhook-signature'),
  }) as Event;
}

/** Returns when the endpoint's verification ping has succeeded. */
async function registerEndpoint(
  { partner, store, report }: WebhookOptions,
  url: string,
): Promise<{ endpointId: string; secret: string }> {
  const { endpointId: storedId, endpointSecret } = store.state;
  const stored = (await partner.list(listWebhookEndpoints)).find(({ id }) => id === storedId);
  let endpoint: { endpointId: string; secret: string };
  if (stored !== undefined && endpointSecret !== undefined) {
    endpoint = { endpointId: stored.id, secret: endpointSecret };
    if (stored.url !== url)
      await partner.item(updateWebhookEndpoint, { params: { endpointId: stored.id }, body: { url } });
    else if (stored.status !== 'active')
      await partner.item(testWebhookEndpoint, { params: { endpointId: stored.id } });
  } else {
    const body = { url, description: 'The receiver of npm start' };
    const created = await partner.item(createWebhookEndpoint, { body });
    endpoint = { endpointId: created.id, secret: created.secret };
    store.update({ endpointId: created.id, endpointSecret: created.secret });
  }
  const isActive = async (): Promise<boolean> => {
    const endpoints = await partner.list(listWebhookEndpoints);
    return endpoints.find(({ id }) => id === endpoint.endpointId)?.status === 'active';
  };
  if (!(await waitUntil(isActive, { timeoutMs: verificationTimeoutMs, intervalMs: 250 }))) {
    throw new StackFailure(
      `the webhook endpoint ${url} was not verified within ${verificationTimeoutMs / 1_000} s`,
    );
  }
  report(`demo: webhook endpoint ${url} is verified`);
  return endpoint;
}

async function subscribe(partner: ApiClient, endpointId: string): Promise<void> {
  const subscriptions = await partner.list(listSubscriptions, { params: { endpointId } });
  if (subscriptions.some(({ event_type }) => event_type === 'scan.completed')) return;
  await partner.item(createSubscription, { params: { endpointId }, body: { event_type: 'scan.completed' } });
}
