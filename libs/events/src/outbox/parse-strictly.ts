import type { EventDefinition } from '../define-event.ts';

/** The schemas strip unknown keys for readers; a publisher that sends one has made a mistake. */
export function parseStrictly(event: EventDefinition, data: unknown): unknown {
  const parsed = event.data.parse(data);
  const unknown = findUnknownKey(data, parsed, '');
  if (unknown !== undefined) throw new Error(`${event.type} has no field ${unknown}`);
  return parsed;
}

function findUnknownKey(given: unknown, parsed: unknown, path: string): string | undefined {
  if (!isObject(given) || !isObject(parsed)) return undefined;
  for (const [key, value] of Object.entries(given)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(parsed, key)) return here;
    const deeper = findUnknownKey(value, parsed[key], here);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
