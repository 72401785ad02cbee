import { z } from 'zod';

export const Pagination = z
  .strictObject({ next_cursor: z.string().nullable(), has_more: z.boolean() })
  .meta({ id: 'Pagination' });
export type Pagination = z.infer<typeof Pagination>;
