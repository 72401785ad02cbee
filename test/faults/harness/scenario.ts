import type { Random } from './random.ts';
import type { System } from './system.ts';

export type Context = {
  /** Shared by the scenarios of a run. Each creates its own customers and ends its faults. */
  system: System;
  random: Random;
  /** Prints progress. */
  report: (line: string) => void;
};

export type Outcome = {
  /** Violations of the guarantee. Empty: passed. */
  violations: string[];
  /** What was done, in figures, for the final table. */
  summary: string;
};

export type Scenario = {
  name: string;
  /** The guarantee that the scenario tries to break. */
  guarantee: string;
  run(context: Context): Promise<Outcome>;
};
