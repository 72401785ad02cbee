/** Sum of the requests that the services have served since they started. */
export async function countRequestsServed(monitoring: readonly string[]): Promise<number> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.flatMap((text) => samples(text, 'bv_http_request_duration_seconds_count')).reduce(sum, 0);
}

/**
 * Resident memory of each process in MB, without V8's young generation. That generation doubles at once (by 53 MB) when
 * many objects survive a collection, and is not a leak.
 */
export async function readMegabytesWithoutYoungGeneration(monitoring: readonly string[]): Promise<number[]> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.map((text) => {
    const young = requireMetric(text, 'nodejs_heap_space_size_total_bytes', 'space="new"');
    return (requireMetric(text, 'process_resident_memory_bytes') - young) / 1_048_576;
  });
}

/** CPU time of each process in milliseconds, and the time of its start in seconds. */
export async function readCpuMs(
  monitoring: readonly string[],
): Promise<{ cpuMs: number; startedAt: number }[]> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.map((text) => ({
    cpuMs: requireMetric(text, 'process_cpu_seconds_total') * 1_000,
    startedAt: requireMetric(text, 'process_start_time_seconds'),
  }));
}

/** Value of a metric. Throws when it is missing, because 0 would look like no use. */
function requireMetric(text: string, name: string, label = ''): number {
  const [value] = samples(text, name, label);
  if (value === undefined) throw new Error(`no ${name} in the metrics`);
  return value;
}

const sum = (total: number, one: number): number => total + one;

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url}/metrics returned ${response.status}`);
  return response.text();
}

function samples(text: string, name: string, label = ''): number[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(label))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}
