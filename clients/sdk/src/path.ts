import type { Operation } from './options.ts';

export type Values = Record<string, unknown>;

/** Encodes a path segment. Throws if it is empty or would change the path. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} must be an id`);
  }
  return encodeURIComponent(value);
}

export const getParameters = (operation: Operation): string[] =>
  [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export function toPath(operation: Operation, values: Values): string {
  return getParameters(operation).reduce(
    (path, name) => path.replace(`{${name}}`, segment(name, values[name])),
    operation.path,
  );
}

/** Query of a URL. Values that are `undefined` are omitted. */
export function toQuery(values: Values): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
  return set.length === 0 ? '' : `?${query.toString()}`;
}
