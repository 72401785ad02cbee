import type { Write } from './outage.ts';

/** Responses that clients got, and rows in the tables after all queues are empty. */
export type FinalState = {
  writes: readonly Write[];
  /** Marks of the writes in catalog, one entry a row. */
  stored: readonly string[];
  /** Versions of prompts by id, in catalog and in the projection of results. */
  catalogVersions: ReadonlyMap<string, string>;
  projectedVersions: ReadonlyMap<string, string>;
  /** Events committed and not sent. */
  unsent: number;
  /** Number of dead-letter events. */
  deadLetters: number;
  scans: readonly ScanRecord[];
  deliveries: readonly DeliveryRecord[];
};

export type ScanRecord = {
  jobId: string;
  status: string;
  /** Number of units of the job, and the cell of each result row: prompt, platform, country. */
  units: number;
  results: readonly string[];
  scoredEvents: number;
};

export type DeliveryRecord = {
  eventId: string;
  endpointId: string;
  status: string;
  attempts: number;
  /** Attempts whose process died. Only these explain an event that was received twice. */
  unknownAttempts: number;
  received: number;
  badSignatures: number;
};

const maxAttempts = 10;

export function checkFinalState(finalState: FinalState): string[] {
  return [
    ...checkWrites(finalState),
    ...checkEvents(finalState),
    ...finalState.scans.flatMap(checkScan),
    ...checkDeliveries(finalState.deliveries),
  ];
}

function checkWrites({ writes, stored }: FinalState): string[] {
  const counts = Map.groupBy(stored, (mark) => mark);
  return writes.flatMap(({ mark, acknowledged }) => {
    const rows = counts.get(mark)?.length ?? 0;
    if (rows > 1) return [`write ${mark} is stored ${rows} times`];
    return acknowledged && rows === 0 ? [`write ${mark} was acknowledged and is lost`] : [];
  });
}

function checkEvents({ catalogVersions, projectedVersions, unsent, deadLetters }: FinalState): string[] {
  const violations: string[] = [];
  if (unsent > 0) violations.push(`${unsent} events were never sent`);
  if (deadLetters > 0) violations.push(`${deadLetters} dead-letter events`);
  for (const [id, version] of catalogVersions) {
    if (projectedVersions.get(id) !== version)
      violations.push(`prompt ${id}: version ${version} in catalog, ${projectedVersions.get(id)} in results`);
  }
  for (const id of projectedVersions.keys())
    if (!catalogVersions.has(id))
      violations.push(`prompt ${id} is in results and was never committed in catalog`);
  return violations;
}

function checkScan({ jobId, status, units, results, scoredEvents }: ScanRecord): string[] {
  const violations: string[] = [];
  if (status !== 'completed') violations.push(`scan ${jobId} is ${status}`);
  if (new Set(results).size !== results.length) violations.push(`scan ${jobId}: a unit has two results`);
  if (results.length !== units) violations.push(`scan ${jobId}: ${results.length} results of ${units} units`);
  if (scoredEvents !== 1) violations.push(`scan ${jobId} has ${scoredEvents} scored events`);
  return violations;
}

function checkDeliveries(deliveries: readonly DeliveryRecord[]): string[] {
  const seen = new Set<string>();
  return deliveries.flatMap((delivery) => {
    const { eventId, endpointId, status, attempts, unknownAttempts, received, badSignatures } = delivery;
    const name = `event ${eventId} to ${endpointId}`;
    const violations: string[] = [];
    if (seen.has(name)) violations.push(`${name}: two deliveries`);
    seen.add(name);
    if (status !== 'succeeded') violations.push(`${name} is ${status} after ${attempts} attempts`);
    if (attempts > maxAttempts) violations.push(`${name}: ${attempts} attempts`);
    if (received === 0) violations.push(`${name} was never received`);
    if (received > 1 + unknownAttempts) violations.push(`${name} was received ${received} times`);
    if (badSignatures > 0) violations.push(`${name}: ${badSignatures} bad signatures`);
    return violations;
  });
}
