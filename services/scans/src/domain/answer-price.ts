import type { PlatformId } from '@bv/contract';

/** USD per answer, of the platforms that have a price. */
export type AnswerPrices = Partial<Record<PlatformId, number>>;
