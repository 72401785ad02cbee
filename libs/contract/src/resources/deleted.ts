import { z } from 'zod';
import { Uuid } from '../scalars.ts';

/** `data` of every DELETE response. */
export const Deleted = z
  .strictObject({
    id: Uuid.describe('Id of what was deleted, from the path.'),
    deleted: z.literal(true).describe('Always true.'),
  })
  .meta({ id: 'Deleted' });
export type Deleted = z.infer<typeof Deleted>;
