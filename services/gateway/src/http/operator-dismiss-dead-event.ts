import { operatorDismissDeadEvent } from '@bv/contract';
import { dismissDeadEventRpc } from '@bv/events';
import { route } from '@bv/http';
import { callHolder, presentDeadEvent } from './dead-events.ts';
import type { OperationsContext } from './operations-context.ts';

const timeoutMs = 5_000;

export const operatorDismissDeadEventRoute = ({ messaging }: OperationsContext) =>
  route(operatorDismissDeadEvent, async ({ params: { deadEventId: id } }) => {
    const { service, row } = await callHolder(messaging, { id, rpc: dismissDeadEventRpc, timeoutMs });
    return { data: presentDeadEvent(service, row) };
  });
