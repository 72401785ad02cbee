import { setTimeout as sleep } from 'node:timers/promises';
import { startUse as startUseOfMachine } from './machine.ts';

/** CPU steal lasts for seconds. */
const pauseMs = 1_000;
/** A smaller share is not visible in samples of seconds, because the kernel counts the machine's CPU time in ticks. */
const minVisibleShare = 0.05;

type SamplerOptions = {
  /** Maximum share, 0 to 1, of the CPU time used during a sample that other processes and steal may have. */
  maxOtherShare?: number;
  /** How many samples may be repeated before the run fails. */
  maxRetries?: number;
  /** Accepts every sample. */
  force?: boolean;
  /** Is called for each sample that is repeated. */
  report: (text: string) => void;
  /** Starts the measurement of a sample. Tests replace it, because the load of their machine is not theirs. */
  startUse?: typeof startUseOfMachine;
};

type Summary = { retries: number; maxOthers: number };

export type Sampler = {
  /** Takes a sample, and repeats it while other load disturbs it. Rejects after `maxRetries` repetitions. */
  sample<T>(name: string, take: () => Promise<T>): Promise<T>;
  /** Repeated samples so far, and the highest share of other load in an accepted one. */
  summary(): Summary;
};

/**
 * Repeats samples that other load disturbed. Only the other load decides, never what a sample measured. Its share is of
 * the CPU time that was used, because a process that sleeps half the time meets half of the steal.
 */
export function createSampler(options: SamplerOptions): Sampler {
  const { maxOtherShare = minVisibleShare, maxRetries = 400, force = false, report } = options;
  const { startUse = startUseOfMachine } = options;
  let retries = 0;
  let maxOthers = 0;
  return {
    sample: async (name, take) => {
      for (;;) {
        const use = startUse();
        const sample = await take();
        const { own, others: ofMachine } = use();
        const others = ofMachine / (own + ofMachine);
        if (force || others <= maxOtherShare) {
          maxOthers = Math.max(maxOthers, others);
          return sample;
        }
        retries += 1;
        if (retries > maxRetries) {
          throw new Error(
            `other load disturbed ${retries} samples: the machine is too busy for figures (--force)`,
          );
        }
        report(`${name}: other load used ${(others * 100).toFixed(0)} % of the CPU time, repeating ...`);
        await sleep(pauseMs);
      }
    },
    summary: () => ({ retries, maxOthers }),
  };
}

/** The other load of a run, for its report. */
export function otherLoadText({ retries, maxOthers }: Summary): string {
  return `other load used at most ${(maxOthers * 100).toFixed(0)} % of the CPU time of a sample, and ${retries} samples were repeated`;
}
