import { type ValidationDetail, validationError } from '@bv/contract';
import type { Context } from '../context.ts';
import { DnsFailure } from '../dispatcher/resolve.ts';
import { AttemptError } from '../dispatcher/attempt-error.ts';
import { checkedAddresses } from '../dispatcher/send.ts';
import { parseTarget } from '../domain/public-url.ts';

/**
 * Refuses a URL that is known not to be public. A name server that cannot answer now is no verdict: the endpoint is
 * verified by a ping, and every attempt checks again.
 */
export async function checkUrl(
  url: string,
  context: Pick<Context, 'resolveHost' | 'urlPolicy'>,
): Promise<void> {
  const parsed = parseTarget(url, context.urlPolicy);
  if (!parsed.ok) throw refusal(parsed.code, parsed.message);
  try {
    await checkedAddresses(parsed.target, context);
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (error.code === 'address_not_public')
      throw refusal('url_not_public', 'The host has an address that is not public');
    const definitive = error.cause instanceof DnsFailure && error.cause.definitive;
    if (definitive) throw refusal('url_not_public', 'The host name does not exist');
  }
}

function refusal(code: ValidationDetail['code'], message: string) {
  return validationError([{ path: 'url', code, message }]);
}
