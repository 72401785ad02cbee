import { describe, expect, test } from '@jest/globals';
import { operations, operatorOperations, type ServiceName } from '@bv/contract';
import type { Route } from '@bv/http';

/** Creates the route table of a service. It only binds handlers, so no store is needed. */
type Table = (context: never) => Route[];

const tables: Record<ServiceName, Table> = {
  gateway: (await import('../services/gateway/src/http/routes.ts')).createRoutes,
  catalog: (await import('../services/catalog/src/http/routes.ts')).createRoutes,
  results: (await import('../services/results/src/http/routes.ts')).createRoutes,
  scans: (await import('../services/scans/src/http/routes.ts')).createRoutes,
  webhooks: (await import('../services/webhooks/src/http/routes.ts')).createRoutes,
};

const implemented = new Map(
  Object.entries(tables).map(([service, table]) => {
    const ids = table({} as never).map((route) => route.operation.id);
    return [service, new Set(ids)];
  }),
);

describe('every operation of the contract has a handler in its service', () => {
  test.each([...operations, ...operatorOperations].map((operation) => [operation.id, operation.service]))(
    '%s in %s',
    (id, service) => {
      expect(implemented.get(service)).toContain(id);
    },
  );
});
