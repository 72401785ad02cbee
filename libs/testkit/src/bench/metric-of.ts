/** A counter or gauge of a process without labels of its own, from its metrics. */
export async function metricOf(monitoringUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${monitoringUrl}/metrics`)).text();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`${monitoringUrl} has no metric ${name}`);
  return Number(value);
}
