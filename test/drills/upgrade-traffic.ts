import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type Access = { orgId: string; brandId: string; key: string };

export type Traffic = {
  /** Sets the base URLs of the following requests, which alternate between them. */
  to(baseUrls: readonly string[]): void;
  sent(): number;
  /** Unexpected responses and errors. */
  failures: string[];
  /** Texts of the prompts that got 201. */
  written: string[];
  stop(): Promise<void>;
};

const clients = 4;
const pauseMs = 40;

/** Starts clients that read from every service and write, without retries. */
export function startTraffic(baseUrl: string, { orgId, brandId, key }: Access): Traffic {
  let targets: readonly string[] = [baseUrl];
  let sent = 0;
  const stopping = new AbortController();
  const [failures, written]: [string[], string[]] = [[], []];
  const org = `/orgs/${orgId}`;
  const brand = `${org}/brands/${brandId}`;
  const reads = ['/orgs', org, `${org}/prompts`, `${org}/brands/summary`, brand].concat(
    ['mentions', 'scores', 'sources', 'share-of-voice'].map((list) => `${brand}/${list}`),
  );

  const once = async (index: number): Promise<void> => {
    const path = reads[index % (reads.length + 1)];
    const text = `written ${randomUUID()}`;
    const url = `${targets[index % targets.length]}${path ?? `${brand}/prompts`}`;
    const body = path === undefined ? JSON.stringify({ text, countries: ['US'], active: false }) : null;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = body === null ? { headers } : { method: 'POST', headers, body };
    try {
      const response = await fetch(url, { ...request, signal: AbortSignal.timeout(20_000) });
      const responseText = await response.text();
      if (!response.ok && !isFinalising(responseText))
        failures.push(`${url}: ${response.status} ${responseText.slice(0, 200)}`);
      else if (path === undefined) written.push(text);
    } catch (error) {
      failures.push(`${url}: ${String(error)}`);
    }
  };
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let index = client; !stopping.signal.aborted; index += 1) {
      sent += 1;
      await once(index);
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

/** Whether a list of results is refused because a scan is being stored. This is expected at any time. */
const isFinalising = (responseText: string): boolean => responseText.includes('"scan_in_progress"');
