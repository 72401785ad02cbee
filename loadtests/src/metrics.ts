/** Requests each service has answered since it started, of all services given. */
export async function requestsServed(monitoring: readonly string[]): Promise<number> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.flatMap((text) => samples(text, 'bv_http_request_duration_seconds_count')).reduce(sum, 0);
}

/**
 * Resident memory of each without V8's young generation, which holds nothing for long and doubles at once (by 53 MB)
 * when much survives one of its collections.
 */
export async function lastingMegabytes(monitoring: readonly string[]): Promise<number[]> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.map((text) => {
    const young = only(text, 'nodejs_heap_space_size_total_bytes', 'space="new"');
    return (only(text, 'process_resident_memory_bytes') - young) / 1_048_576;
  });
}

/** CPU of each since it started, milliseconds, and when that was. */
export async function cpuMsSpent(
  monitoring: readonly string[],
): Promise<{ cpuMs: number; startedAt: number }[]> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.map((text) => ({
    cpuMs: only(text, 'process_cpu_seconds_total') * 1_000,
    startedAt: only(text, 'process_start_time_seconds'),
  }));
}

/** A process without metrics must not look as if it used nothing. */
function only(text: string, name: string, label = ''): number {
  const [value] = samples(text, name, label);
  if (value === undefined) throw new Error(`no ${name} in the metrics`);
  return value;
}

const sum = (total: number, one: number): number => total + one;

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url}/metrics answers ${response.status}`);
  return response.text();
}

function samples(text: string, name: string, label = ''): number[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(label))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}
