import { z } from 'zod';

export const Pagination = z
  .strictObject({
    next_cursor: z.string().nullable().describe('`cursor` of the next page; null on the last page.'),
    has_more: z
      .boolean()
      .describe('Whether another page follows. A page of large rows has fewer than `limit`.'),
  })
  .meta({ id: 'Pagination' });
export type Pagination = z.infer<typeof Pagination>;
