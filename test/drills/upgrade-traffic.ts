import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type Access = { orgId: string; brandId: string; key: string };

export type Traffic = {
  /** Sets the base URLs of the following requests, which alternate between them. */
  to(baseUrls: readonly string[]): void;
  sent(): number;
  /** The longest request since the last call, as text. */
  takeLongest(): string;
  /** Unexpected responses and errors, as text with status, code, operation and request. */
  failures: string[];
  /** Requests that a client repeated as the API says: other requests wrote the prompts of the brand. */
  repeated(): number;
  /** Texts of the prompts that got 201. */
  written: string[];
  stop(): Promise<void>;
};

const clients = 4;
const pauseMs = 40;
const timeoutMs = 20_000;
/** As the SDK by default. */
const maxRetries = 5;
const baseDelayMs = 250;

type Call = { baseUrl: string; path: string; key: string; body?: object };
type Outcome = { ok: boolean; code?: string; text: string; ms: number };

/** Sends one request. An error of the connection and a timeout are outcomes too. */
async function send({ baseUrl, path, key, body }: Call): Promise<Outcome> {
  const startedAt = performance.now();
  const method = body === undefined ? 'GET' : 'POST';
  const describe = (outcome: string, requestId: string | null): Pick<Outcome, 'text' | 'ms'> => {
    const ms = Math.round(performance.now() - startedAt);
    const at = new Date().toISOString();
    return {
      ms,
      text: `${ms} ms, ${at} ${method} ${baseUrl}${path}: ${outcome}, request ${requestId ?? 'unknown'}`,
    };
  };
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const code = /"code":"(\w+)"/.exec(text)?.[1];
    return {
      ok: response.ok,
      ...(!response.ok && code !== undefined && { code }),
      ...describe(
        response.ok ? String(response.status) : `${response.status} ${code ?? text.slice(0, 200)}`,
        response.headers.get('x-request-id'),
      ),
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return { ok: false, ...describe(`${String(error)}${cause}`, null) };
  }
}

/** Starts clients that read from every service and write. They repeat nothing but a write that waited for others. */
export function startTraffic(baseUrl: string, { orgId, brandId, key }: Access): Traffic {
  let targets: readonly string[] = [baseUrl];
  let [sent, repeated] = [0, 0];
  let longest: Outcome | undefined;
  const stopping = new AbortController();
  const [failures, written]: [string[], string[]] = [[], []];
  const org = `/orgs/${orgId}`;
  const brand = `${org}/brands/${brandId}`;
  const reads = ['/orgs', org, `${org}/prompts`, `${org}/brands/summary`, brand].concat(
    ['mentions', 'scores', 'sources', 'share-of-voice'].map((list) => `${brand}/${list}`),
  );

  const sendOnce = async (call: Call): Promise<Outcome> => {
    sent += 1;
    const outcome = await send(call);
    if (longest === undefined || outcome.ms > longest.ms) longest = outcome;
    return outcome;
  };
  const write = async (call: Call, text: string): Promise<Outcome> => {
    for (let retry = 0; ; retry += 1) {
      const outcome = await sendOnce({ ...call, body: { text, countries: ['US'], active: false } });
      if (outcome.ok) written.push(text);
      if (outcome.code !== 'prompt_writes_busy' || retry === maxRetries) return outcome;
      repeated += 1;
      await sleep(baseDelayMs * 2 ** retry * (0.5 + Math.random() / 2));
    }
  };
  const once = async (index: number): Promise<void> => {
    const path = reads[index % (reads.length + 1)];
    const call = {
      baseUrl: targets[index % targets.length] ?? baseUrl,
      path: path ?? `${brand}/prompts`,
      key,
    };
    const outcome = await (path === undefined ? write(call, `written ${randomUUID()}`) : sendOnce(call));
    // A list of results is refused while a scan is being stored.
    if (outcome.ok || outcome.code === 'scan_in_progress') return;
    failures.push(outcome.text);
    console.log(`FAILED ${outcome.text}`);
  };
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let index = client; !stopping.signal.aborted; index += 1) {
      await once(index);
      await sleep(pauseMs);
    }
  });
  return {
    to: (baseUrls) => {
      targets = baseUrls;
    },
    sent: () => sent,
    takeLongest: () => {
      const text = longest?.text ?? 'none';
      longest = undefined;
      return text;
    },
    repeated: () => repeated,
    failures,
    written,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
