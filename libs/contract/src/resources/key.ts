import { z } from 'zod';
import { Count, Timestamp, Uuid } from '../scalars.ts';

const MonthlyUsage = z
  .strictObject({
    quota: Count.nullable().describe(
      'Requests that the key may make in a UTC calendar month. Null is unlimited.',
    ),
    used: Count.describe(
      'Requests charged in this month, this one included. Those of the last second may be missing.',
    ),
    resets_at: Timestamp.describe('Start of the next UTC calendar month.'),
  })
  .meta({ id: 'KeyMonthlyUsage' });

/** What a key may do, as read with that key. */
export const KeyIntrospection = z
  .strictObject({
    key_prefix: z.string().describe('The first 12 characters of the key.'),
    kind: z
      .enum(['organisation', 'partner'])
      .describe('Whether the key belongs to one organisation or to a partner.')
      .meta({ id: 'KeyKind' }),
    name: z.string().nullable().describe('Name that the key was issued with.'),
    scopes: z
      .array(z.enum(['read', 'write']).meta({ id: 'KeyScope' }))
      .describe('`write` is needed for every operation that changes something.'),
    expires_at: Timestamp.nullable().describe('From then on the key is refused. Null: it does not expire.'),
    org_id: Uuid.nullable().describe('The organisation of the key; null for a partner key.'),
    partner_id: Uuid.nullable().describe('The partner of the key; null for an organisation key.'),
    per_minute: Count.describe('Requests that the key may make in a clock minute.'),
    monthly: MonthlyUsage.describe('Quota of the current month and what was used of it.'),
  })
  .meta({ id: 'KeyIntrospection' });
export type KeyIntrospection = z.infer<typeof KeyIntrospection>;
