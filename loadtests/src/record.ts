/** One response as k6 observed it: a line of JSON in the log that the checkers read. */
export type ResponseRecord = {
  /** Phase of the scenario that sent the request. */
  phase: string;
  /** Index of the key in the run's data; -1 for a key that is refused. */
  key: number;
  gateway: number;
  /** Virtual user that sent it. Each has one source address. */
  user: number;
  /** Client's clock, milliseconds. */
  startMs: number;
  endMs: number;
  durationMs: number;
  /** 0 when no response came. */
  status: number;
  code: string | null;
  /** `Date` of the response in seconds since the epoch. */
  date: number | null;
  limit: number | null;
  remaining: number | null;
  reset: number | null;
  retryAfter: number | null;
  /** Idempotent writes: id of the write, whether the response is a replay, id of the resource, and a hash of the body. */
  write?: { id: string; replayed: boolean; created: string | null; body: string };
  /** Bulk reads: id of the read, identity of each row, and whether the page is the last. */
  page?: { readId: string; rows: string[]; last: boolean };
};

/** Data of a run: addresses, keys and ids. */
export type RunData = {
  /** Base URLs of all gateways, with the version in the path. */
  baseUrls: string[];
  keys: { key: string; perMinute: number; phase: string }[];
  orgs: { orgId: string; brands: { brandId: string; promptIds: string[] }[] }[];
  /** Number of results of each brand at the start of the run. */
  unitsOfBrand: number;
  /** Duration of the load in seconds. */
  seconds: number;
  /** Requests per second, or number of users. */
  size: number;
  /** Part of every text of this run, so that runs do not share data. */
  mark: string;
};

/** Input of k6: the data, and the objectives as thresholds by metric. */
export type RunInput = RunData & { objectives: Record<string, string[]> };
