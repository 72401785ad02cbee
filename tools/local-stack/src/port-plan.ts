import { dataStoreTitles, type DataStoreId } from './datastores/data-server.ts';
import { freePort, isPortFree } from './processes/ports.ts';
import type { Reporter } from './reporter.ts';

type ServicePorts = { port: number; monitoring: number };

export type PortPlan = {
  gateway: ServicePorts;
  operator: number;
  catalog: ServicePorts;
  results: ServicePorts;
  scans: ServicePorts;
  webhooks: ServicePorts;
  dispatcher: ServicePorts;
  simulator: number;
  /** Port of the demo's webhook receiver. */
  receiver: number;
  postgres: number;
  redis: number;
  nats: number;
};

/**
 * The default ports of each service's config.ts. They are below the ephemeral range, so that outgoing connections never
 * occupy them.
 */
const usualPorts: PortPlan = {
  gateway: { port: 8080, monitoring: 9080 },
  operator: 8090,
  catalog: { port: 8081, monitoring: 9081 },
  results: { port: 8082, monitoring: 9082 },
  scans: { port: 8083, monitoring: 9083 },
  webhooks: { port: 8084, monitoring: 9084 },
  dispatcher: { port: 8085, monitoring: 9085 },
  simulator: 8091,
  receiver: 8092,
  postgres: 15_432,
  redis: 16_379,
  nats: 14_222,
};

export type PortPlanOptions = {
  free: boolean;
  report: Reporter;
  /** Data stores that run elsewhere and do not need a port. */
  unused: DataStoreId[];
};

/** Assigns the default ports, or other free ports where a default port is in use. No port is assigned twice. */
export async function planPorts({ free, report, unused }: PortPlanOptions): Promise<PortPlan> {
  const taken = new Set<number>();
  const pick = async (name: string, usual: number): Promise<number> => {
    let port = usual;
    const usable = !free && !taken.has(usual) && (await isPortFree(usual));
    while (!usable && (port === usual || taken.has(port))) port = await freePort();
    taken.add(port);
    if (!usable && !free) report(`port ${usual} (${name}) is in use: using ${port}`);
    return port;
  };
  const pickBoth = async (name: string, usual: ServicePorts): Promise<ServicePorts> => ({
    port: await pick(name, usual.port),
    monitoring: await pick(`${name} monitoring`, usual.monitoring),
  });
  const pickStore = async (id: DataStoreId): Promise<number> =>
    unused.includes(id) ? usualPorts[id] : pick(dataStoreTitles[id], usualPorts[id]);
  return {
    gateway: await pickBoth('gateway', usualPorts.gateway),
    operator: await pick('operator', usualPorts.operator),
    catalog: await pickBoth('catalog', usualPorts.catalog),
    results: await pickBoth('results', usualPorts.results),
    scans: await pickBoth('scans', usualPorts.scans),
    webhooks: await pickBoth('webhooks', usualPorts.webhooks),
    dispatcher: await pickBoth('dispatcher', usualPorts.dispatcher),
    simulator: await pick('simulator', usualPorts.simulator),
    receiver: await pick('webhook receiver', usualPorts.receiver),
    postgres: await pickStore('postgres'),
    redis: await pickStore('redis'),
    nats: await pickStore('nats'),
  };
}
