/** Requests that a key with a monthly quota was served while Redis lost its counters several times. */
export type QuotaHistory = {
  quota: number;
  served: number;
  losses: number;
  block: number;
  otherStatuses: number[];
};

/** Checks that the quota is never exceeded, and that each loss costs the customer at most one leased block. */
export function checkQuota({ quota, served, losses, block, otherStatuses }: QuotaHistory): string[] {
  const violations: string[] = [];
  if (served > quota) violations.push(`${served} requests were served on a quota of ${quota}`);
  const least = quota - losses * block;
  if (served < least)
    violations.push(
      `only ${served} requests were served; with ${losses} losses at least ${least} are expected`,
    );
  const wrong = otherStatuses.filter((status) => status !== 429 && status !== 503);
  if (wrong.length > 0) violations.push(`responses ${[...new Set(wrong)].join(', ')}`);
  return violations;
}

/** Checks that the projection holds the last committed version of every row. */
export function checkProjection(
  catalogVersions: ReadonlyMap<string, string>,
  projectedVersions: ReadonlyMap<string, string>,
): string[] {
  return [...catalogVersions].flatMap(([id, version]) =>
    projectedVersions.get(id) === version
      ? []
      : [`${id}: version ${version} in catalog, ${projectedVersions.get(id) ?? 'none'} in results`],
  );
}
