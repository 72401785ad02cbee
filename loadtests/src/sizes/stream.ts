import { connect } from '@nats-io/transport-node';
import type { Pool } from 'pg';
import type { Measured } from '../target.ts';
import { awaitSent, schemas, type Weighed } from './scales.ts';

type StreamInfo = { error?: { description: string }; state: { messages: number; bytes: number } };

const stream = 'BV_EVENTS';
const columnsOfKinds = [
  { what: 'the event of a unit with an answer of 1,300 characters', where: `o.answer >= 1000` },
  { what: 'the event of a prompt', where: `o.type = 'catalog.prompt.changed.v1'` },
  { what: 'news that a brand changed', where: `o.type = 'results.brand.changed.v1'` },
  { what: 'the scores of a scan', where: `o.type = 'results.scan.scored.v1'` },
];

/**
 * Events in the stream, each its envelope and what NATS adds to a message, its file's share included. Throws where the
 * stream has not each event once.
 */
export async function weighMessages(target: Measured, sql: Pool): Promise<Weighed[]> {
  const sent = schemas.map(
    (schema) => `select type, octet_length(envelope::text) as bytes,
      length(envelope->'data'->>'answer_text') as answer from ${schema}.outbox where sent_at is not null`,
  );
  await awaitSent(sql);
  const { messages, bytes } = await stateOfStream(target.natsUrl);
  const columns = columnsOfKinds.map(({ where }) => `avg(bytes) filter (where ${where})::float8`);
  const { rows } = await sql.query<{ count: number; bytes: number; each: (number | null)[] }>(
    `select count(*)::int as count, sum(bytes)::float8 as bytes, array[${columns.join(', ')}] as each
     from (${sent.join(' union all ')}) o`,
  );
  const [all] = rows;
  if (all?.count !== messages) throw new Error(`${messages} messages of ${all?.count} events in the stream`);
  const added = (bytes - all.bytes) / messages;
  return columnsOfKinds.map(({ what }, index) => {
    const envelope = all.each[index];
    if (typeof envelope !== 'number') throw new Error(`${what}: there was none`);
    return {
      what: `${what}, in the stream`,
      bytes: envelope + added,
      parts: `envelope ${envelope.toFixed(0)}, message ${added.toFixed(0)}`,
      keptFor: '7 days',
    };
  });
}

async function stateOfStream(url: string): Promise<StreamInfo['state']> {
  const connection = await connect({ servers: new URL(url).host });
  try {
    const answer = await connection.request(`$JS.API.STREAM.INFO.${stream}`);
    const { error, state } = answer.json<StreamInfo>();
    if (error !== undefined) throw new Error(`${stream}: ${error.description}`);
    return state;
  } finally {
    await connection.close();
  }
}
