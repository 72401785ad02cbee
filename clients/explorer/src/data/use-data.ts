import type { BrandVisibilityClient } from '@bv/sdk';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useConnection } from './connection.ts';

export type Loading<T> =
  | { state: 'loading' }
  | { state: 'done'; value: T }
  | { state: 'refused'; error: unknown; retry: () => void };

/**
 * What `load` returns, read once for each `name` and input: each request counts against the allowance of the key.
 * Without an input it waits.
 */
export function useData<I extends object, T>(
  name: string,
  input: I | undefined,
  load: (client: BrandVisibilityClient, input: I) => Promise<T>,
): Loading<T> {
  const { client, cache } = useConnection();
  const key = input === undefined ? undefined : `${name} ${JSON.stringify(input)}`;
  const [attempt, setAttempt] = useState(0);
  const [shown, setShown] = useState<{ key: string | undefined; loading: Loading<T> }>({
    key: undefined,
    loading: { state: 'loading' },
  });
  const retry = useCallback(() => setAttempt((number) => number + 1), []);
  useEffect(() => {
    if (key === undefined || input === undefined) return undefined;
    let isCurrent = true;
    const show = (loading: Loading<T>) => isCurrent && setShown({ key, loading });
    // The client refuses some input before it sends a request.
    const reading = (cache.get(key) as Promise<T> | undefined) ?? (async () => load(client, input))();
    cache.set(key, reading);
    reading.then(
      (value) => show({ state: 'done', value }),
      (error: unknown) => {
        cache.delete(key);
        show({ state: 'refused', error, retry });
      },
    );
    show({ state: 'loading' });
    return () => {
      isCurrent = false;
    };
    // The key stands for the input.
  }, [key, attempt, cache]);
  return shown.key === key ? shown.loading : { state: 'loading' };
}
