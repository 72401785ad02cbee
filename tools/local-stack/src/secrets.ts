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
 * Creates the secrets once: API keys, cursors and stored secrets are only valid with the same secrets. Secrets that an
 * older version did not have are added.
 */
export function readOrCreateSecrets({ secretsFile }: DataDir): Secrets {
  const createToken = (): string => randomBytes(24).toString('base64url');
  const createKey = (): string => randomBytes(32).toString('base64');
  const fresh: Secrets = {
    postgresPassword: createToken(),
    servicePasswords: {
      gateway: createToken(),
      catalog: createToken(),
      results: createToken(),
      scans: createToken(),
      webhooks: createToken(),
    },
    callerSecret: createToken(),
    operatorToken: createToken(),
    cursorKey: createKey(),
    keyPepper: createKey(),
    idempotencyKey: createKey(),
    webhooksSecretKey: createKey(),
  };
  const secrets = { ...fresh, ...readJsonFile<Partial<Secrets>>(secretsFile) };
  writeJsonFile(secretsFile, secrets);
  return secrets;
}
