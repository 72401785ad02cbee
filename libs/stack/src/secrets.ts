import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile, type DataDir } from './data-dir.ts';

export const serviceNames = ['gateway', 'catalog', 'results', 'scans', 'webhooks'] as const;
export type ServiceName = (typeof serviceNames)[number];

export type Secrets = {
  postgresPassword: string;
  servicePasswords: Record<ServiceName, string>;
  callerSecret: string;
  operatorToken: string;
  /** 32 bytes each, base64. */
  cursorKey: string;
  keyPepper: string;
  idempotencyKey: string;
  webhooksSecretKey: string;
};

/**
 * Made once: keys, cursors and stored secrets of yesterday are only good for as long as these stay.
 * What an older version did not know yet is added.
 */
export function readOrCreateSecrets({ secretsFile }: DataDir): Secrets {
  const word = (): string => randomBytes(24).toString('base64url');
  const key = (): string => randomBytes(32).toString('base64');
  const fresh: Secrets = {
    postgresPassword: word(),
    servicePasswords: {
      gateway: word(),
      catalog: word(),
      results: word(),
      scans: word(),
      webhooks: word(),
    },
    callerSecret: word(),
    operatorToken: word(),
    cursorKey: key(),
    keyPepper: key(),
    idempotencyKey: key(),
    webhooksSecretKey: key(),
  };
  const secrets = { ...fresh, ...readJsonFile<Partial<Secrets>>(secretsFile) };
  writeJsonFile(secretsFile, secrets);
  return secrets;
}
