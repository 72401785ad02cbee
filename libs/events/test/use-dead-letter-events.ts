import { eventually } from '@bv/testkit';
import { afterEach, beforeEach, expect } from '@jest/globals';
import {
  callRpc,
  dismissDeadLetterEventRpc,
  findDeadLetterEventRpc,
  listDeadLetterEventsRpc,
  redriveDeadLetterEventRpc,
  type RpcServer,
  serveDeadLetterEvents,
} from '../src/index.ts';
import { log } from './service.ts';
import { type CatalogOptions, someBrands, useConsumers } from './use-consumers.ts';

/** Consumers that retry after 1 ms, and the requests of the operator API about their dead-letter events. */
export function useDeadLetterEvents() {
  let serving: RpcServer;
  afterEach(() => serving.stop());
  const events = useConsumers();
  beforeEach(() => {
    serving = serveDeadLetterEvents({ nats: events.nats, pool: events.db.pool, service: 'evtest', log });
  });

  const consume = (options: Partial<CatalogOptions>) => events.consume({ retryDelaysMs: [1], ...options });
  const publishBrand = async (): Promise<string> => (await events.publishBrands(someBrands(1)))[0] ?? '';
  const publishRaw = (subject: string, text: string): void => events.nats.connection.publish(subject, text);
  const list = () => callRpc(events.nats, listDeadLetterEventsRpc('evtest'), { limit: 50, before: null });
  const get = (id: string) => callRpc(events.nats, findDeadLetterEventRpc('evtest'), { id });
  const redrive = (id: string) => callRpc(events.nats, redriveDeadLetterEventRpc('evtest'), { id });
  const dismiss = (id: string) => callRpc(events.nats, dismissDeadLetterEventRpc('evtest'), { id });
  /** Waits until so many dead-letter events are listed, and returns them. */
  const listed = async (count: number) => {
    await eventually(async () => expect(await list()).toHaveLength(count));
    return list();
  };
  return { events, consume, publishBrand, publishRaw, list, get, redrive, dismiss, listed };
}
