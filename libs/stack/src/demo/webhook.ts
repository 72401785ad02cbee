import {
  createSubscription,
  createWebhookEndpoint,
  listSubscriptions,
  listWebhookEndpoints,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '@bv/contract';
import { Webhook } from 'standardwebhooks';
import { messageOf, StackFailure } from '../failure.ts';
import { waitUntil } from '../processes/wait-until.ts';
import type { Say } from '../progress.ts';
import { startReceiver, type ReceivedRequest } from '../receiver.ts';
import type { ApiClient } from './api-client.ts';
import type { DemoMemory } from './demo-state.ts';

const verificationTimeoutMs = 30_000;
const deliveryTimeoutMs = 60_000;

type Event = { type: string; data: Record<string, unknown> };

export type DemoWebhook = {
  /** The event of this scan, received and its signature verified. */
  awaitScanCompleted(jobId: string): Promise<Event>;
  /** A ping asked for now, received and its signature verified. */
  awaitPing(): Promise<Event>;
  /** From now on says what comes and whether its signature is right. */
  announce(): void;
  close(): Promise<void>;
};

type WebhookOptions = { partner: ApiClient; memory: DemoMemory; port: number; say: Say };

/** A receiver on this machine, registered as the partner's endpoint and subscribed to finished scans. */
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
        const isIt = (request: ReceivedRequest): boolean => request.headers['webhook-id'] === eventId;
        return verify(webhook, await receiver.waitFor(isIt, deliveryTimeoutMs));
      },
      announce: () => {
        announce = (request) => options.say(describeRequest(webhook, request));
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
    return `webhook received, but not signed with the endpoint's secret (${messageOf(error)})`;
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

/** Returns once the endpoint's verification ping was answered. */
async function registerEndpoint(
  { partner, memory, say }: WebhookOptions,
  url: string,
): Promise<{ endpointId: string; secret: string }> {
  const { endpointId: knownId, endpointSecret } = memory.state;
  const known = (await partner.list(listWebhookEndpoints)).find(({ id }) => id === knownId);
  let endpoint: { endpointId: string; secret: string };
  if (known !== undefined && endpointSecret !== undefined) {
    endpoint = { endpointId: known.id, secret: endpointSecret };
    if (known.url !== url)
      await partner.item(updateWebhookEndpoint, { params: { endpointId: known.id }, body: { url } });
    else if (known.status !== 'active')
      await partner.item(testWebhookEndpoint, { params: { endpointId: known.id } });
  } else {
    const body = { url, description: 'The receiver of npm start' };
    const created = await partner.item(createWebhookEndpoint, { body });
    endpoint = { endpointId: created.id, secret: created.secret };
    memory.remember({ endpointId: created.id, endpointSecret: created.secret });
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
  say(`demo: webhook endpoint ${url} is verified`);
  return endpoint;
}

async function subscribe(partner: ApiClient, endpointId: string): Promise<void> {
  const subscriptions = await partner.list(listSubscriptions, { params: { endpointId } });
  if (subscriptions.some(({ event_type }) => event_type === 'scan.completed')) return;
  await partner.item(createSubscription, { params: { endpointId }, body: { event_type: 'scan.completed' } });
}
