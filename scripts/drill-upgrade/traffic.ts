import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type Place = { orgId: string; brandId: string; key: string };

export type Traffic = {
  /** Where requests go from now on, in turn. */
  to(baseUrls: readonly string[]): void;
  sent(): number;
  /** Everything that was not answered as it would be on a quiet day. */
  failures: string[];
  /** The texts of the prompts that were answered as created. */
  written: string[];
  stop(): Promise<void>;
};

const clients = 4;
const pauseMs = 40;

/** Reads of every service and writes, by clients that never repeat anything. */
export function startTraffic(baseUrl: string, { orgId, brandId, key }: Place): Traffic {
  let targets: readonly string[] = [baseUrl];
  let sent = 0;
  const stopping = new AbortController();
  const [failures, written]: [string[], string[]] = [[], []];
  const org = `/orgs/${orgId}`;
  const brand = `${org}/brands/${brandId}`;
  const reads = ['/orgs', org, `${org}/prompts`, `${org}/brands/summary`, brand].concat(
    ['mentions', 'scores', 'sources', 'share-of-voice'].map((list) => `${brand}/${list}`),
  );

  const once = async (turn: number): Promise<void> => {
    const path = reads[turn % (reads.length + 1)];
    const text = `written ${randomUUID()}`;
    const url = `${targets[turn % targets.length]}${path ?? `${brand}/prompts`}`;
    const body = path === undefined ? JSON.stringify({ text, countries: ['US'], active: false }) : null;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = body === null ? { headers } : { method: 'POST', headers, body };
    try {
      const response = await fetch(url, { ...request, signal: AbortSignal.timeout(20_000) });
      const said = await response.text();
      if (!response.ok && !isFinalising(said))
        failures.push(`${url}: ${response.status} ${said.slice(0, 200)}`);
      else if (path === undefined) written.push(text);
    } catch (error) {
      failures.push(`${url}: ${String(error)}`);
    }
  };
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let turn = client; !stopping.signal.aborted; turn += 1) {
      sent += 1;
      await once(turn);
      await sleep(pauseMs);
    }
  });
  return {
    to: (baseUrls) => {
      targets = baseUrls;
    },
    sent: () => sent,
    failures,
    written,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** What a list of results answers while a scan is being stored, upgrade or not. */
const isFinalising = (said: string): boolean => said.includes('"scan_in_progress"');
