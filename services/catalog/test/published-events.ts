import { expect } from '@jest/globals';
import type { EventDefinition, TypedEnvelope } from '@bv/events';
import type { Catalog } from './catalog.ts';

/** All published events of an aggregate, oldest first. */
export async function listPublished<E extends EventDefinition>(
  { sql }: Catalog,
  event: E,
  aggregateId: string,
): Promise<TypedEnvelope<E>[]> {
  const { rows } = await sql.query('select envelope from outbox where aggregate_id = $1 order by version', [
    aggregateId,
  ]);
  for (const { envelope } of rows) expect(envelope.type).toBe(event.type);
  return rows.map(({ envelope }) => envelope);
}
