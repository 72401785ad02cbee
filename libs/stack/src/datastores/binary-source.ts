import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackFailure } from '../failure.ts';
import { describeBinary, findBinaries, type Binary } from './binaries.ts';
import { dataStoreTitles, type DataStoreId, type DataStoreSource } from './data-server.ts';
import { startBinary } from './start-binary.ts';

export type Binaries = Record<DataStoreId, Binary[]>;

export async function findAllBinaries(): Promise<Binaries> {
  const [postgres, redis, nats] = await Promise.all([
    findBinaries('postgres'),
    findBinaries('redis'),
    findBinaries('nats'),
  ]);
  return { postgres, redis, nats };
}

export function missingBinaries(binaries: Binaries, needed: DataStoreId[]): DataStoreId[] {
  return needed.filter((id) => binaries[id].length === 0);
}

export function binarySource(binaries: Binaries, needed: DataStoreId[]): DataStoreSource {
  const chosen = needed.flatMap((id) => binaries[id].slice(0, 1));
  return {
    name: 'binaries',
    description: `binaries on this machine: ${chosen.map(describeBinary).join(', ')}`,
    start: async (id, options) => {
      const binary = id === 'postgres' ? await matching(binaries.postgres, options.dir) : binaries[id][0];
      if (binary === undefined) throw new StackFailure(`no usable ${dataStoreTitles[id]} on this machine`);
      return startBinary(binary, options);
    },
  };
}

/** A cluster can only be opened by the major version that made it. */
async function matching(candidates: Binary[], dir: string): Promise<Binary | undefined> {
  const major = (await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (major === '') return candidates[0];
  const fitting = candidates.find(({ version }) => version.split('.')[0] === major);
  if (fitting === undefined) {
    const versions = candidates.map(({ version }) => version).join(', ');
    throw new StackFailure(
      `${dir} was made by PostgreSQL ${major}, but this machine has ${versions}. ` +
        `Install PostgreSQL ${major}, or remove the data directory to start afresh.`,
    );
  }
  return fitting;
}
