import { BrandVisibilityClient, type ResponseInfo } from '@bv/sdk';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

type Allowance = NonNullable<ResponseInfo['rateLimit']>;

/** A client with its key, what it has read so far, and what is left of the allowance of the minute. */
export type Connection = {
  client: BrandVisibilityClient;
  cache: Map<string, Promise<unknown>>;
  onAllowance: (listener: (allowance: Allowance) => void) => () => void;
};

/** Waits that are shorter than this are not shown. */
const hiddenWaitMs = 2_000;

export function connect(apiKey: string): Connection {
  const listeners = new Set<(allowance: Allowance) => void>();
  const client = new BrandVisibilityClient({
    baseUrl: `${location.origin}/v1`,
    apiKey,
    timeoutMs: 30_000,
    retry: { maxRetries: 2, maxRetryAfterMs: hiddenWaitMs },
    onResponse: ({ rateLimit }) => {
      if (rateLimit !== undefined) for (const listener of listeners) listener(rateLimit);
    },
  });
  const onAllowance: Connection['onAllowance'] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { client, cache: new Map(), onAllowance };
}

export const ConnectionContext = createContext<Connection | undefined>(undefined);

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (connection === undefined) throw new Error('no connection');
  return connection;
}

export function useAllowance(): Allowance | undefined {
  const { onAllowance } = useConnection();
  const [allowance, setAllowance] = useState<Allowance>();
  useEffect(() => onAllowance(setAllowance), [onAllowance]);
  return allowance;
}
