import { events } from '@bv/events';
import { z } from 'zod';

/** A JSON Schema per internal event: a breaking change shows up as a diff of a committed file. */
export function eventSchemas(): [type: string, schema: object][] {
  return Object.values(events).map((event) => [
    event.type,
    { title: event.type, ...z.toJSONSchema(event.data, { io: 'input' }) },
  ]);
}
