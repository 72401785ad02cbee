import type { ServerOptions } from './data-server.ts';

type Placement = { host: string; port: number; dir: string; durable: boolean } & Pick<
  ServerOptions,
  'settings'
>;

export function natsArguments({ host, port, dir, settings = {} }: Placement): string[] {
  const further = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return ['--addr', host, '--port', String(port), '--jetstream', '--store_dir', dir, ...further];
}

/** `noeviction`: Redis must return an error instead of evicting counters. 1024 databases: one per test file. */
export function redisArguments({ host, port, dir, durable, settings }: Placement): string[] {
  const all: Record<string, string> = {
    bind: host,
    port: String(port),
    dir,
    daemonize: 'no',
    save: '',
    'maxmemory-policy': 'noeviction',
    appendonly: durable ? 'yes' : 'no',
    databases: durable ? '16' : '1024',
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
}

export function postgresArguments({
  durable,
  settings,
}: Pick<ServerOptions, 'durable' | 'settings'>): string[] {
  const all: Record<string, string> = {
    max_connections: '300',
    shared_buffers: '128MB',
    log_min_messages: 'warning',
    timezone: 'UTC',
    ...(durable
      ? {}
      : {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          wal_level: 'minimal',
          max_wal_senders: '0',
          jit: 'off',
        }),
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
