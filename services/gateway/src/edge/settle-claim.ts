import { failpoint } from '@bv/lifecycle';
import type { EdgeContext } from '../context.ts';
import { refusalCode, UpstreamFailure } from '../upstream/answer-handler.ts';
import type { UpstreamAnswer } from '../upstream/answer-handler.ts';
import type { Exchange } from './exchange.ts';

/** Refusals that do not consume the key. */
const notConsuming = new Set([401, 403, 405, 408, 413, 429]);

/** Kept before it is sent, so that whoever has seen the answer gets the same again. */
export async function settleClaim(
  exchange: Exchange,
  answer: UpstreamAnswer,
  context: EdgeContext,
): Promise<void> {
  const { claim } = exchange;
  if (claim === undefined) return;
  failpoint('gateway.answered');
  await attempt(exchange, context, () => {
    if (answer.status >= 500 || saysInFlight(answer)) return claim.release();
    if (notConsuming.has(answer.status)) return claim.drop();
    const contentType = String(answer.headers['content-type']);
    return claim.store({ status: answer.status, contentType, body: answer.body });
  });
  failpoint('gateway.stored');
}

/** Of a try that another has overtaken: the answer is the other's, and not this. */
function saysInFlight(answer: UpstreamAnswer): boolean {
  return answer.status === 409 && refusalCode(answer) === 'idempotency_key_in_flight';
}

/**
 * A service that may still be at work keeps the claim until its lease ends; the retry then takes it over under
 * the same operation id. Otherwise the retry may come at once.
 */
export async function settleFailure(exchange: Exchange, error: unknown, context: EdgeContext): Promise<void> {
  const { claim } = exchange;
  const atWork = error instanceof UpstreamFailure && error.sent && error.reason === 'timeout';
  if (claim === undefined || atWork) return;
  await attempt(exchange, context, () => claim.release());
}

/** The answer is true whether or not it could be kept: then the service's own record answers the retry. */
async function attempt(exchange: Exchange, { log }: EdgeContext, settle: () => Promise<void>): Promise<void> {
  try {
    await settle();
  } catch (error) {
    log.error({ err: error, requestId: exchange.requestId }, 'the idempotency record is not settled');
  }
}
