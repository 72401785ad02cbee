import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { getScanRoute } from './get-scan.ts';
import { operatorAddScanCreditsRoute } from './operator-add-scan-credits.ts';
import { operatorRunScanRoute } from './operator-run-scan.ts';
import { requestScanRoute } from './request-scan.ts';

/** The operations of this service. */
export const routes = (ctx: Context): Route[] => [
  requestScanRoute(ctx),
  getScanRoute(ctx),
  operatorRunScanRoute(ctx),
  operatorAddScanCreditsRoute(ctx),
];
