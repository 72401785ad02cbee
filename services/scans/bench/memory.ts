import { readMetric } from '@bv/testkit/bench';
import { type BenchService, scan } from './service.ts';

const answerMs = 20_000;
const rounds = 3;
const readEveryMs = 100;

/**
 * Resident memory of one process with `inFlight` calls that take 20 s each, as its line of the report. All answers of a
 * round arrive at once, which is the worst case.
 */
export async function measureMemory(
  service: BenchService,
  { simulatorUrl, inFlight }: { simulatorUrl: string; inFlight: number },
): Promise<string> {
  const readBytes = (): Promise<number> => readMetric(service.monitoringUrl, 'process_resident_memory_bytes');
  const atRest = await readBytes();
  let peak = atRest;
  const timer = setInterval(() => {
    void readBytes().then((bytes) => (peak = Math.max(peak, bytes)));
  }, readEveryMs);
  await fetch(`${simulatorUrl}/control/trouble`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform: 'chatgpt', kind: 'slow', delayMs: answerMs }),
  });
  const { ms } = await scan(service, { units: rounds * inFlight, jobs: 1 });
  clearInterval(timer);
  return `${inFlight} answers of ${answerMs / 1_000} s at once, ${rounds} times in ${(ms / 1_000).toFixed(0)} s: ${toMb(peak)} at most, ${toMb(atRest)} at rest\n`;
}

const toMb = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;
