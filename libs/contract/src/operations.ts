import * as operatorBrands from './operator/brands.ts';
import * as operatorData from './operator/data.ts';
import * as operatorKeys from './operator/keys.ts';
import * as operatorOrgPurges from './operator/org-purges.ts';
import * as operatorOrgs from './operator/orgs.ts';
import * as operatorPartners from './operator/partners.ts';
import * as operatorReprocess from './operator/reprocess.ts';
import * as operatorStatus from './operator/status.ts';
import * as operatorWebhooks from './operator/webhooks.ts';
import * as brands from './operations/brands.ts';
import * as changes from './operations/changes.ts';
import * as experiments from './operations/experiments.ts';
import * as key from './operations/key.ts';
import * as methodology from './operations/methodology.ts';
import * as openWorld from './operations/open-world.ts';
import * as orgs from './operations/orgs.ts';
import * as precision from './operations/precision.ts';
import * as prompts from './operations/prompts.ts';
import * as reprocess from './operations/reprocess.ts';
import * as results from './operations/results.ts';
import * as scans from './operations/scans.ts';
import * as slices from './operations/slices.ts';
import * as webhooks from './operations/webhooks.ts';
import type { Operation } from './operation.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'api' in value && 'path' in value;

const collect = (...modules: Record<string, unknown>[]): readonly Operation[] =>
  modules.flatMap((module) => Object.values(module).filter(isOperation));

/** Every operation of the public API, below `/v1`. */
export const operations: readonly Operation[] = collect(
  key,
  orgs,
  brands,
  prompts,
  results,
  slices,
  openWorld,
  precision,
  changes,
  experiments,
  reprocess,
  scans,
  methodology,
  webhooks,
);

/** Every operation of the operator API, below `/operator/v1`. */
export const operatorOperations: readonly Operation[] = collect(
  operatorOrgs,
  operatorOrgPurges,
  operatorPartners,
  operatorKeys,
  operatorBrands,
  operatorData,
  operatorReprocess,
  operatorWebhooks,
  operatorStatus,
);
