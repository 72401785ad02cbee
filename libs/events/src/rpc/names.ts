import { Uuid } from '@bv/contract';
import { z } from 'zod';
import { defineRpc } from './rpc.ts';

/** A page of the operator API has at most this many rows. */
const maxIds = 200;

const Ids = z.array(Uuid).max(maxIds);
const Names = z.record(z.string(), z.string());

/** Names of partners and organisations by id. Unknown ids are omitted. */
export const findNamesRpc = defineRpc({
  subject: 'rpc.gateway.find-names',
  timeoutMs: 2_000,
  request: z.object({ partner_ids: Ids, org_ids: Ids }),
  reply: z.object({ partners: Names, orgs: Names }),
});
