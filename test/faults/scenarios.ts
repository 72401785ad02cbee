import type { Scenario } from './harness/scenario.ts';
import { storeDegradations } from './scenarios/brown-outs.ts';
import { clocks } from './scenarios/clocks.ts';
import { crossTenant } from './scenarios/cross-tenant.ts';
import { crashPointsByName } from './scenarios/crash-points.ts';
import { demotedRedis } from './scenarios/demoted-redis.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { forged } from './scenarios/forged.ts';
import { smuggling } from './scenarios/smuggling.ts';
import { inputs } from './scenarios/inputs.ts';
import { keyTiming } from './scenarios/key-timing.ts';
import { kills } from './scenarios/kills.ts';
import { lostData } from './scenarios/lost-data.ts';
import { memory } from './scenarios/memory.ts';
import { model, mutantModel } from './scenarios/model.ts';
import { outages } from './scenarios/outages.ts';
import { readOnlyPostgres } from './scenarios/read-only-postgres.ts';
import { rollingRestart } from './scenarios/rolling-restart.ts';
import { secretsInLogs } from './scenarios/secrets-in-logs.ts';
import { slowClients } from './scenarios/slow-clients.ts';
import { slowPatterns } from './scenarios/slow-patterns.ts';

/** In the order they run: those that kill stores and services come late, the search of all logs last. */
export const scenarios: readonly Scenario[] = [
  crossTenant,
  forged,
  smuggling,
  inputs,
  slowPatterns,
  keyTiming,
  model,
  mutantModel,
  memory,
  slowClients,
  rollingRestart,
  clocks,
  kills,
  crashPointsByName,
  deliveries,
  storeDegradations,
  lostData,
  ...outages,
  readOnlyPostgres,
  demotedRedis,
  secretsInLogs,
];
