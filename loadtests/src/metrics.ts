/** Requests each service has answered since it started, of all services given. */
export async function requestsServed(monitoring: readonly string[]): Promise<number> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.flatMap((text) => samples(text, 'http_request_duration_seconds_count')).reduce(sum, 0);
}

export async function residentMegabytes(monitoring: readonly string[]): Promise<number[]> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.map((text) => samples(text, 'process_resident_memory_bytes').reduce(sum, 0) / 1_048_576);
}

/** CPU of each since it started, milliseconds. */
export async function cpuMsSpent(monitoring: readonly string[]): Promise<number[]> {
  const texts = await Promise.all(monitoring.map(readMetrics));
  return texts.map((text) => samples(text, 'process_cpu_seconds_total').reduce(sum, 0) * 1_000);
}

const sum = (total: number, one: number): number => total + one;

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url}/metrics answers ${response.status}`);
  return response.text();
}

function samples(text: string, name: string): number[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}
