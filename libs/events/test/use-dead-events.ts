import { eventually } from '@bv/testkit';
import { afterEach, beforeEach, expect } from '@jest/globals';
import {
  callRpc,
  dismissDeadEventRpc,
  findDeadEventRpc,
  listDeadEventsRpc,
  redriveDeadEventRpc,
  type RpcServer,
  serveDeadEvents,
} from '../src/index.ts';
import { log } from './service.ts';
import { type CatalogOptions, someBrands, useConsumers } from './use-consumers.ts';

/** Consumers that retry after 1 ms, and the requests of the operator API about their dead-letter events. */
export function useDeadEvents() {
  let serving: RpcServer;
  afterEach(() => serving.stop());
  const events = useConsumers();
  beforeEach(() => {
    serving = serveDeadEvents({ nats: events.nats, pool: events.db.pool, service: 'evtest', log });
  });

  const consume = (options: Partial<CatalogOptions>) => events.consume({ retryDelaysMs: [1], ...options });
  const publishBrand = async (): Promise<string> => (await events.publishBrands(someBrands(1)))[0] ?? '';
  const publishRaw = (subject: string, text: string): void => events.nats.connection.publish(subject, text);
  const list = () => callRpc(events.nats, listDeadEventsRpc('evtest'), { limit: 50, before: null });
  const get = (id: string) => callRpc(events.nats, findDeadEventRpc('evtest'), { id });
  const redrive = (id: string) => callRpc(events.nats, redriveDeadEventRpc('evtest'), { id });
  const dismiss = (id: string) => callRpc(events.nats, dismissDeadEventRpc('evtest'), { id });
  /** Waits until so many dead-letter events are listed, and returns them. */
  const listed = async (count: number) => {
    await eventually(async () => expect(await list()).toHaveLength(count));
    return list();
  };
  return { events, consume, publishBrand, publishRaw, list, get, redrive, dismiss, listed };
}
