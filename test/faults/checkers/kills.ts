import type { Write } from './outage.ts';

/** What clients were told and what the tables hold once everything has come to rest. */
export type Aftermath = {
  writes: readonly Write[];
  /** Marks of the writes in catalog, one entry a row. */
  stored: readonly string[];
  /** The rows of prompts in catalog and in the projection of results: id, version. */
  told: ReadonlyMap<string, string>;
  heard: ReadonlyMap<string, string>;
  /** Events committed and not sent. */
  unsent: number;
  /** Messages that no consumer could handle. */
  dead: number;
  scans: readonly ScanRecord[];
  deliveries: readonly DeliveryRecord[];
};

export type ScanRecord = {
  jobId: string;
  status: string;
  /** How many units the job has, and the place of each result row: prompt, platform, country. */
  units: number;
  results: readonly string[];
  scoredEvents: number;
};

export type DeliveryRecord = {
  eventId: string;
  endpointId: string;
  status: string;
  attempts: number;
  /** Attempts whose process died: only these explain an event that came twice. */
  unknownAttempts: number;
  received: number;
  badSignatures: number;
};

const maxAttempts = 10;

export function checkAftermath(aftermath: Aftermath): string[] {
  return [
    ...checkWrites(aftermath),
    ...checkEvents(aftermath),
    ...aftermath.scans.flatMap(checkScan),
    ...checkDeliveries(aftermath.deliveries),
  ];
}

function checkWrites({ writes, stored }: Aftermath): string[] {
  const counts = Map.groupBy(stored, (mark) => mark);
  return writes.flatMap(({ mark, answered }) => {
    const rows = counts.get(mark)?.length ?? 0;
    if (rows > 1) return [`write ${mark} is stored ${rows} times`];
    return answered && rows === 0 ? [`write ${mark} was answered and is lost`] : [];
  });
}

function checkEvents({ told, heard, unsent, dead }: Aftermath): string[] {
  const violations: string[] = [];
  if (unsent > 0) violations.push(`${unsent} events were never sent`);
  if (dead > 0) violations.push(`${dead} messages are dead`);
  for (const [id, version] of told) {
    if (heard.get(id) !== version) violations.push(`prompt ${id}: told ${version}, heard ${heard.get(id)}`);
  }
  for (const id of heard.keys())
    if (!told.has(id)) violations.push(`prompt ${id} was heard of and never committed`);
  return violations;
}

function checkScan({ jobId, status, units, results, scoredEvents }: ScanRecord): string[] {
  const violations: string[] = [];
  if (status !== 'completed') violations.push(`scan ${jobId} is ${status}`);
  if (new Set(results).size !== results.length) violations.push(`scan ${jobId}: a unit has two results`);
  if (results.length !== units) violations.push(`scan ${jobId}: ${results.length} results of ${units} units`);
  if (scoredEvents !== 1) violations.push(`scan ${jobId} was told as scored ${scoredEvents} times`);
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
    if (received === 0) violations.push(`${name} never arrived`);
    if (received > 1 + unknownAttempts) violations.push(`${name} came ${received} times`);
    if (badSignatures > 0) violations.push(`${name}: ${badSignatures} bad signatures`);
    return violations;
  });
}
