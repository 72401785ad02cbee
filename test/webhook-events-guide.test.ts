import { expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookEvents, type WebhookEventType } from '@bv/contract';

const guide = readFileSync(join(import.meta.dirname, '../docs/guides/webhook-events.md'), 'utf8');
const bodies = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, body = '']) => JSON.parse(body) as { id: string; type: string; data: object },
);

test('the guide has one whole body of each event type', () => {
  expect(bodies.map(({ type }) => type).toSorted()).toEqual(Object.keys(webhookEvents).toSorted());
});

test.each(bodies)('the body of $type fits its schema', (body) => {
  expect(webhookEvents[body.type as WebhookEventType].safeParse(body)).toMatchObject({ success: true });
});

test('a body fits the subscription that is shown with it, and has its own id', () => {
  const subscriptions = [...guide.matchAll(/-d '(\{"event_type".*\})'/g)].map(
    ([, body = '']) => JSON.parse(body) as { event_type: string },
  );
  expect(subscriptions.length).toBeGreaterThan(0);
  for (const { event_type: type, ...options } of subscriptions) {
    expect(bodies.find((body) => body.type === type)?.data).toMatchObject(options);
  }
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(bodies.length);
});

test('the known signature is that of its input', () => {
  const values = new Map(
    [...guide.matchAll(/^(secret|id|timestamp|body|signature) +(\S.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const key = Buffer.from(values.get('secret')?.replace('whsec_', '') ?? '', 'base64');
  const signed = `${values.get('id')}.${values.get('timestamp')}.${values.get('body')}`;
  expect(values.get('signature')).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
});
