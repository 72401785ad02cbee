import { platformIds, type PlatformId } from '@bv/contract';
import { z } from 'zod';
import type { KnownBrand } from './catalogue.ts';

export const ControlBrands = z.strictObject({
  brands: z
    .array(z.strictObject({ name: z.string().min(1).max(200), domain: z.string().min(1).max(253) }))
    .max(500),
});

export const ControlTrouble = z.strictObject({
  platform: z.enum(platformIds),
  kind: z.enum(['429', '500', 'slow', 'empty', 'error-in-200', 'no-overview', 'hang']).nullable(),
  /** Requests it is good for; without it, until it is taken back. */
  count: z.int().min(1).optional(),
  retryAfterSeconds: z.int().min(0).optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
});
export type Trouble = z.infer<typeof ControlTrouble>;

/** What the control calls set and the answers look at. */
export class SimulatorState {
  brands: KnownBrand[] = [];
  readonly requests: Record<PlatformId, number> = {
    perplexity: 0,
    chatgpt: 0,
    gemini: 0,
    claude: 0,
    ai_overviews: 0,
  };
  readonly #troubles = new Map<PlatformId, Trouble>();

  setTrouble(trouble: Trouble): void {
    if (trouble.kind === null) this.#troubles.delete(trouble.platform);
    else this.#troubles.set(trouble.platform, { ...trouble });
  }

  /** Counts the request and takes one of the trouble that is set. */
  takeTrouble(platform: PlatformId): Trouble | null {
    this.requests[platform] += 1;
    const trouble = this.#troubles.get(platform);
    if (trouble === undefined) return null;
    if (trouble.count !== undefined) {
      trouble.count -= 1;
      if (trouble.count === 0) this.#troubles.delete(platform);
    }
    return trouble;
  }
}
