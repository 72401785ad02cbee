import { z } from 'zod';
import { Uuid } from '../scalars.ts';

/** `data` of every DELETE response. */
export const Deleted = z.strictObject({ id: Uuid, deleted: z.literal(true) }).meta({ id: 'Deleted' });
export type Deleted = z.infer<typeof Deleted>;
