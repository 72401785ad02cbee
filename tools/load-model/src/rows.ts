import type { Figures } from './figures.ts';
import { arrive, createRandom } from './random.ts';
import { redundant, toSizing, type Sizing } from './sizing.ts';
import { simulate, type Observed } from './station.ts';

/** Assumed of one Postgres server, and of the Redis of the page. */
export const limits = { cores: 64, connections: 2_000, terabytes: 16, redisMebibytes: 256 };
/** Of a pool whose process has few requests at once. */
const smallPool = 4;
const seed = 1;
/** Arrivals that are simulated at stations with short service times. */
const requests = 300_000;
const scanSeconds = 900;

export type Row = {
  resource: string;
  size: string;
  /** 1: all of it is in use. */
  utilisation: number;
  /** Absent for what has no queue. */
  observed?: Observed;
  /** Organisations at the limit. Absent where replicas can be added. */
  limitAt?: number;
  change: string;
};

type Model = { figures: Figures; sizing: Sizing };

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const milliseconds = (seconds: number): string => `${(seconds * 1_000).toFixed(1)} ms`;

/** What breaks at this size, first the resource that reaches its limit with the fewest organisations. */
export function listRows(figures: Figures, organisations: number): Row[] {
  const model = { figures, sizing: toSizing(figures, organisations) };
  const rows = [
    ...(['gateway', 'catalog', 'results'] as const).map((service) => serviceRow(model, service)),
    ...workerRows(model),
    connectionsRow(model),
    coresRow(model),
    diskRow(model),
    redisRow(model),
    ingestRow(model),
    dispatcherRow(model),
  ];
  const order = (row: Row): number => row.limitAt ?? Number.POSITIVE_INFINITY;
  return rows.toSorted((a, b) => order(a) - order(b) || b.utilisation - a.utilisation);
}

/** Independent arrivals with exponential service times (M/M/c, with batches). */
function run(
  perSecond: number,
  serviceSeconds: number,
  servers: number,
  { seconds = requests / perSecond, batch = 1, opensAt = 0, warmUp = 0 } = {},
): Observed {
  const random = createRandom(seed);
  const arrivals = arrive(random, { perSecond, seconds, batch });
  const service = (): number => random.exponential(serviceSeconds);
  return simulate({ arrivals, service, servers, opensAt, warmUp });
}

/** One process: the load balancer spreads requests evenly. */
function serviceRow({ figures, sizing }: Model, service: 'gateway' | 'catalog' | 'results'): Row {
  const processes = sizing.processes[service];
  const perSecond = sizing.requestsPerSecond / processes;
  const serviceSeconds = figures.milliseconds[service] / 1_000;
  return {
    resource: service,
    size: `${processes} processes`,
    utilisation: perSecond * serviceSeconds,
    observed: run(perSecond, serviceSeconds, 1),
    change: 'replicas (HPA)',
  };
}

/** The formula of the page has no reserve for workers, so the second row divides by the planned utilisation. */
function workerRows({ figures, sizing }: Model): Row[] {
  const toRow = (workers: number, change: string): Row => {
    const slots = workers * figures.workerConcurrency;
    const observed = run(sizing.unitsPerSecond, figures.answerSeconds, slots, {
      seconds: scanSeconds,
      batch: figures.unitsPerScan,
      warmUp: scanSeconds / 3,
    });
    const size = `${workers} × ${figures.workerConcurrency} units in flight`;
    const utilisation = (sizing.unitsPerSecond * figures.answerSeconds) / slots;
    return { resource: 'scan workers', size, utilisation, observed, change };
  };
  const planned = Math.ceil(sizing.processes.workers / figures.target);
  return [
    toRow(sizing.processes.workers, `workers / ${figures.target}: ${planned} of them`),
    toRow(planned, 'replicas (KEDA); the platforms must permit the rate'),
  ];
}

function connectionsRow({ figures, sizing }: Model): Row {
  const perProcess = sizing.requestsPerSecond / sizing.processes.results;
  const hold = figures.milliseconds.postgres / 1_000;
  const observed = run(perProcess, hold, figures.connections.other);
  const small = run(perProcess, hold, smallPool);
  const connections = { ...figures.connections, gateway: 2 * smallPool, other: smallPool };
  const fewer = toSizing({ ...figures, connections }, sizing.organisations).connections;
  return {
    resource: 'Postgres, connections',
    size: `${whole(sizing.connections)} of ${whole(limits.connections)}`,
    utilisation: sizing.connections / limits.connections,
    observed,
    limitAt: (sizing.organisations * limits.connections) / sizing.connections,
    change: `\`DATABASE_POOL_SIZE=${smallPool}\`, except scans: ${whole(fewer)} connections, wait p99 ${milliseconds(small.wait.p99)}`,
  };
}

