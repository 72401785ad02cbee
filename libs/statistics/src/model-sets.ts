/** Models that answered on a platform. An answer whose model is unknown adds none. */
export type ServedModels = { platform: string; models: readonly string[] };

/** Whether a platform served another set of models in b than in a. A platform with no known model in one of them does not count. */
export function haveModelsChanged(a: readonly ServedModels[], b: readonly ServedModels[]): boolean {
  const modelsA = modelsByPlatform(a);
  const modelsB = modelsByPlatform(b);
  return modelsA.entries().some(([platform, models]) => {
    const others = modelsB.get(platform);
    return others !== undefined && !isSameSet(models, others);
  });
}

function modelsByPlatform(rows: readonly ServedModels[]): Map<string, Set<string>> {
  const byPlatform = new Map<string, Set<string>>();
  for (const { platform, models } of rows) {
    if (models.length === 0) continue;
    const served = byPlatform.get(platform) ?? new Set();
    byPlatform.set(platform, served);
    for (const model of models) served.add(model);
  }
  return byPlatform;
}

export const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && a.values().every((value) => b.has(value));
