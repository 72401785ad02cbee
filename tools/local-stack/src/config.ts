import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { DataStoreId } from './datastores/data-server.ts';
import { StackFailure, toErrorMessage } from './failure.ts';

export const rootDir = fileURLToPath(new URL('../../../', import.meta.url));

export type StackOptions = {
  /** Directory of all data of the stack. */
  dataDir: string;
  /** Use any free ports instead of the default ones. */
  freePorts: boolean;
  /** URLs of data stores that run elsewhere. The stack neither starts nor stops them. */
  externalUrls: Partial<Record<DataStoreId, string>>;
  images: Record<DataStoreId, string>;
  /** Container engines to try, in this order, if no earlier start has chosen a source. */
  engines: string[];
  /** The environment of this process. Services get the permitted part of it. */
  environment: NodeJS.ProcessEnv;
};

export type StartOptions = StackOptions & {
  /** Stop after the demo. The exit status is 0 if it succeeded. */
  once: boolean;
};

const usage = `npm start -- [--once] [--free-ports] [--data-dir <directory>]

  --once        run the demo, then stop; the exit status is 0 if the demo succeeded
  --free-ports  use any free ports instead of the default ones
  --data-dir    store all data there instead of in .data/

  POSTGRES_URL, REDIS_URL, NATS_URL             use these data stores instead of starting new ones
  POSTGRES_IMAGE, REDIS_IMAGE, NATS_IMAGE       other container images
  CHATGPT_API_KEY, PERPLEXITY_API_KEY, ...      query the real platform instead of the simulator`;

export function readStackOptions(environment: NodeJS.ProcessEnv): StackOptions {
  const optional = (name: string): string | undefined => environment[name] || undefined;
  const urls = {
    postgres: optional('POSTGRES_URL'),
    redis: optional('REDIS_URL'),
    nats: optional('NATS_URL'),
  };
  return {
    dataDir: resolve(rootDir, '.data'),
    freePorts: false,
    externalUrls: Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== undefined)),
    images: {
      postgres: optional('POSTGRES_IMAGE') ?? 'postgres:17',
      redis: optional('REDIS_IMAGE') ?? 'redis:7',
      nats: optional('NATS_IMAGE') ?? 'nats:2',
    },
    engines: ['docker', 'podman'],
    environment,
  };
}

export function readStartOptions(args: string[], environment: NodeJS.ProcessEnv = process.env): StartOptions {
  const options = readStackOptions(environment);
  try {
    const { values } = parseArgs({
      args,
      options: {
        once: { type: 'boolean', default: false },
        'free-ports': { type: 'boolean', default: false },
        'data-dir': { type: 'string', default: options.dataDir },
      },
    });
    return {
      ...options,
      once: values.once,
      freePorts: values['free-ports'],
      dataDir: resolve(values['data-dir']),
    };
  } catch (error) {
    throw new StackFailure(`${toErrorMessage(error)}\n\n${usage}`);
  }
}
