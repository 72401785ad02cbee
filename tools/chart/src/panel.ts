export type Panel = {
  title: string;
  unit: string;
  /** PromQL by legend. */
  queries: Record<string, string>;
  description?: string;
  /** Title of the row that begins with this panel. */
  row?: string;
};

/** Label filter of every query. */
export const here = 'namespace=~"$namespace"';
export const of = (service: string): string => `${here},service="${service}"`;
export const rate = (metric: string, selector: string): string =>
  `rate(${metric}{${selector}}[$__rate_interval])`;
export const quantile = (q: number, metric: string, selector: string, by = ''): string =>
  `histogram_quantile(${q}, sum by (le${by}) (${rate(`${metric}_bucket`, selector)}))`;
