import type { ServerResponse } from 'node:http';
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

/**
 * `empty` is a success without a text or a reason, `refusal` a success that states why there is no text. `hang` never
 * responds, `hold` responds when the trouble of the platform changes. The last ones change the shape of an answer:
 * `unresolved_links` hides its pages, `no_sources` has none, `short_answers` ends early, `no_model` names no model.
 */
const troubles = [
  '429',
  '500',
  'slow',
  'empty',
  'refusal',
  'error-in-200',
  'no-overview',
  'hang',
  'hold',
  'unresolved_links',
  'no_sources',
  'short_answers',
  'no_model',
] as const;
/**
 * `invented-quote` quotes words that are not in the text, `obedient` follows instructions in the text, `other-meaning`
 * says that the text means no brand.
 */
const llmJudgeTroubles = [
  'garbage',
  'out-of-range',
  'wrong-brands',
  'repeated-brand',
  'invented-quote',
  'obedient',
  'other-meaning',
] as const;

export const ControlTrouble = z.strictObject({
  platform: z.enum(simulated),
  kind: z.enum([...troubles, ...llmJudgeTroubles]).nullable(),
  /** Number of requests before the first affected one. */
  after: z.int().min(0).optional(),
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
  readonly #held = new Map<() => void, Simulated>();

  /** Number of requests that are held now. */
  get held(): number {
    return this.#held.size;
  }

  setTrouble(trouble: Trouble): void {
    for (const [release, platform] of this.#held) if (platform === trouble.platform) release();
    if (trouble.kind === null) this.#troubles.delete(trouble.platform);
    else this.#troubles.set(trouble.platform, { ...trouble });
  }

  /** Counts a request and returns the trouble for it, if any. */
  consumeTrouble(platform: Simulated): Trouble | null {
    this.requests[platform] += 1;
    const trouble = this.#troubles.get(platform);
    if (trouble === undefined) return null;
    if (trouble.after !== undefined && trouble.after > 0) {
      trouble.after -= 1;
      return null;
    }
    if (trouble.count !== undefined) {
      trouble.count -= 1;
      if (trouble.count === 0) this.#troubles.delete(platform);
    }
    return trouble;
  }

  /** Waits until the trouble of the platform changes or the client is gone. */
  hold(platform: Simulated, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const release = (): void => {
        this.#held.delete(release);
        resolve();
      };
      this.#held.set(release, platform);
      response.once('close', release);
    });
  }
}
