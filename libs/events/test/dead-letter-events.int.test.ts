import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { brandChanged, redriveDeadLetterEvent, republish, waitRedriven } from '../src/index.ts';
import { useDeadLetterEvents } from './use-dead-letter-events.ts';

const { events, consume, publishBrand, publishRaw, list, get, redrive, dismiss, listed } =
  useDeadLetterEvents();

describe('one row per message and consumer', () => {
  test('a message without an id that dies again after a redrive updates its row, and no other consumer stores it', async () => {
    const handlers = { [brandChanged.type]: async () => undefined };
    await consume({ handlers });
    await consume({ handlers, service: 'other' });
    publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
    const before = await listed(2);
    const own = before.find(({ consumer }) => consumer === 'evtest-catalog');
    expect(own).toMatchObject({ status: 'dead', attempts: 1, event_id: null, redriven_at: null });
    for (const attempts of [2, 3]) {
      const outcome = await redrive(own?.id ?? '');
      expect(outcome).toMatchObject({ id: own?.id, status: 'dead', attempts });
      expect(outcome?.redriven_at).not.toBeNull();
      expect(Date.parse(outcome?.last_failed_at ?? '')).toBeGreaterThan(Date.parse(own?.created_at ?? ''));
    }
    const after = await list();
    expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
    expect(new Set(after.map(({ attempts }) => attempts))).toEqual(new Set([1, 3]));
    expect(await get(own?.id ?? '')).toMatchObject({ message: { junk: true } });
  });

  test('two different messages without ids are two rows', async () => {
    await consume({ handlers: { [brandChanged.type]: async () => undefined } });
    publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
    publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
    publishRaw(`events.${brandChanged.type}`, 'no JSON');
    expect(await listed(3)).toHaveLength(3);
  });

  test('a redrive of a failing handler adds its attempts; one that is applied leaves the list', async () => {
    let isBroken = true;
    const handler = async (): Promise<void> => {
      if (isBroken) throw new Error('no room\n  in the shelf');
    };
    await consume({ handlers: { [brandChanged.type]: handler } });
    const eventId = await publishBrand();
    const [dead] = await listed(1);
    expect(dead).toMatchObject({ event_id: eventId, attempts: 10, error: 'no room in the shelf' });
    const id = dead?.id ?? '';
    expect(await redrive(id)).toMatchObject({ id, status: 'dead', attempts: 20 });
    await listed(1);
    isBroken = false;
    expect(await redrive(id)).toMatchObject({ id, status: 'applied', attempts: 20 });
    expect(await list()).toEqual([]);
    expect(await get(id)).toMatchObject({
      status: 'applied',
      error: 'no room\n  in the shelf',
      message: { id: eventId, type: brandChanged.type, data: { name: 'Acme' } },
    });
    expect(await redrive(id)).toMatchObject({ status: 'applied' });
  });

  test('a redriven event of a batch is applied in the transaction of its effect', async () => {
    let isBroken = true;
    const handler = async (): Promise<void> => {
      if (isBroken) throw new Error('broken');
    };
    await consume({ batch: { type: brandChanged.type, size: 10, maxWaitMs: 5, handler } });
    await publishBrand();
    const [dead] = await listed(1);
    isBroken = false;
    expect(await redrive(dead?.id ?? '')).toMatchObject({ status: 'applied' });
  });

  test('a redrive whose consumer does not run reports that no outcome is known', async () => {
    await consume({ handlers: { [brandChanged.type]: async () => undefined } });
    publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
    const [dead] = await listed(1);
    await Promise.all(events.running.splice(0).map((consumer) => consumer.stop()));
    const id = dead?.id ?? '';
    await redriveDeadLetterEvent(events.db.pool, id);
    expect(await waitRedriven(events.db.pool, id, 50)).toMatchObject({ status: 'redriven' });
    expect(await list()).toMatchObject([{ id, status: 'redriven' }]);
    // A second redrive sends nothing while the first has no outcome.
    expect(await redriveDeadLetterEvent(events.db.pool, id)).toMatchObject({ outboxId: null });
  });

  test('a redrive without an outcome can be repeated after 15 minutes', async () => {
    await consume({ handlers: { [brandChanged.type]: async () => undefined } });
    publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
    const [dead] = await listed(1);
    const id = dead?.id ?? '';
    const redrivenBefore = (age: string) =>
      events.db.pool.query(
        `update dead_letter_events set status = 'redriven', redriven_at = now() - $2::interval where id = $1`,
        [id, age],
      );
    await redrivenBefore('14 minutes');
    expect(await redriveDeadLetterEvent(events.db.pool, id)).toMatchObject({ outboxId: null });
    await redrivenBefore('15 minutes');
    const again = await redrive(id);
    expect(again).toMatchObject({ id, status: 'dead', attempts: 2 });
    expect(Date.parse(again?.redriven_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('a dead-letter event that is republished and then applied is applied', () => {
  test.each(['handler', 'batch'])('by a %s', async (kind) => {
    let isBroken = true;
    const handler = async (): Promise<void> => {
      if (isBroken) throw new Error('broken');
    };
    await consume(
      kind === 'handler'
        ? { handlers: { [brandChanged.type]: handler } }
        : { batch: { type: brandChanged.type, size: 10, maxWaitMs: 5, handler } },
    );
    await publishBrand();
    const [dead] = await listed(1);
    isBroken = false;
    await republish({ pool: events.db.pool, since: new Date(Date.now() - 3_600_000) });
    await listed(0);
    expect(await get(dead?.id ?? '')).toMatchObject({ status: 'applied' });
  });
});

test('dismissed: not listed, readable by its id, listed again when it fails again', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
  const [dead] = await listed(1);
  const id = dead?.id ?? '';
  expect(await dismiss(id)).toMatchObject({ id, status: 'dismissed' });
  expect(await dismiss(id)).toMatchObject({ id, status: 'dismissed' });
  expect(await list()).toEqual([]);
  expect(await get(id)).toMatchObject({ status: 'dismissed' });
  expect(await redrive(id)).toMatchObject({ status: 'dead', attempts: 2 });
  await listed(1);
  expect([await dismiss(randomUUID()), await get(randomUUID()), await redrive(randomUUID())]).toEqual([
    null,
    null,
    null,
  ]);
});
