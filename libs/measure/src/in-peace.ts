import { setTimeout as sleep } from 'node:timers/promises';
import { startUse } from './machine.ts';

/** A host that takes the machine does it for seconds. */
const pauseMs = 1_000;

type PeaceOptions = {
  /** Of what the machine worked while one sample was taken, 0 to 1, that others may have had. */
  othersMost: number;
  /** How many samples may be taken again before the machine is too busy for figures. */
  againMost: number;
  /** Counts every sample as it comes. */
  force?: boolean;
  /** Hears of every sample that is taken again. */
  say: (text: string) => void;
};

type Peace = {
  /** Takes a sample, and takes it again while others disturb it; rejects when that was too often. */
  sample<T>(name: string, take: () => Promise<T>): Promise<T>;
  /** How many samples were taken again, and the most that others had of the machine's work in one that counts. */
  told(): { again: number; others: number };
};

/**
 * Samples that nothing else has disturbed. The host of a virtual machine takes it for seconds or minutes and gives it
 * back; which samples count is decided by that alone, never by what they measured. Others are held against the work,
 * not against the machine: what sleeps half the time meets its host half as often, and must not count for it.
 */
export function samplesInPeace({ othersMost, againMost, force = false, say }: PeaceOptions): Peace {
  let again = 0;
  let most = 0;
  return {
    sample: async (name, take) => {
      for (;;) {
        const use = startUse();
        const sample = await take();
        const { own, others: ofMachine } = use();
        const others = ofMachine / (own + ofMachine);
        if (force || others <= othersMost) {
          most = Math.max(most, others);
          return sample;
        }
        again += 1;
        if (again > againMost) {
          throw new Error(`others disturbed ${again} samples: the machine is too busy for figures (--force)`);
        }
        say(`${name}: others had ${(others * 100).toFixed(0)} % of the work, again ...`);
        await sleep(pauseMs);
      }
    },
    told: () => ({ again, others: most }),
  };
}
