import type { createWebhookEndpoint } from '@bv/contract';
import type { Result } from '@bv/http';
import { decryptSecret, type EncryptionKey } from '../domain/secrets.ts';

type SecretResponse = Result<typeof createWebhookEndpoint>;

/** The recorded response holds the encrypted secret. It is decrypted just before it is sent, also for a retry. */
export function decryptResponseSecret(
  response: SecretResponse,
  keys: readonly EncryptionKey[],
): SecretResponse {
  if ('pagination' in response) throw new Error('an endpoint response is not a list');
  const { data } = response;
  const secret = decryptSecret(data.secret, data.id, keys);
  if (secret === undefined) throw new Error(`no key decrypts the secret of endpoint ${data.id}`);
  return { data: { ...data, secret } };
}
