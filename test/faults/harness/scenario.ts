import type { Random } from './random.ts';
import type { System } from './system.ts';

export type Context = {
  /** Shared by the scenarios of a run; each brings customers of its own and leaves every fault healed. */
  system: System;
  random: Random;
  /** Progress, shown as it goes. */
  say: (line: string) => void;
};

export type Outcome = {
  /** What was promised and did not hold; empty is passed. */
  violations: string[];
  /** What was done, in figures, for the table at the end. */
  did: string;
};

export type Scenario = {
  name: string;
  /** The promise that the scenario tries to break. */
  promise: string;
  run(context: Context): Promise<Outcome>;
};
