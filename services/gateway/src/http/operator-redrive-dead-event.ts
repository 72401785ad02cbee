import { ApiError, operatorRedriveDeadEvent } from '@bv/contract';
import { callRpc, redriveDeadEventRpc } from '@bv/events';
import { route } from '@bv/http';
import { servicesWithDeadEvents } from '../domain/services.ts';
import { unanswered } from './operator-list-dead-events.ts';
import type { OperationsContext } from './operations-context.ts';
import { presentTime } from './present.ts';

const askTimeoutMs = 5_000;

/** Nobody knows whose event it is but the service that holds it; a silent service may be the one. */
export const operatorRedriveDeadEventRoute = ({ messaging }: OperationsContext) =>
  route(operatorRedriveDeadEvent, async ({ params }) => {
    const asked = await Promise.allSettled(
      servicesWithDeadEvents.map(async (service) => {
        const input = { id: params.deadEventId };
        const found = await callRpc(messaging.nats(), redriveDeadEventRpc(service), input, {
          timeoutMs: askTimeoutMs,
        }).catch((error: unknown) => {
          throw unanswered(service, error);
        });
        return found === null ? null : { ...found.dead_event, service };
      }),
    );
    const [row] = asked.flatMap((answer) =>
      answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : [],
    );
    if (row !== undefined) return { data: { ...row, ...times(row) } };
    const failed = asked.find((answer) => answer.status === 'rejected');
    throw failed === undefined ? new ApiError('not_found') : failed.reason;
  });

function times(row: { created_at: string; redriven_at: string | null }) {
  return {
    created_at: presentTime(row.created_at),
    redriven_at: row.redriven_at === null ? null : presentTime(row.redriven_at),
  };
}
