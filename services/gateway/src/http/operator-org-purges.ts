import { operatorGetOrgPurge, type PurgedTable, type ServicePurge } from '@bv/contract';
import { callRpc, findPurgeRpc, type Nats, RpcUnavailable } from '@bv/events';
import { type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { services } from './services.ts';

export function operatorGetOrgPurgeRoute({ getNats }: Context): Route {
  return route(operatorGetOrgPurge, async ({ params: { orgId } }) => {
    const nats = getNats();
    const purges = await Promise.all(services.map((service) => getServicePurge(nats, service, orgId)));
    return {
      data: {
        org_id: orgId,
        state: summarise(purges),
        services: purges.map(({ tables: _, ...purge }) => purge),
        tables: purges.flatMap(({ tables }) => tables),
      },
    };
  });
}

function summarise(purges: readonly ServicePurge[]): 'not_requested' | 'running' | 'completed' {
  if (purges.every(({ state }) => state === 'completed')) return 'completed';
  return purges.every(({ state }) => state === 'not_requested') ? 'not_requested' : 'running';
}

type Purge = ServicePurge & { tables: PurgedTable[] };

async function getServicePurge(nats: Nats, service: string, orgId: string): Promise<Purge> {
  try {
    const purge = await callRpc(nats, findPurgeRpc(service), { org_id: orgId });
    if (purge === null) return { service, state: 'not_requested', completed_at: null, tables: [] };
    const isCompleted = purge.completed_at !== null && purge.tables.every(({ remaining }) => remaining === 0);
    return {
      service,
      state: isCompleted ? 'completed' : 'running',
      completed_at: purge.completed_at,
      tables: purge.tables.map((table) => ({ service, ...table })),
    };
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    return { service, state: 'no_response', completed_at: null, tables: [] };
  }
}
