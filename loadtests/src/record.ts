/** One answer, as k6 saw it: a line of JSON in the log that the checkers read. */
export type AnswerRecord = {
  /** Part of the scenario: what was to be shown with it. */
  phase: string;
  /** Index of the key in the run's data; -1 for a key that is refused. */
  key: number;
  gateway: number;
  /** Who sent it: one virtual user has one source address. */
  user: number;
  /** Client's clock, milliseconds. */
  startMs: number;
  endMs: number;
  durationMs: number;
  /** 0 when no answer came. */
  status: number;
  code: string | null;
  /** Seconds since the epoch of the answer's Date. */
  date: number | null;
  limit: number | null;
  remaining: number | null;
  reset: number | null;
  retryAfter: number | null;
  /** Idempotent writes: which of them, whether the answer was a replay, what was made, and a hash of the body. */
  write?: { id: string; replayed: boolean; made: string | null; body: string };
  /** Walks: which of them, how many rows, and what identifies each. */
  page?: { walk: string; rows: string[]; last: boolean };
};

/** What a run is given: where to call and with what. */
export type RunData = {
  /** Base addresses of all gateways, with the version in the path. */
  baseUrls: string[];
  keys: { key: string; perMinute: number; phase: string }[];
  orgs: { orgId: string; brands: { brandId: string; promptIds: string[] }[] }[];
  /** Results that each brand had when the run began. */
  unitsOfBrand: number;
  /** Seconds the load stands. */
  seconds: number;
  /** Requests a second, or users, of scenarios whose size can be chosen. */
  size: number;
  /** A part that every text made by this run has, so that a run never meets another's. */
  mark: string;
};

/** What k6 is given: the data, and the objectives as its thresholds by metric. */
export type RunInput = RunData & { objectives: Record<string, string[]> };
