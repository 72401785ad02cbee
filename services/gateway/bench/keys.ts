import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { hashKey, getKeyPrefix, mintKey, type Pepper } from '../src/domain/api-key.ts';

type Key = { key: string; sha256: string; perMinute: number };

export type Keys = {
  orgId: string;
  all: Key[];
  /** Keys with a small allowance that a check can use up, one per target. */
  small: Key[];
  /** File of the first `count` keys for the load generator, one per line. */
  fileOf(count: number): string;
  /** SHA-256 and allowance of every key, for the peers. */
  mapFile: string;
};

/** More requests than a run can send in a minute. */
const plenty = 1_000_000;
/** Monthly quota, so that the gateway leases blocks of it. */
const monthlyQuota = 1_000_000_000;
export const smallAllowance = 5;
const maxTargets = 8;

/** Creates keys of one organisation in the gateway's database, and files of the same keys for the peers. */
export async function makeKeys(
  dir: string,
  options: { databaseUrl: string; pepper: Pepper; count: number },
): Promise<Keys> {
  const make = (perMinute: number): Key => {
    const key = mintKey();
    return { key, sha256: createHash('sha256').update(key).digest('hex'), perMinute };
  };
  const all = Array.from({ length: options.count }, () => make(plenty));
  const small = Array.from({ length: maxTargets }, () => make(smallAllowance));
  const orgId = randomUUID();
  await insertKeys([...all, ...small], orgId, options);
  const mapFile = join(dir, 'keys.map');
  writeFileSync(mapFile, [...all, ...small].map((key) => `${key.sha256} ${key.perMinute}\n`).join(''));
  return {
    orgId,
    all,
    small,
    mapFile,
    fileOf: (count) => {
      const file = join(dir, `keys-${randomUUID()}.txt`);
      writeFileSync(
        file,
        all
          .slice(0, count)
          .map(({ key }) => `${key}\n`)
          .join(''),
      );
      return file;
    },
  };
}

type Inserting = { databaseUrl: string; pepper: Pepper };

async function insertKeys(keys: Key[], orgId: string, { databaseUrl, pepper }: Inserting): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into org_access (org_id, name, tier, api_access, version, created_at, updated_at)
       values ($1, 'Bench', 'scale', true, 1, now(), now())`,
      [orgId],
    );
    for (let start = 0; start < keys.length; start += 10_000) {
      const batch = keys.slice(start, start + 10_000);
      await client.query(
        `insert into api_keys (id, key_hash, pepper_id, key_prefix, org_id, scopes, per_minute, monthly_quota)
         select gen_random_uuid(), decode(h, 'hex'), $4, p, $5, '{read,write}', m, $6
         from unnest($1::text[], $2::text[], $3::int[]) as k (h, p, m)`,
        [
          batch.map(({ key }) => hashKey(key, [pepper])[0]?.hash),
          batch.map(({ key }) => getKeyPrefix(key)),
          batch.map(({ perMinute }) => perMinute),
          pepper.id,
          orgId,
          monthlyQuota,
        ],
      );
    }
    await client.query('analyze api_keys');
  } finally {
    await client.end();
  }
}
