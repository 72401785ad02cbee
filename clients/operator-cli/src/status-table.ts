import type { operatorGetStatus, ResponseData } from '@bv/contract';
import { rowsTable } from './present.ts';

type Status = ResponseData<typeof operatorGetStatus>;

/** One row per queue. The fields of a service stand in its first row. */
export function statusTable({ services }: Status, width: number | undefined): string {
  const rows = services.flatMap(({ queues, ...service }) => {
    const [first, ...others] = queues;
    const about = { service: service.service, state: service.state, migration: service.migration };
    return [
      { ...about, dead_events: service.dead_events, ...describeQueue(first) },
      ...others.map((queue) => ({ ...blank, ...describeQueue(queue) })),
    ];
  });
  return rowsTable(rows, { width });
}

/** A space, because an empty cell is shown as a dash. */
const blank = { service: ' ', state: ' ', migration: ' ', dead_events: ' ' };

function describeQueue(queue: Status['services'][number]['queues'][number] | undefined) {
  const oldest = queue?.oldest_seconds ?? null;
  return {
    queue: queue?.name ?? null,
    waiting: queue?.waiting ?? null,
    oldest: oldest === null ? null : `${Math.round(oldest)} s`,
  };
}

export const hasSilentService = ({ services }: Status): boolean =>
  services.some(({ state }) => state === 'no_response');
