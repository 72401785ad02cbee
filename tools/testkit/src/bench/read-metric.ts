/** Reads the first sample of a counter or gauge of a process. Throws if the process has no such metric. */
export async function readMetric(monitoringUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${monitoringUrl}/metrics`)).text();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`${monitoringUrl} has no metric ${name}`);
  return Number(value);
}
