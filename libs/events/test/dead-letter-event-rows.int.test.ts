import { expect, test } from '@jest/globals';
import { brandChanged } from '../src/index.ts';
import { useDeadLetterEvents } from './use-dead-letter-events.ts';

const { consume, publishRaw, get, listed } = useDeadLetterEvents();

test('an error is one short line in the list and whole in get', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
  const [dead] = await listed(1);
  expect(dead?.error).toMatch(/^id: Invalid input: expected string, received undefined; [^\n]+…$/);
  expect(dead?.error.length).toBeLessThanOrEqual(80);
  expect((await get(dead?.id ?? ''))?.error).toMatch(/; version: Invalid input: [^\n]+received undefined$/);
});

test('a message of the maximum size of the broker is readable', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  const junk = 'x'.repeat(1_040_000);
  publishRaw(`events.${brandChanged.type}`, JSON.stringify({ junk }));
  const [dead] = await listed(1);
  expect(await get(dead?.id ?? '')).toMatchObject({
    message: { truncated: expect.stringMatching(/^\{"junk":"x{1000}/) },
  });
});
