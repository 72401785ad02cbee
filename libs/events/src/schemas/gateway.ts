import { Timestamp, Uuid } from '@bv/contract';
import { z } from 'zod';
import { defineEvent } from '../define-event.ts';

/** Aggregate id: `<partner_id>:<org_id>`. */
export const linkChanged = defineEvent({
  type: 'gateway.link.changed.v1',
  source: 'gateway',
  data: z.object({
    partner_id: Uuid,
    org_id: Uuid,
    scope: z.enum(['read_only', 'read_write']),
    external_ref: z.string().nullable(),
    active: z.boolean(),
    updated_at: Timestamp,
  }),
});

export const partnerChanged = defineEvent({
  type: 'gateway.partner.changed.v1',
  source: 'gateway',
  data: z.object({
    id: Uuid,
    name: z.string(),
    status: z.enum(['active', 'suspended']),
    updated_at: Timestamp,
  }),
});
