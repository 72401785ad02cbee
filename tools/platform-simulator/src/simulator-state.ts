import { platformIds } from '@bv/contract';
import { z } from 'zod';
import type { KnownBrand } from './catalogue.ts';

export const ControlBrands = z.strictObject({
  brands: z
    .array(z.strictObject({ name: z.string().min(1).max(200), domain: z.string().min(1).max(253) }))
    .max(500),
});

/** The platforms and the LLM judge. */
const simulated = [...platformIds, 'judge'] as const;
export type Simulated = (typeof simulated)[number];

/** `empty` is a success without a text or a reason, `refusal` a success that states why there is no text. */
const troubles = ['429', '500', 'slow', 'empty', 'refusal', 'error-in-200', 'no-overview', 'hang'] as const;
const llmJudgeTroubles = ['garbage', 'out-of-range', 'wrong-brands'] as const;

export const ControlTrouble = z.strictObject({
  platform: z.enum(simulated),
  kind: z.enum([...troubles, ...llmJudgeTroubles]).nullable(),
  /** Number of affected requests; without it, all until it is cleared by `kind` null. */
  count: z.int().min(1).optional(),
  retryAfterSeconds: z.int().min(0).optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
});
export type Trouble = z.infer<typeof ControlTrouble>;

/** State that the control API sets and the simulated platforms read. */
export class SimulatorState {
  brands: KnownBrand[] = [];
  readonly requests: Record<Simulated, number> = {
    perplexity: 0,
    chatgpt: 0,
    gemini: 0,
    claude: 0,
    ai_overviews: 0,
    judge: 0,
  };
  readonly #troubles = new Map<Simulated, Trouble>();

  setTrouble(trouble: Trouble): void {
    if (trouble.kind === null) this.#troubles.delete(trouble.platform);
    else this.#troubles.set(trouble.platform, { ...trouble });
  }

  /** Counts a request and returns the trouble for it, if any. */
  consumeTrouble(platform: Simulated): Trouble | null {
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
