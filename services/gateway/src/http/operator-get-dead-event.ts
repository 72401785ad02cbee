import { operatorGetDeadEvent } from '@bv/contract';
import type { ResponseData } from '@bv/contract';
import { findDeadEventRpc } from '@bv/events';
import { route } from '@bv/http';
import { callHolder, presentDeadEvent } from './dead-events.ts';
import type { OperationsContext } from './operations-context.ts';

const timeoutMs = 5_000;

type Message = ResponseData<typeof operatorGetDeadEvent>['message'];

export const operatorGetDeadEventRoute = ({ messaging }: OperationsContext) =>
  route(operatorGetDeadEvent, async ({ params: { deadEventId: id } }) => {
    const { service, row } = await callHolder(messaging, { id, rpc: findDeadEventRpc, timeoutMs });
    return { data: { ...presentDeadEvent(service, row), message: row.message as Message } };
  });
