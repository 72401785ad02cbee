import { randomUUID } from 'node:crypto';
import type { Operation } from '@bv/contract';
import { type EventData, type EventDefinition, linkChanged, partnerChanged } from '@bv/events';
import { createPool, type Pool, transaction } from '@bv/postgres';
import { createMetrics } from '@bv/telemetry';
import {
  type CallOperation,
  eventually,
  type OperationCall,
  type OperationResponse,
  startService,
} from '@bv/testkit';
import { createApp, type Deps } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { upsertLink, upsertPartner } from '../src/db/projections.ts';

export type Webhooks = Awaited<ReturnType<typeof startWebhooks>>;

/** Settings for receivers on this machine, with short intervals. */
export const testSettings = {
  NODE_ENV: 'test',
  WEBHOOKS_SECRET_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
  WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOKS_ALLOW_HTTP: 'true',
  WEBHOOKS_POLL_MS: '10',
  WEBHOOKS_EXPIRED_LEASES_MS: '100',
  WEBHOOKS_STOP_GRACE_MS: '500',
};

/** Starts the service with both roles in this process, with its own database and NATS server. */
export async function startWebhooks(
  env: Record<string, string> = {},
  deps: Partial<Omit<Deps, 'log' | 'lifecycle'>> = {},
) {
  const entry = { name: 'webhooks', readConfig, createApp } as const;
  const service = await startService(entry, { env: { ...testSettings, ...env }, deps });
  const { log, database } = service;
  const pool = createPool({
    connectionString: database.url,
    applicationName: 'webhooks-test',
    log,
    metrics: createMetrics('webhooks-test'),
  });
  return {
    ...service,
    /** The pool of the product, for handlers and maintenance jobs. */
    pool,
    as: callAsPartner(service.call),
    ...publishers(pool, service.emit),
    stop: async () => {
      await pool.end();
      await service.stop();
    },
  };
}

/** Calls an operation with a key of this partner. */
function callAsPartner(call: CallOperation) {
  return <O extends Operation>(
    partnerId: string,
    operation: O,
    input: OperationCall<O>,
  ): Promise<OperationResponse<O>> => {
    const operationId = operation.access === 'write' ? randomUUID() : null;
    const owner = { kind: 'partner' as const, id: partnerId };
    return call(operation, {
      ...input,
      caller: { orgId: null, link: null, owner, operationId, ...input.caller },
    });
  };
}

let version = 0;
const toExternalRef = (orgId: string): string => `ref-${orgId.slice(0, 4)}`;

function publishers(
  pool: Pool,
  emit: <E extends EventDefinition>(
    event: E,
    aggregateId: string,
    version: number,
    data: EventData<E>,
  ) => Promise<{ id: string }>,
) {
  const published = new Set<string>();
  const publish = async <E extends EventDefinition>(
    event: E,
    aggregateId: string,
    data: EventData<E>,
  ): Promise<void> => {
    const { id } = await emit(event, aggregateId, (version += 1), data);
    published.add(id);
  };
  /** Waits until every event published so far was applied. */
  const waitUntilApplied = async (): Promise<void> => {
    await eventually(
      async () => {
        const { rows } = await pool.query<{ count: number }>(
          'select count(distinct event_id)::int as count from inbox where event_id = any($1)',
          [[...published]],
        );
        if (rows[0]?.count !== published.size)
          throw new Error(`${rows[0]?.count} of ${published.size} applied`);
      },
      { intervalMs: 20 },
    );
  };
  const updated_at = '2026-11-21T03:00:00.000Z';
  return {
    publish,
    waitUntilApplied,
    setPartner: async (id: string, status: 'active' | 'suspended'): Promise<void> => {
      await publish(partnerChanged, id, { id, name: 'Partner', status, updated_at });
      await waitUntilApplied();
    },
    setLink: async (partnerId: string, orgId: string, active = true): Promise<void> => {
      await publish(linkChanged, `${partnerId}:${orgId}`, {
        partner_id: partnerId,
        org_id: orgId,
        scope: 'read_only',
        external_ref: toExternalRef(orgId),
        active,
        updated_at,
      });
      await waitUntilApplied();
    },
    /** Inserts a partner that is linked to a new organisation. */
    newPartner: async (): Promise<{ partnerId: string; orgId: string }> => {
      const [partnerId, orgId] = [randomUUID(), randomUUID()];
      // Directly into the projections: other tests cover the events of partners and links.
      await transaction(pool, async (tx) => {
        await upsertPartner(tx, { id: partnerId, status: 'active', version: (version += 1) });
        const externalRef = toExternalRef(orgId);
        await upsertLink(tx, { partnerId, orgId, externalRef, active: true, version: (version += 1) });
      });
      return { partnerId, orgId };
    },
  };
}
