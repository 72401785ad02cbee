import { Count, Timestamp, Uuid } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { z } from 'zod';
import type { Nats } from '../nats/connect.ts';
import { findPurge } from '../purge/org-purges.ts';
import { countPurgedRows, type PurgePlan } from '../purge/purge-plan.ts';
import { defineRpc, serveRpc, type RpcServer } from './rpc.ts';

/** The numbers of rows of an organisation that a service has deleted and has still. Null: no purge is requested. */
export const findPurgeRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.find-purge`,
    timeoutMs: 8_000,
    request: z.object({ org_id: Uuid }),
    reply: z
      .object({
        completed_at: Timestamp.nullable(),
        tables: z.array(z.object({ table: z.string(), removed: Count, remaining: Count })),
      })
      .nullable(),
  });

type Serving = { nats: Nats; pool: Pool; plan: PurgePlan; service: string; log: Logger };

export function servePurges({ nats, pool, plan, service, log }: Serving): RpcServer {
  return serveRpc(
    nats,
    findPurgeRpc(service),
    async ({ org_id: orgId }) => {
      const left = (await findPurge(pool, orgId)) && (await countPurgedRows(pool, plan, orgId));
      // After the count: rows that are deleted between the two queries are reported as removed.
      const purge = await findPurge(pool, orgId);
      if (left === undefined || purge === undefined) return null;
      const names = new Set([...Object.keys(left), ...Object.keys(purge.removed)]);
      const tables = [...names].map((table) => ({
        table,
        removed: purge.removed[table] ?? 0,
        remaining: left[table] ?? 0,
      }));
      return { completed_at: purge.completed_at, tables };
    },
    { queue: service, log },
  );
}
