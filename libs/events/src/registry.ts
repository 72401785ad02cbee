import type { EventDefinition, Source } from './define-event.ts';
import { brandChanged, orgChanged, promptChanged } from './schemas/catalog.ts';
import { linkChanged, partnerChanged } from './schemas/gateway.ts';
import { experimentCompleted, resultsBrandChanged, scanScored } from './schemas/results.ts';
import { jobChanged, unitFinalised } from './schemas/scans.ts';

/** Every internal event. */
export const events = [
  orgChanged,
  brandChanged,
  promptChanged,
  linkChanged,
  partnerChanged,
  unitFinalised,
  jobChanged,
  resultsBrandChanged,
  scanScored,
  experimentCompleted,
] as const;

export type AnyEvent = (typeof events)[number];

/** The events that one service publishes. */
export type SourceEvent<S extends Source> = Extract<AnyEvent, { source: S }>;

const byType: ReadonlyMap<string, EventDefinition> = new Map(events.map((event) => [event.type, event]));

export function findEvent(type: string): EventDefinition | undefined {
  return byType.get(type);
}
