import type { createWebhookEndpoint } from '@bv/contract';
import type { Result } from '@bv/http';
import { openSecret, type SealingKey } from '../domain/secrets.ts';

type Answer = Result<typeof createWebhookEndpoint>;

/** Operations record their answer with the secret sealed; it is opened on its way out only, also for a retry. */
export function showSecret(answer: Answer, keys: readonly SealingKey[]): Answer {
  if ('pagination' in answer) throw new Error('an endpoint is not a list');
  const { data } = answer;
  const secret = openSecret(data.secret, data.id, keys);
  if (secret === undefined) throw new Error(`no key opens the secret of endpoint ${data.id}`);
  return { data: { ...data, secret } };
}
