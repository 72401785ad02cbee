import { ApiError, type CreatedProperty, type PropertyPartialFailure } from '@bv/contract';

/** The result of linking one competitor of a property. */
export type CompetitorOutcome =
  | { status: 'applied'; competitor_id: string; reused: boolean }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'not_attempted' };

type Sent = { name: string; domain: string };

/** The error where the brand was created but a competitor failed; undefined if none failed. */
export function partialFailure(
  brand: CreatedProperty,
  sent: readonly Sent[],
  outcomes: readonly CompetitorOutcome[],
): ApiError | undefined {
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome.error.code] : []));
  if (failed.length === 0) return undefined;
  const details: PropertyPartialFailure = {
    brand_id: brand.id,
    brand,
    competitors: sent.map(({ name, domain }, index) => ({
      name,
      domain,
      ...(outcomes[index] ?? { status: 'not_attempted' }),
    })),
  };
  const overCap = failed.includes('competitor_cap_exceeded');
  return new ApiError(overCap ? 'competitor_cap_exceeded' : 'conflict', { details });
}
