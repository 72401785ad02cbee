import { connect } from '@nats-io/transport-node';
import type { Pool } from 'pg';
import type { StorageTarget } from '../target.ts';
import { waitForRelay, schemas, type StorageSize } from './measure-storage.ts';

type StreamInfo = { error?: { description: string }; state: { messages: number; bytes: number } };

const stream = 'BV_EVENTS';
const eventKinds = [
  { what: 'the event of a unit with an answer of 1,300 characters', where: `o.answer >= 1000` },
  { what: 'the event of a prompt', where: `o.type = 'catalog.prompt.changed.v1'` },
  { what: 'a brand change event', where: `o.type = 'results.brand.changed.v1'` },
  { what: 'the scores of a scan', where: `o.type = 'results.scan.scored.v1'` },
];

/**
 * Bytes of events in the stream: the envelope and the overhead of NATS per message, files included. Throws when the
 * stream does not contain each event once.
 */
export async function measureMessages(target: StorageTarget, sql: Pool): Promise<StorageSize[]> {
  const sent = schemas.map(
    (schema) => `select type, octet_length(envelope::text) as bytes,
      length(envelope->'data'->>'answer_text') as answer from ${schema}.outbox where sent_at is not null`,
  );
  await waitForRelay(sql);
  const { messages, bytes } = await readStreamState(target.natsUrl);
  const columns = eventKinds.map(({ where }) => `avg(bytes) filter (where ${where})::float8`);
  const { rows } = await sql.query<{ count: number; bytes: number; each: (number | null)[] }>(
    `select count(*)::int as count, sum(bytes)::float8 as bytes, array[${columns.join(', ')}] as each
     from (${sent.join(' union all ')}) o`,
  );
  const [all] = rows;
  if (all?.count !== messages) throw new Error(`${messages} messages of ${all?.count} events in the stream`);
  const added = (bytes - all.bytes) / messages;
  return eventKinds.map(({ what }, index) => {
    const envelope = all.each[index];
    if (typeof envelope !== 'number') throw new Error(`${what}: no event`);
    return {
      what: `${what}, in the stream`,
      bytes: envelope + added,
      parts: `envelope ${envelope.toFixed(0)}, message ${added.toFixed(0)}`,
      keptFor: '7 days',
    };
  });
}

async function readStreamState(url: string): Promise<StreamInfo['state']> {
  const connection = await connect({ servers: new URL(url).host });
  try {
    const response = await connection.request(`$JS.API.STREAM.INFO.${stream}`);
    const { error, state } = response.json<StreamInfo>();
    if (error !== undefined) throw new Error(`${stream}: ${error.description}`);
    return state;
  } finally {
    await connection.close();
  }
}
