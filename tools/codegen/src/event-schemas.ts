import { events } from '@bv/events';
import { z } from 'zod';

/** A JSON Schema for each internal event. The files are committed, so a breaking change is visible in the diff. */
export function eventSchemas(): [type: string, schema: object][] {
  return Object.values(events).map((event) => [
    event.type,
    { title: event.type, ...z.toJSONSchema(event.data, { io: 'input' }) },
  ]);
}
