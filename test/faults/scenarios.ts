import type { Scenario } from './harness/scenario.ts';
import { crossTenant } from './scenarios/cross-tenant.ts';
import { crashPointsByName } from './scenarios/crash-points.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { forged } from './scenarios/forged.ts';
import { kills } from './scenarios/kills.ts';
import { lostData } from './scenarios/lost-data.ts';
import { model } from './scenarios/model.ts';
import { outages } from './scenarios/outages.ts';
import { rollingRestart } from './scenarios/rolling-restart.ts';
import { secretsInLogs } from './scenarios/secrets-in-logs.ts';
import { slowPatterns } from './scenarios/slow-patterns.ts';

/** In the order they run: those that kill stores and services come late, the search of all logs last. */
export const scenarios: readonly Scenario[] = [
  crossTenant,
  forged,
  slowPatterns,
  model,
  rollingRestart,
  kills,
  crashPointsByName,
  deliveries,
  lostData,
  ...outages,
  secretsInLogs,
];
