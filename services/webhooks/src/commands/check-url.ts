import { type ValidationDetail, validationError } from '@bv/contract';
import type { Context } from '../context.ts';
import { DnsFailure } from '../dispatcher/resolve.ts';
import { AttemptError } from '../dispatcher/attempt-error.ts';
import { checkedAddresses } from '../dispatcher/send.ts';
import { parseTarget } from '../domain/public-url.ts';

/**
 * Rejects a URL that is known not to be public, with a validation error. A URL whose host name cannot be resolved now
 * is accepted: a ping verifies the endpoint, and every attempt checks the addresses again.
 */
export async function checkUrl(url: string, ctx: Pick<Context, 'resolveHost' | 'urlPolicy'>): Promise<void> {
  const parsed = parseTarget(url, ctx.urlPolicy);
  if (!parsed.ok) throw refusal(parsed.code, parsed.message);
  try {
    await checkedAddresses(parsed.target, ctx);
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (error.code === 'address_not_public')
      throw refusal('url_not_public', 'The host has an address that is not public');
    const isMissing = error.cause instanceof DnsFailure && error.cause.definitive;
    if (isMissing) throw refusal('url_not_public', 'The host name does not exist');
  }
}

function refusal(code: ValidationDetail['code'], message: string) {
  return validationError([{ path: 'url', code, message }]);
}
