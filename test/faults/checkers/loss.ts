/** What a customer with a monthly quota was served while the counters were lost again and again. */
export type QuotaHistory = {
  quota: number;
  served: number;
  losses: number;
  block: number;
  otherStatuses: number[];
};

/** Never more than was paid for; and each loss costs the customer one block at most. */
export function checkQuota({ quota, served, losses, block, otherStatuses }: QuotaHistory): string[] {
  const violations: string[] = [];
  if (served > quota) violations.push(`${served} requests were served on a quota of ${quota}`);
  const least = quota - losses * block;
  if (served < least)
    violations.push(`only ${served} requests were served; ${losses} losses explain ${least} and more`);
  const wrong = otherStatuses.filter((status) => status !== 429 && status !== 503);
  if (wrong.length > 0) violations.push(`answers ${[...new Set(wrong)].join(', ')}`);
  return violations;
}

/** Everything that was committed has been heard in its last state, and nothing twice. */
export function checkHeard(told: ReadonlyMap<string, string>, heard: ReadonlyMap<string, string>): string[] {
  return [...told].flatMap(([id, version]) =>
    heard.get(id) === version ? [] : [`${id}: told ${version}, heard ${heard.get(id) ?? 'nothing'}`],
  );
}
