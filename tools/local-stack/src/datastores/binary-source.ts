import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackFailure } from '../failure.ts';
import { describeBinary, findBinaries, type Binary } from './binaries.ts';
import { dataStoreTitles, type DataStoreId, type DataStoreSource } from './data-server.ts';
import { startBinary } from './start-binary.ts';

export type Binaries = Record<DataStoreId, Binary[]>;

export async function findRequiredBinaries(required: DataStoreId[]): Promise<Binaries> {
  const find = async (id: DataStoreId) => (required.includes(id) ? findBinaries(id) : []);
  const [postgres, redis, nats] = await Promise.all([find('postgres'), find('redis'), find('nats')]);
  return { postgres, redis, nats };
}

export function missingBinaries(binaries: Binaries, required: DataStoreId[]): DataStoreId[] {
  return required.filter((id) => binaries[id].length === 0);
}

export function binarySource(binaries: Binaries, required: DataStoreId[]): DataStoreSource {
  const chosen = required.flatMap((id) => binaries[id].slice(0, 1));
  return {
    name: 'binaries',
    description: `binaries on this machine: ${chosen.map(describeBinary).join(', ')}`,
    start: async (id, options) => {
      const binary =
        id === 'postgres' ? await findMatchingBinary(binaries.postgres, options.dir) : binaries[id][0];
      if (binary === undefined) throw new StackFailure(`no usable ${dataStoreTitles[id]} on this machine`);
      return startBinary(binary, options);
    },
  };
}

/** Only the major version that created a cluster can open it. */
async function findMatchingBinary(candidates: Binary[], dir: string): Promise<Binary | undefined> {
  const major = (await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (major === '') return candidates[0];
  const match = candidates.find(({ version }) => version.split('.')[0] === major);
  if (match === undefined) {
    const versions = candidates.map(({ version }) => version).join(', ');
    throw new StackFailure(
      `${dir} was created by PostgreSQL ${major}, but this machine has ${versions}. ` +
        `Install PostgreSQL ${major}, or remove the data directory to start with empty data.`,
    );
  }
  return match;
}
