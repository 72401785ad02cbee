/** What docs/capacity-planning.md says. The page is the only place of these figures. */
export type Figures = {
  /** Own brands of an organisation, units of one scan, requests of an organisation and day. */
  brands: number;
  unitsPerScan: number;
  requests: number;
  subscriptions: number;
  keys: number;
  /** The largest number of organisations in the table of the page. */
  organisations: number;
  /** Seconds in which the units of a day arrive. */
  arrivalSeconds: number;
  peakFactor: number;
  answerSeconds: number;
  /** Utilisation that processes are planned for. */
  target: number;
  milliseconds: { gateway: number; catalog: number; results: number; postgres: number };
  workerConcurrency: number;
  connections: { gateway: number; scans: number; other: number };
  bytesPerUnit: number;
  bytesPerKey: number;
  /** The lower bounds of what was measured. */
  ingestPerSecond: number;
  ingestWriters: number;
  deliveriesPerSecond: number;
  /** Processes and connections of the last column, to compare the model with. */
  processes: number;
  connectionsInTable: number;
};

const number = (text: string | undefined): number => Number(text?.replaceAll(',', ''));

/** Reads the figures from the tables of the page. Throws if a row has another form. */
export function readFigures(page: string): Figures {
  const find = (pattern: RegExp): number[] => {
    const found = pattern.exec(page)?.slice(1).map(number);
    if (found === undefined || found.some(Number.isNaN))
      throw new Error(`docs/capacity-planning.md has no row like ${pattern.source}`);
    return found;
  };
  const one = (pattern: RegExp): number => find(pattern)[0] ?? Number.NaN;
  const input = (symbol: string): number => one(new RegExp(`^\\| ${symbol} +\\|[^|]+\\| ([\\d,]+)`, 'm'));
  const cost = (service: string): [number, number] => {
    const [ms = Number.NaN, target = Number.NaN] = find(
      new RegExp(`^\\| ${service} +\\| Q × ([\\d.]+) ms / ([\\d.]+)`, 'm'),
    );
    return [ms, target];
  };
  const lastColumn = (row: string): number => one(new RegExp(`^\\| ${row} .*\\| ([\\d,]+) +\\|$`, 'm'));
  const [gatewayConnections = 0, scansConnections = 0, otherConnections = 0] = find(
    /^\| Postgres, connections +\| (\d+) per gateway, (\d+) per scans process, (\d+) per other/m,
  );
  const [ingestPerSecond = 0] = find(
    /^\| Unit ingested by results +\| ([\d,]+) to [\d,]+ per second with two writers/m,
  );
  const [gateway, target] = cost('gateway, processes');
  return {
    brands: input('B'),
    unitsPerScan: input('P') * input('C') * input('L'),
    requests: input('R'),
    subscriptions: input('S'),
    keys: input('K'),
    organisations: one(/^\| O +\| organisations +\| [\d,]+ to ([\d,]+)/m),
    arrivalSeconds: one(/^\| Units per second at peak +\| U \/ ([\d,]+) s/m),
    peakFactor: one(/^\| Requests per second at peak \(Q\) +\| O × R \/ 86,400 s × (\d+)/m),
    answerSeconds: one(/^\| Units in flight +\| units per second × (\d+) s/m),
    target,
    milliseconds: {
      gateway,
      catalog: cost('catalog, processes')[0],
      results: cost('results, processes')[0],
      postgres: cost('Postgres, cores for requests')[0],
    },
    workerConcurrency: one(/^\| scan workers +\| units in flight \/ `WORKER_CONCURRENCY` set to (\d+)/m),
    connections: { gateway: gatewayConnections, scans: scansConnections, other: otherConnections },
    bytesPerUnit: one(/^\| Postgres of results, each year +\| U × 365 × ([\d,]+) bytes/m),
    bytesPerKey: one(/^\| Redis +\| O × K × (\d+) bytes/m),
    ingestPerSecond,
    ingestWriters: 2,
    deliveriesPerSecond: one(/^\| Delivery +\| ([\d,]+) to [\d,]+ per second and dispatcher/m),
    processes: lastColumn('All processes'),
    connectionsInTable: lastColumn('Postgres, connections'),
  };
}