/** Requests and the writers of units share the cores. */
function coresRow({ figures, sizing }: Model): Row {
  const ingest = (sizing.unitsPerSecond / figures.ingestPerSecond) * figures.ingestWriters;
  const cores = (sizing.requestsPerSecond * figures.milliseconds.postgres) / 1_000 + ingest;
  const observed = run(sizing.requestsPerSecond, cores / sizing.requestsPerSecond, limits.cores);
  const utilisation = cores / limits.cores;
  return {
    resource: 'Postgres, cores',
    size: `${whole(cores)} of ${limits.cores} cores`,
    utilisation,
    observed,
    limitAt: (sizing.organisations * figures.target) / utilisation,
    change: 'more cores, then an installation for each part of the organisations',
  };
}

function diskRow({ figures, sizing }: Model): Row {
  const terabytes = (sizing.unitsPerDay * 365 * figures.bytesPerUnit) / 1e12;
  const utilisation = terabytes / limits.terabytes;
  return {
    resource: 'Postgres, disk of results',
    size: `${whole(terabytes)} TB a year of ${limits.terabytes} TB`,
    utilisation,
    limitAt: sizing.organisations / utilisation,
    change: 'an installation for each part of the organisations',
  };
}

function redisRow({ figures, sizing }: Model): Row {
  const mebibytes = (sizing.organisations * figures.keys * figures.bytesPerKey) / 2 ** 20;
  const utilisation = mebibytes / limits.redisMebibytes;
  return {
    resource: 'Redis, memory',
    size: `${whole(mebibytes)} of ${limits.redisMebibytes} MiB`,
    utilisation,
    limitAt: sizing.organisations / utilisation,
    change: 'more memory',
  };
}

function ingestRow({ figures, sizing }: Model): Row {
  const { ingestWriters: writers, ingestPerSecond, target } = figures;
  const utilisation = sizing.unitsPerSecond / ingestPerSecond;
  return {
    resource: 'ingest of units',
    size: `${writers} writers`,
    utilisation,
    observed: run(sizing.unitsPerSecond, writers / ingestPerSecond, writers),
    limitAt: (sizing.organisations * target) / utilisation,
    change: 'more writers were not measured',
  };
}

function dispatcherRow({ figures, sizing }: Model): Row {
  const observed = run(sizing.deliveriesPerSecond, 1 / figures.deliveriesPerSecond, redundant, {
    batch: figures.subscriptions,
  });
  return {
    resource: 'dispatchers',
    size: `${redundant} processes`,
    utilisation: sizing.deliveriesPerSecond / figures.deliveriesPerSecond / redundant,
    observed,
    change: 'replicas (KEDA)',
  };
}

export type Backlog = { outage: string; waiting: number; unit: string; drainedAfterSeconds: number };

/** What waits after an outage at the peak, and how long it takes to catch up. */
export function listBacklogs(figures: Figures, organisations: number): Backlog[] {
  const sizing = toSizing(figures, organisations);
  const workers = Math.ceil(sizing.processes.workers / figures.target);
  const observe = (
    [outage, unit]: [string, string],
    downSeconds: number,
    [perSecond, serviceSeconds, servers]: [number, number, number],
    batch = 1,
  ): Backlog => {
    const spare = 1 - (perSecond * serviceSeconds) / servers;
    // Twice the mean time to catch up.
    const seconds = downSeconds * (1 + (2 * (1 - spare)) / spare) + 60;
    const { queue, emptyAt } = run(perSecond, serviceSeconds, servers, {
      seconds,
      batch,
      opensAt: downSeconds,
    });
    if (emptyAt === undefined) throw new Error(`the backlog after ${outage} does not end`);
    return { outage, unit, waiting: queue.max, drainedAfterSeconds: emptyAt - downSeconds };
  };
  const { ingestWriters, ingestPerSecond, deliveriesPerSecond, answerSeconds, workerConcurrency } = figures;
  return [
    observe(['NATS, 10 minutes', 'unit events in the outbox of scans'], 600, [
      sizing.unitsPerSecond,
      ingestWriters / ingestPerSecond,
      ingestWriters,
    ]),
    observe(
      ['dispatchers, 60 minutes', 'deliveries'],
      3_600,
      [sizing.deliveriesPerSecond, 1 / deliveriesPerSecond, redundant],
      figures.subscriptions,
    ),
    observe(
      [`${workers} scan workers, 2 minutes`, 'units'],
      120,
      [sizing.unitsPerSecond, answerSeconds, workers * workerConcurrency],
      figures.unitsPerScan,
    ),
  ];
}
