import { operatorRedriveDeadEvent } from '@bv/contract';
import { redriveDeadEventRpc, redriveWaitMs } from '@bv/events';
import { route } from '@bv/http';
import { callHolder, presentDeadEvent } from './dead-events.ts';
import type { OperationsContext } from './operations-context.ts';

/** The service waits for the outcome before it replies. */
const timeoutMs = redriveWaitMs + 5_000;

export const operatorRedriveDeadEventRoute = ({ messaging }: OperationsContext) =>
  route(operatorRedriveDeadEvent, async ({ params: { deadEventId: id } }) => {
    const { service, row } = await callHolder(messaging, { id, rpc: redriveDeadEventRpc, timeoutMs });
    return { data: presentDeadEvent(service, row) };
  });
