import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { DataStoreId } from './datastores/data-server.ts';
import { StackFailure, messageOf } from './failure.ts';

export const rootDir = fileURLToPath(new URL('../../../', import.meta.url));

export type StackOptions = {
  /** Everything the stack keeps. */
  dataDir: string;
  /** Any free ports instead of the usual ones. */
  freePorts: boolean;
  /** Data stores that run already and are only used. */
  givenUrls: Partial<Record<DataStoreId, string>>;
  images: Record<DataStoreId, string>;
  /** Looked for in this order when no data is there yet that says otherwise. */
  engines: string[];
  /** The environment of this process, from which the services get what they may see. */
  environment: NodeJS.ProcessEnv;
};

export type StartOptions = StackOptions & {
  /** End after the demo, with the exit status telling whether it worked. */
  once: boolean;
};

const usage = `npm start -- [--once] [--free-ports] [--data-dir <directory>]

  --once        run the demo, stop everything and end; the exit status says whether it worked
  --free-ports  use any free ports instead of the usual ones
  --data-dir    keep everything there instead of in .data/

  POSTGRES_URL, REDIS_URL, NATS_URL             use these data stores instead of starting own ones
  POSTGRES_IMAGE, REDIS_IMAGE, NATS_IMAGE       other container images
  CHATGPT_API_KEY, PERPLEXITY_API_KEY, ...      ask the real platform instead of the simulator`;

export function readStackOptions(environment: NodeJS.ProcessEnv): StackOptions {
  const given = (name: string): string | undefined => environment[name] || undefined;
  const urls = {
    postgres: given('POSTGRES_URL'),
    redis: given('REDIS_URL'),
    nats: given('NATS_URL'),
  };
  return {
    dataDir: resolve(rootDir, '.data'),
    freePorts: false,
    givenUrls: Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== undefined)),
    images: {
      postgres: given('POSTGRES_IMAGE') ?? 'postgres:17',
      redis: given('REDIS_IMAGE') ?? 'redis:7',
      nats: given('NATS_IMAGE') ?? 'nats:2',
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
    throw new StackFailure(`${messageOf(error)}\n\n${usage}`);
  }
}
